import { z } from 'zod';
import type { Field } from '../domain/field';
import { localContrast, resized } from '../domain/sidewall/enhance';
import { linesOf, type Line, type LineReader, type Look } from '../domain/sidewall/line-reader';
import { sizeIn, type SidewallLimits } from '../domain/sidewall/measure-sidewall';
import { outlineOf, rescaled, type ToPhotograph } from '../domain/sidewall/outline';
import { findRing, onRing, unwrap, type Ring } from '../domain/sidewall/ring';
import { cutOut, textBoxes } from '../domain/sidewall/text-boxes';
import type { Picture } from '../imaging/decode';
import { luminanceOf, pictureOf } from '../imaging/picture';
import { Network } from './network';
import type { Analysis, Model } from './outcome';
import type { Provider, ProviderWish } from './providers';
import type { ModelFolder } from './repository';
import { answered, ConfidenceThresholds, lineReaderOf, limitsOf, type Looking } from './sidewall-answer';

const Thresholds = z.strictObject({
  ...ConfidenceThresholds,
  ring_search_px: z.number(),
  min_ring_score: z.number(),
  strip_height_px: z.number(),
  tile_length_px: z.number(),
  text_probability: z.number(),
  min_text_height_px: z.number(),
  max_texts: z.number(),
});

const RECOGNIZER_HEIGHT_PX = 48;
const RECOGNIZER_MAX_LENGTH_PX = 960;
const up32 = (value: number) => Math.max(32, Math.round(value / 32) * 32);

// Small circles are found in anything that is busy: one that is to be a wheel has to be clear.
const DISTANT_RIM = 0.06;
const CLEAR_RING = 0.5;
const isDistant = (small: Field): boolean => (findRing(small, DISTANT_RIM)?.score ?? 0) >= CLEAR_RING;

/** A part of the photograph in which text is looked for. */
interface View {
  readonly field: Field;
  readonly toPhotograph: ToPhotograph;
}

export class SidewallModel implements Model, Looking {
  readonly limits: SidewallLimits;

  private constructor(
    private readonly detector: Network,
    private readonly recognizer: Network,
    private readonly reader: LineReader,
    private readonly thresholds: z.infer<typeof Thresholds>,
  ) {
    this.limits = limitsOf(thresholds);
  }

  static async load(model: ModelFolder, wish: ProviderWish): Promise<SidewallModel> {
    const reader = await lineReaderOf(model);
    const [detector, recognizer] = [await Network.load(model, 'detector', wish), await Network.load(model, 'recognizer', wish)];
    return new SidewallModel(detector, recognizer, reader, Thresholds.parse(model.manifest.thresholds));
  }

  get providers(): readonly Provider[] {
    return this.detector.providers;
  }

  analyze(pictures: readonly Picture[]): Promise<Analysis[]> {
    return answered(this, pictures);
  }

  async look(picture: Picture): Promise<Look> {
    const luminance = luminanceOf(picture);
    const { ring, isDistant } = this.ringOf(luminance);
    const look: Look = { luminance, ring: ring && { score: ring.score, bandPx: ring.outer - ring.inner }, isDistant, glances: [] };
    if (ring) await this.readStrips(ring, look);
    if (!this.isSettled(look)) await this.readPlain(look);
    return look;
  }

  private isSettled = (look: Look): boolean => sizeIn(linesOf(look), this.limits) !== undefined;

  private ringOf(luminance: Field): { ring?: Ring; isDistant: boolean } {
    const scale = Math.max(1, Math.max(luminance.width, luminance.height) / this.thresholds.ring_search_px);
    const small = resized(luminance, Math.round(luminance.width / scale), Math.round(luminance.height / scale));
    const ring = findRing(small);
    if (!ring || ring.score < this.thresholds.min_ring_score) return { isDistant: isDistant(small) };
    const { x, y, inner, outer, score } = ring;
    return { ring: { x: x * scale, y: y * scale, inner: inner * scale, outer: outer * scale, score }, isDistant: false };
  }

  /** Tiles of a shape that the detector likes; when nothing is read with contrast evened out, as the photograph has it. */
  private async readStrips(ring: Ring, look: Look): Promise<void> {
    const { strip_height_px: height, tile_length_px: length } = this.thresholds;
    const raw = unwrap(look.luminance, ring, 0.12);
    const strip = resized(raw, Math.round((raw.width * height) / raw.height), height);
    const [toRaw, toRing] = [rescaled(strip, raw), onRing(ring)];
    for (const upright of [localContrast(strip, Math.round(height / 5)), strip]) {
      for (let left = 0; left < upright.width; left += length * 0.75) {
        const first = Math.floor(left);
        const field = window(upright, first, Math.min(length, upright.width - first));
        const view = { field, toPhotograph: ({ x, y }: { x: number; y: number }) => toRing(toRaw({ x: x + first, y })) };
        if (field.width >= height) await this.readTexts(view, look);
      }
      if (this.isSettled(look)) return;
    }
  }

  private async readPlain(look: Look): Promise<void> {
    const { luminance } = look;
    const scale = Math.min(1, 960 / Math.max(luminance.width, luminance.height));
    const small = resized(luminance, Math.round(luminance.width * scale), Math.round(luminance.height * scale));
    for (const field of [small, localContrast(small, 24)]) {
      await this.readTexts({ field, toPhotograph: rescaled(small, luminance) }, look);
      if (this.isSettled(look)) return;
    }
  }

  private async readTexts({ field, toPhotograph }: View, look: Look): Promise<void> {
    const fitted = resized(field, up32(field.width), up32(field.height));
    const toView = rescaled(fitted, field);
    const probability = await firstPlane(this.detector, fitted);
    const boxes = textBoxes(probability, this.thresholds.text_probability, this.thresholds.min_text_height_px);
    const longest = boxes.sort((a, b) => b.length - a.length).slice(0, this.thresholds.max_texts);
    const lines: Line[] = [];
    for (const box of longest) {
      if (box.length < 2.5 * box.height) continue;
      const crop = cutOut(fitted, box, RECOGNIZER_HEIGHT_PX, RECOGNIZER_MAX_LENGTH_PX);
      const read = this.reader.read(await firstPlane(this.recognizer, crop));
      lines.push({ box, outline: outlineOf(box, (point) => toPhotograph(toView(point)), look.luminance), ...read });
    }
    look.glances.push({ view: fitted, lines });
  }
}

const firstPlane = async (network: Network, view: Field): Promise<Field> => [...(await network.run([pictureOf(view)]))[0]!.values()][0]!;

function window(field: Field, left: number, width: number): Field {
  const data = new Float32Array(width * field.height);
  for (let y = 0; y < field.height; y++) data.set(field.data.subarray(y * field.width + left, y * field.width + left + width), y * width);
  return { width, height: field.height, data };
}
