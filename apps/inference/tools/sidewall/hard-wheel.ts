import type { TireSize } from '@tire/contracts/events';
import sharp from 'sharp';
import { emptyField } from '../../src/domain/field';
import { smoothed, localStatistics } from '../../src/domain/sidewall/enhance';
import { usualLoadIndex } from '../../src/domain/sidewall/size/load-index';
import type { ListedSize } from '../../src/domain/sidewall/size/size-decoder';
import { gaussianNoise, seeded } from '../../src/samples/noise';
import { lettersOf, renderSidewall, WHEEL, type Lettering } from '../../src/samples/sidewall-sample';
import { KINDS, type Kind, type WheelKind } from './wheel-kinds';

export interface HardWheel {
  readonly bytes: Buffer;
  /** The size on the wheel; undefined where it shows digits that are no size, or two sizes. */
  readonly size: TireSize | undefined;
  readonly lettering: Lettering;
  /** Further texts on the same wheel. */
  readonly others: readonly Lettering[];
}

/**
 * Threshold of legibilityOf, below which people cannot reliably read the letters. Chosen by looking at 70 wheels in order of legibility,
 * before it was known which of them are read.
 */
export const LEGIBLE = 0.82;
/** A share of the letters' height. */
const BLUR = 0.05;
const AROUND = 0.75;

const CHANNELS = 3;
const NO_SIZE = 1 / 8;
/** Share of wheels with a common size; the others are drawn from the whole table. */
const COMMON = 0.5;
const WITH_LOAD_INDEX = 0.8;
const EXTRA_LOAD = 0.3;
const SPEEDS = ['H', 'T', 'V'];
/** Apart from the seeds of any wheel. */
const KIND_SEEDS = 500_000_000;
const PHOTOGRAPH_SEEDS = 600_000_000;

/** Deviation of the load index at this quantile: nine in ten tires lie within 1.1, one in a hundred beyond 2. */
const besideUsual = (share: number): number => 0.37 * Math.log((share + 1e-6) / (1 - share + 1e-6));

/**
 * A wheel as hard to read as real photographs: shallow letters, seen at an angle, small, out of focus, hazy, noisy, compressed. Further
 * photographs show the same wheel, turned, and are taken in another way.
 */
export async function renderHardWheel(
  seed: number,
  listed: readonly ListedSize[],
  name: WheelKind = 'usual',
  photograph = 0,
): Promise<HardWheel> {
  const random = seeded(seed);
  const ofWheel = betweenOf(random);
  const { size, text } = sizeAndText(random, listed);
  const [firstPlaceDeg, spokes, usualRelief] = [ofWheel(0, 360), Math.floor(ofWheel(4, 12)), ofWheel(0.15, 1)];
  const between = photograph === 0 ? ofWheel : betweenOf(seeded(seed + photograph * PHOTOGRAPH_SEEDS));
  const placeDeg = photograph === 0 ? firstPlaceDeg : between(0, 360);
  const [usualSqueeze, usualScale, blurPx] = [between(0.8, 1), between(0.35, 1), between(0.3, 2.5)];
  const [contrast, haze, grain] = [between(0.4, 1.1), between(0, 50), between(2, 20)];
  const quality = Math.round(between(25, 90));
  // Draws of its own, so that a wheel of another kind is else the usual one of its seed.
  const own = seeded(seed + KIND_SEEDS);
  const kind: Kind = KINDS[name](betweenOf(own));
  const { relief = usualRelief, squeeze = usualSqueeze, scale = usualScale, second } = kind;
  const lettering = { size: text, placeDeg, ...kind.letters };
  const another = second && !second.isSame ? otherSize(own, listed, size) : undefined;
  const others = second ? [{ ...lettering, size: another ? spelled(another) : text, placeDeg: placeDeg + second.turnDeg }] : [];
  const clean = await renderSidewall({ ...lettering, seed, spokes, relief, others });
  const { width } = await sharp(clean).metadata();
  const [toWidth, toHeight] = [Math.round(width * scale * squeeze), Math.round(width * scale)];
  const speckles = Buffer.from(gaussianNoise(seeded(-seed - photograph * PHOTOGRAPH_SEEDS), CHANNELS * toWidth * toHeight, grain).buffer);
  const seen = await sharp(clean)
    .resize(toWidth, toHeight, { fit: 'fill' })
    .blur(Math.max(0.3, blurPx * scale))
    .linear(contrast, haze)
    .png()
    .toBuffer();
  const noisy = sharp(seen).composite([
    { input: speckles, raw: { width: toWidth, height: toHeight, channels: CHANNELS }, blend: 'overlay' },
  ]);
  const image = kind.isScan ? await scanned(await noisy.png().toBuffer()) : noisy;
  // Beside digits that are no size, the other text is the only size.
  return { bytes: await image.jpeg({ quality }).toBuffer(), size: another && size ? undefined : (size ?? another), lettering, others };
}

