import { z } from 'zod';
import { columns, type Field } from '../domain/field';
import { localContrast, resized } from '../domain/sidewall/enhance';
import { linesOf, type Line, type LineReader, type Look } from '../domain/sidewall/line-reader';
import { sizeIn, type SidewallLimits } from '../domain/sidewall/measure-sidewall';
import { outlineOf, rescaled, type ToPhotograph } from '../domain/sidewall/outline';
import { findRingShape, naturalHeight, onRingShape, scaledRing, unwrapShape, type RingShape } from '../domain/sidewall/ring-shape';
import { cutOut, scaledBox, textBoxes, widthOf, type TextBox } from '../domain/sidewall/text-boxes';
import type { Picture } from '../imaging/decode';
import { luminanceOf, pictureOf, shrunk } from '../imaging/picture';
import { Network, plane } from './network';
import type { Analysis, Model } from './outcome';
import type { Provider, ProviderWish } from './providers';
import type { ModelFolder } from './repository';
import { answered, ConfidenceThresholds, lineReaderOf, limitsOf, type Looking } from './sidewall-answer';

const Thresholds = z.strictObject({
  ...ConfidenceThresholds,
  ring_px: z.number(),
  min_ring_score: z.number(),
  strip_height_px: z.number(),
  max_strip_height_px: z.number(),
  tile_length_px: z.number(),
  plain_px: z.number(),
  text_probability: z.number(),
  min_text_height_px: z.number(),
  max_sizes: z.number(),
  max_texts: z.number(),
});

const RECOGNIZER_HEIGHT_PX = 48;
const RECOGNIZER_MAX_LENGTH_PX = 960;
const up32 = (value: number) => Math.max(32, Math.round(value / 32) * 32);

/** A strip or a photograph in which text is looked for at one scale and read at a finer one. */
interface View {
  readonly fine: Field;
  readonly coarse: Field;
  /** From pixels of the finer one. */
  readonly toPhotograph: ToPhotograph;
}

/** Ring by a network, unwrapping between its two ellipses, places of sizes before those of other texts, both ways up. */
export class SidewallNetworkModel implements Model, Looking {
  readonly limits: SidewallLimits;

  private constructor(
    private readonly ring: Network,
    private readonly detector: Network,
    private readonly recognizer: Network,
    private readonly reader: LineReader,
    private readonly thresholds: z.infer<typeof Thresholds>,
  ) {
    this.limits = limitsOf(thresholds);
  }

  static async load(model: ModelFolder, wish: ProviderWish): Promise<SidewallNetworkModel> {
    const reader = await lineReaderOf(model);
    const ring = await Network.load(model, 'ring', wish);
    const [detector, recognizer] = [await Network.load(model, 'detector', wish), await Network.load(model, 'recognizer', wish)];
    return new SidewallNetworkModel(ring, detector, recognizer, reader, Thresholds.parse(model.manifest.thresholds));
  }

  get providers(): readonly Provider[] {
    return this.detector.providers;
  }

  analyze(pictures: readonly Picture[]): Promise<Analysis[]> {
    return answered(this, pictures);
  }

  async look(picture: Picture): Promise<Look> {
    const luminance = luminanceOf(picture);
    const ring = await this.ringOf(picture);
    const look: Look = { luminance, ring: ring && { score: ring.score, bandPx: naturalHeight(ring) }, isDistant: false, glances: [] };
    if (ring) await this.readStrip(ring, look);
    if (!this.isSettled(look)) await this.readPlain(look);
    return look;
  }

  private isSettled = (look: Look): boolean => sizeIn(linesOf(look), this.limits) !== undefined;

  private async ringOf(picture: Picture): Promise<RingShape | undefined> {
    const scale = this.thresholds.ring_px / Math.max(picture.width, picture.height);
    const small = shrunk(picture, up32(picture.width * scale), up32(picture.height * scale));
    const maps = (await this.ring.run([small]))[0]!;
    const [sidewall, rim] = [plane(maps, 'maps'), plane(maps, 'maps.1')];
    const ring = findRingShape(sidewall, rim);
    if (!ring || ring.score < this.thresholds.min_ring_score) return undefined;
    return scaledRing(ring, picture.width / sidewall.width, picture.height / sidewall.height);
  }

