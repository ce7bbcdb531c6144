import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Field } from '../domain/field';
import { findArcCentre } from '../domain/sidewall/ring/arc-centre';
import { resized, smoothed } from '../domain/sidewall/enhance';
import { LineReader, linesOf, type SidewallScan } from '../domain/sidewall/text/line-reader';
import { measureSidewall, sizeIn, type SidewallLimits } from '../domain/sidewall/measure-sidewall';
import { CLEAR_RING, findCircles, findRings } from '../domain/sidewall/ring/ring';
import { naturalHeight, scaledRing, type RingShape } from '../domain/sidewall/ring/ring-shape';
import { normalizedView, plainOf, textViewOf, straightened, stripOf } from '../domain/sidewall/text/text-view';
import { parseSizeTable } from '../domain/sidewall/size/size-decoder';
import type { RgbImage } from '../imaging/decode';
import { luminanceOf } from '../imaging/luminance';
import { Network } from './network';
import type { Measured, Model, Outcome } from './outcome';
import type { Provider, ExecutionOptions } from './providers';
import type { ModelFolder } from './repository';
import { TextReader } from './text-reader';
import { TreadGlance } from './tread-glance';

/** Without a calibration line, a score is its probability. */
const Thresholds = z.strictObject({
  min_confidence: z.number(),
  confidence_slope: z.number().positive().default(1),
  confidence_intercept: z.number().default(0),
  min_band_px: z.number().default(40),
  ring_search_px: z.number(),
  min_ring_score: z.number(),
  strip_height_px: z.number(),
  tile_length_px: z.number(),
  text_probability: z.number(),
  min_text_height_px: z.number(),
  max_texts: z.number(),
});

// Busy images contain many small circles: only a clear one is a wheel.
const DISTANT = { smallestRim: 0.06, large: 0 };
function isDistant(small: Field): boolean {
  const circles = findCircles(small, DISTANT);
  return circles !== undefined && Math.max(circles.dark.ring.score, circles.clear.ring.score) >= CLEAR_RING;
}

/** A share of the strip's height. Letters are at least a fifth of it. */
const SMOOTHING = 0.02;
const PLAIN_PX = 960;
const LARGEST_SCALE = 2;
const PLAIN_AROUND_PX = 24;

export class SidewallModel implements Model {
  readonly limits: SidewallLimits;

  private constructor(
    private readonly texts: TextReader,
    readonly providers: readonly Provider[],
    private readonly thresholds: z.infer<typeof Thresholds>,
    private readonly glance: TreadGlance | undefined,
  ) {
    const { min_confidence, confidence_slope, confidence_intercept, min_band_px } = thresholds;
    const line = { slope: confidence_slope, intercept: confidence_intercept };
    this.limits = { minConfidence: min_confidence, line, minBandPx: min_band_px };
  }

  static async load(model: ModelFolder, execution: ExecutionOptions): Promise<SidewallModel> {
    const { folder, manifest } = model;
    const table = async (name: string) => readFile(join(folder, manifest.tables[name] ?? `no table ${name}`), 'utf8');
    const characters = (await table('characters')).replace(/\n$/, '').split('\n');
    const reader = new LineReader(parseSizeTable(await table('sizes')), characters);
    const [detector, recognizer] = [await Network.load(model, 'detector', execution), await Network.load(model, 'recognizer', execution)];
    const thresholds = Thresholds.parse(manifest.thresholds);
    const texts = new TextReader(detector, recognizer, reader, thresholds);
    return new SidewallModel(texts, detector.providers, thresholds, await TreadGlance.beside(model, execution));
  }

  /** One image at a time: each pass depends on the ones before it. */
  async analyze(images: readonly RgbImage[]): Promise<Measured[]> {
    const analyses: Measured[] = [];
    for (const image of images) {
      const started = performance.now();
      const scan = await this.scan(image);
      const scanned = performance.now();
      const outcome = outcomeOf(scan, this.limits);
      analyses.push({ outcome, modelMs: scanned - started, postMs: performance.now() - scanned });
    }
    return analyses;
  }

