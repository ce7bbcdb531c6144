import type { TireSize } from '@tire/contracts';
import sharp from 'sharp';
import { usualLoadIndex } from '../domain/sidewall/load-index';
import type { ListedSize } from '../domain/sidewall/size-decoder';
import { seeded } from './noise';
import { renderSidewall } from './sidewall-sample';

export interface HardWheel {
  readonly bytes: Buffer;
  /** What stands on it; undefined where digits stand there that are no size. */
  readonly size: TireSize | undefined;
  readonly text: string;
  readonly placeDeg: number;
  /** How far the letters stand out of the noise; below LEGIBLE it is a matter of luck whether anybody reads them. */
  readonly clearness: number;
}

export const LEGIBLE = 0.015;

const NO_SIZE = 1 / 8;
/** Of the sizes: as likely one of the few that most cars have as any of the table. */
const COMMON = 0.5;
const WITH_LOAD_INDEX = 0.8;
const EXTRA_LOAD = 0.3;
const SPEEDS = ['H', 'T', 'V'];

/** Of a share of all tires: nine in ten lie within 1.1, one in a hundred beyond 2. */
const besideUsual = (share: number): number => 0.37 * Math.log((share + 1e-6) / (1 - share + 1e-6));

/** A wheel as hard to read as photographs are: shallow letters, seen at an angle, small, out of focus, hazy, noisy, compressed. */
export async function renderHardWheel(seed: number, listed: readonly ListedSize[]): Promise<HardWheel> {
  const random = seeded(seed);
  const between = (from: number, to: number) => from + (to - from) * random();
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const common = listed.filter(({ isCommon }) => isCommon);
  const size = random() < NO_SIZE ? undefined : one(random() < COMMON && common.length > 0 ? common : listed).size;
  const loadIndex = size && Math.round(usualLoadIndex(size) + besideUsual(random()) + (random() < EXTRA_LOAD ? 4 : 0));
  const speed = random() < WITH_LOAD_INDEX ? one(SPEEDS) : undefined;
  const service = speed ? ` ${loadIndex}${speed}` : '';
  const text = size
    ? `${size.sectionWidthMm}/${size.aspectRatioPercent}R${size.rimDiameterInch}${service}`
    : String(Math.floor(between(1e6, 1e8)));
  const [placeDeg, spokes, relief] = [between(0, 360), Math.floor(between(4, 12)), between(0.15, 1)];
  const clean = await renderSidewall({ seed, size: text, placeDeg, spokes, relief });
  const [squeeze, scale, blurPx] = [between(0.8, 1), between(0.35, 1), between(0.3, 2.5)];
  const [contrast, haze, grain] = [between(0.4, 1.1), between(0, 50), between(2, 20)];
  const { width } = await sharp(clean).metadata();
  const [toWidth, toHeight] = [Math.round(width * scale * squeeze), Math.round(width * scale)];
  const noise = { type: 'gaussian' as const, mean: 128, sigma: grain };
  const speckles = await sharp({ create: { width: toWidth, height: toHeight, channels: 3, background: '#808080', noise } })
    .png()
    .toBuffer();
  const seen = await sharp(clean)
    .resize(toWidth, toHeight, { fit: 'fill' })
    .blur(Math.max(0.3, blurPx * scale))
    .linear(contrast, haze)
    .png()
    .toBuffer();
  const bytes = await sharp(seen)
    .composite([{ input: speckles, blend: 'overlay' }])
    .jpeg({ quality: Math.round(between(25, 90)) })
    .toBuffer();
  return { bytes, size, text, placeDeg, clearness: (relief * contrast * scale) / grain };
}