/** Scanners stretch the grey levels, and copiers cut off the lightest and darkest. */
const scanned = async (image: Buffer) => sharp(await sharp(image).greyscale().normalise().png().toBuffer()).linear(2, -60);

const betweenOf = (random: () => number) => (from: number, to: number) => from + (to - from) * random();

const oneOf = <Item>(random: () => number, items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;

function sizeAndText(random: () => number, listed: readonly ListedSize[]): { size: TireSize | undefined; text: string } {
  const common = listed.filter(({ isCommon }) => isCommon);
  const size = random() < NO_SIZE ? undefined : oneOf(random, random() < COMMON && common.length > 0 ? common : listed).size;
  const loadIndex = size && Math.round(usualLoadIndex(size) + besideUsual(random()) + (random() < EXTRA_LOAD ? 4 : 0));
  const speed = random() < WITH_LOAD_INDEX ? oneOf(random, SPEEDS) : undefined;
  const service = speed ? ` ${loadIndex}${speed}` : '';
  return { size, text: size ? `${spelled(size)}${service}` : String(Math.floor(betweenOf(random)(1e6, 1e8))) };
}

const spelled = ({ sectionWidthMm, aspectRatioPercent, rimDiameterInch }: TireSize) =>
  `${sectionWidthMm}/${aspectRatioPercent}R${rimDiameterInch}`;

const otherSize = (random: () => number, listed: readonly ListedSize[], size: TireSize | undefined): TireSize =>
  oneOf(
    random,
    listed.filter((one) => one.size !== size),
  ).size;

/** How clearly an image shows the least clear of its texts. */
export async function legibilityOf({ bytes, lettering, others }: HardWheel): Promise<number> {
  return Math.min(...(await Promise.all([lettering, ...others].map((text) => textLegibility(bytes, text)))));
}

/**
 * How clearly an image shows its letters, up to 1: the correlation of image and letters around the text, after a blur finer than a stroke.
 */
async function textLegibility(bytes: Buffer, lettering: Lettering): Promise<number> {
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const letters = lettersOf(lettering);
  const drawn = emptyField(width, height);
  const places: number[] = [];
  for (let i = 0; i < drawn.data.length; i++) {
    const [x, y] = [onWheel(i % width, width), onWheel(Math.floor(i / width), height)];
    const letter = letters(Math.hypot(x, y), Math.atan2(y, x));
    if (letter === undefined) continue;
    drawn.data[i] = letter;
    places.push(i);
  }
  const letterPx = (WHEEL.letterHeight / WHEEL.side) * height;
  const [shown, meant] = [{ width, height, data: Float32Array.from(data) }, drawn].map((field) => {
    const smooth = smoothed(field, BLUR * letterPx);
    const { mean } = localStatistics(smooth, Math.round(AROUND * letterPx));
    return places.map((i) => smooth.data[i]! - mean.data[i]!);
  }) as [number[], number[]];
  return correlation(shown, meant);
}

/** From pixels to the wheel's coordinates: paint() shades pixel corners. */
const onWheel = (pixel: number, side: number) => WHEEL.side * ((pixel + 0.5) / side - 0.5) - 0.5;

function correlation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [centred(a), centred(b)];
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
}

function centred(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