  /** Scans an image for text, pass by pass, until a size is sure enough. */
  async scan(image: RgbImage): Promise<SidewallScan> {
    const luminance = luminanceOf(image);
    const scale = Math.min(1, this.thresholds.ring_search_px / Math.max(luminance.width, luminance.height));
    const small = resized(luminance, Math.round(luminance.width * scale), Math.round(luminance.height * scale));
    const rings = this.ringsIn(small).map((ring) => scaledRing(ring, luminance.width / small.width, luminance.height / small.height));
    const [ring] = rings;
    const seen = ring && { score: ring.score, bandPx: naturalHeight(ring) };
    // A close-up has no clear ring, and a whole wheel has bent text.
    const isWhole = rings.some(({ score }) => score >= CLEAR_RING);
    const tread = isWhole || !this.glance ? 'unlikely' : await this.glance.guess(image);
    const scan: SidewallScan = { luminance, ring: seen, isDistant: !ring && tread !== 'surely' && isDistant(small), tread, passes: [] };
    if (tread === 'surely') return scan;
    const strips = rings.map((one) => () => this.readStrip(one, scan));
    const closeUp = () => this.readCloseUp(small, scan);
    const views = isWhole ? [...strips, closeUp] : [closeUp, ...strips.slice(0, 1), () => this.readPlain(scan)];
    for (const readView of views) if (!this.isSettled(scan)) await readView();
    return scan;
  }

  /** Scans the image without looking for a tire, for comparison. */
  async scanPlain(image: RgbImage): Promise<SidewallScan> {
    const scan: SidewallScan = { luminance: luminanceOf(image), ring: undefined, isDistant: false, tread: 'unlikely', passes: [] };
    await this.readPlain(scan);
    return scan;
  }

  private isSettled = (scan: SidewallScan): boolean => sizeIn(linesOf(scan), this.limits) !== undefined;

  private ringsIn = (small: Field): RingShape[] => findRings(small).filter(({ score }) => score >= this.thresholds.min_ring_score);

  /** Reads the strip; where that is not enough, reads it again with a blur: noise is finer than letters. */
  private async readStrip(ring: RingShape, scan: SidewallScan): Promise<void> {
    const strip = stripOf(scan.luminance, ring);
    const height = this.thresholds.strip_height_px;
    for (const fine of [() => strip.fine, () => smoothed(strip.fine, SMOOTHING * strip.fine.height)]) {
      const textView = textViewOf({ ...strip, fine: fine() }, height / strip.fine.height, Math.round(height / 5));
      scan.passes.push(await this.texts.read(textView, normalizedView(textView), scan.luminance));
      if (this.isSettled(scan)) return;
    }
  }

  private async readCloseUp(small: Field, scan: SidewallScan): Promise<void> {
    const centre = findArcCentre(small);
    if (!centre) return;
    const { luminance } = scan;
    const [scaleX, scaleY] = [luminance.width / small.width, luminance.height / small.height];
    const straight = straightened(luminance, { x: centre.x * scaleX, y: centre.y * scaleY });
    const scale = Math.min(LARGEST_SCALE, PLAIN_PX / Math.max(straight.fine.width, straight.fine.height));
    for (const one of [scale, scale / 2]) {
      const textView = textViewOf(straight, one, PLAIN_AROUND_PX);
      scan.passes.push(await this.texts.read(textView, normalizedView(textView), luminance));
      if (this.isSettled(scan)) return;
    }
  }

  private async readPlain(scan: SidewallScan): Promise<void> {
    const { width, height } = scan.luminance;
    const textView = textViewOf(plainOf(scan.luminance), Math.min(LARGEST_SCALE, PLAIN_PX / Math.max(width, height)), PLAIN_AROUND_PX);
    for (const field of scan.ring ? [normalizedView(textView)] : [textView.coarse, normalizedView(textView)]) {
      scan.passes.push(await this.texts.read(textView, field, scan.luminance));
      if (this.isSettled(scan)) return;
    }
  }
}

function outcomeOf(scan: SidewallScan, limits: SidewallLimits): Outcome {
  const { measurement, reasons } = measureSidewall(scan, limits, new Date());
  return measurement ? { kind: 'sidewall', measurement, reasons } : { kind: 'error', errorCode: 'sidewall_not_found', reasons };
}