  /** Tiles of a shape that the detector likes. */
  private async readStrip(ring: RingShape, look: Look): Promise<void> {
    const { strip_height_px: height, max_strip_height_px: most, tile_length_px: length } = this.thresholds;
    const fineHeight = Math.round(Math.min(most, Math.max(height, naturalHeight(ring))));
    const raw = unwrapShape(look.luminance, ring, 0.15, fineHeight);
    const clear = localContrast(raw, Math.round(fineHeight / 5));
    const toPhotograph = onRingShape(ring, fineHeight);
    for (const fine of [clear, raw]) {
      const coarse = resized(fine, Math.round((fine.width * height) / fineHeight), height);
      for (let left = 0; left < coarse.width - height; left += length * 0.75) {
        const view = windowOf({ fine, coarse, toPhotograph }, Math.floor(left), Math.min(length, coarse.width - Math.floor(left)));
        await this.readTexts(view, look, this.thresholds.max_sizes);
      }
      if (this.isSettled(look)) return;
    }
  }

  private async readPlain(look: Look): Promise<void> {
    const { luminance } = look;
    const scale = Math.min(1, this.thresholds.plain_px / Math.max(luminance.width, luminance.height));
    const small = resized(luminance, Math.round(luminance.width * scale), Math.round(luminance.height * scale));
    for (const coarse of [localContrast(small, 24), small]) {
      await this.readTexts({ fine: coarse, coarse, toPhotograph: rescaled(small, luminance) }, look, this.thresholds.max_texts);
      if (this.isSettled(look)) return;
    }
  }

  private async readTexts({ fine, coarse, toPhotograph }: View, look: Look, most: number): Promise<void> {
    const fitted = resized(coarse, up32(coarse.width), up32(coarse.height));
    const maps = [...(await this.detector.run([pictureOf(fitted)]))[0]!.values()];
    const { text_probability: threshold, min_text_height_px: minHeight } = this.thresholds;
    const boxes = textBoxes(maps[1]!, threshold, minHeight).filter((box) => box.length >= 2.5 * box.height);
    const scaleX = fine.width / fitted.width;
    const scaleY = fine.height / fitted.height;
    const lines: Line[] = [];
    for (const box of boxes.sort((a, b) => b.length * b.height - a.length * a.height).slice(0, most)) {
      const turned = meanAlong(maps[2]!, box) > 0.5 ? Math.PI : 0;
      const place = { ...scaledBox(box, scaleX, scaleY), angleRad: box.angleRad + turned };
      const width = widthOf(place, RECOGNIZER_HEIGHT_PX, RECOGNIZER_MAX_LENGTH_PX);
      const crop = cutOut(fine, place, width, RECOGNIZER_HEIGHT_PX);
      const frames = [...(await this.recognizer.run([pictureOf(crop)]))[0]!.values()][0]!;
      lines.push({ box, outline: outlineOf(place, toPhotograph, look.luminance), ...this.reader.read(frames) });
    }
    look.glances.push({ view: fitted, lines });
  }
}

function meanAlong(map: Field, { x, y, length, angleRad }: TextBox): number {
  let sum = 0;
  for (let i = 0; i < 9; i++) {
    const along = (i / 8 - 0.5) * 0.8 * length;
    const px = Math.min(map.width - 1, Math.max(0, Math.round(x + along * Math.cos(angleRad))));
    const py = Math.min(map.height - 1, Math.max(0, Math.round(y + along * Math.sin(angleRad))));
    sum += map.data[py * map.width + px]!;
  }
  return sum / 9;
}

function windowOf({ fine, coarse, toPhotograph }: View, left: number, width: number): View {
  const scale = fine.width / coarse.width;
  const fineLeft = Math.round(left * scale);
  return {
    toPhotograph: ({ x, y }) => toPhotograph({ x: x + fineLeft, y }),
    fine: columns(fine, fineLeft, Math.min(Math.round(width * scale), fine.width - fineLeft)),
    coarse: columns(coarse, left, width),
  };
}
