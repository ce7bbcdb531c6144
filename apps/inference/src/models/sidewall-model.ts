import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Field } from '../domain/field';
import { findArcCentre } from '../domain/sidewall/ring/arc-centre';
import { resized, smoothed } from '../domain/sidewall/enhance';
import { LineReader, linesOf, type ScanPass, type SidewallScan } from '../domain/sidewall/text/line-reader';
import { isSettled, measureSidewall, type SidewallLimits } from '../domain/sidewall/measure-sidewall';
import { CLEAR_RING, findCircles, findRings } from '../domain/sidewall/ring/ring';
import { naturalHeight, scaledRing, type RingShape } from '../domain/sidewall/ring/ring-shape';
import { normalizedView, plainOf, textViewOf, straightened, stripAround, stripOf, type Fine } from '../domain/sidewall/text/text-view';
import type { TextBox } from '../domain/sidewall/text/text-boxes';
import { parseSizeTable } from '../domain/sidewall/size/size-decoder';
import type { RgbImage } from '../imaging/decode';
import { luminanceOf } from '../imaging/luminance';
import { Network } from './network';
import type { Measured, Model, Outcome } from './outcome';
import type { Provider, ExecutionOptions } from './providers';
import { type ModelFolder, repositoryOf } from './repository';
import { TextReader, type Budget, type ReadLimits } from './text-reader';
import { TreadGlance } from './tread-glance';

/** Without a calibration line, a score is its probability. */
const Thresholds = z.strictObject({
  min_confidence: z.number(),
  /** Probability from which an unread size is worth a question to a person. */
  min_guess: z.number().default(0.1),
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
  /** Runs of the recognizer for one image. */
  max_runs: z.number().default(40),
});

// Busy images contain many small circles: only a clear one is a wheel.
const DISTANT = { smallestRim: 0.06, large: 0 };
function isDistant(small: Field): boolean {
  const circles = findCircles(small, DISTANT);
  return circles !== undefined && Math.max(circles.dark.ring.score, circles.clear.ring.score) >= CLEAR_RING;
}

/** A share of the strip's height. Letters are at least a fifth of it. */
const SMOOTHING = 0.02;
/**
 * Log likelihood of a strip's best size: above the first one the strip is read again with a blur, above the second one only around that size.
 * Of 23 rendered wheels that a blur of the whole strip reads, two have less than the first, and two are not read by the blur of a part.
 */
const [PROMISING, LIKELY] = [-5, -4];
/** In a blurred strip, a size is among the four most promising texts. */
const TEXTS_AGAIN = 4;
const MAX_TURNED = 4;
const PLAIN_PX = 960;
const LARGEST_SCALE = 2;
const PLAIN_AROUND_PX = 24;

export class SidewallModel implements Model {
  readonly limits: SidewallLimits;

  private constructor(
    private readonly texts: TextReader,
    readonly providers: readonly Provider[],
    private readonly thresholds: z.infer<typeof Thresholds>,
    private readonly glance: TreadGlance,
  ) {
    const { min_confidence, min_guess, confidence_slope, confidence_intercept, min_band_px } = thresholds;
    const line = { slope: confidence_slope, intercept: confidence_intercept };
    this.limits = { minConfidence: min_confidence, minGuess: min_guess, line, minBandPx: min_band_px };
  }

  static async load(model: ModelFolder, execution: ExecutionOptions): Promise<SidewallModel> {
    const { folder, manifest } = model;
    const table = async (name: string) => readFile(join(folder, manifest.tables[name] ?? `no table ${name}`), 'utf8');
    const characters = (await table('characters')).replace(/\n$/, '').split('\n');
    const reader = new LineReader(parseSizeTable(await table('sizes')), characters);
    const [detector, recognizer] = [await Network.load(model, 'detector', execution), await Network.load(model, 'recognizer', execution)];
    const thresholds = Thresholds.parse(manifest.thresholds);
    const texts = new TextReader(detector, recognizer, reader, thresholds);
    return new SidewallModel(texts, detector.providers, thresholds, new TreadGlance(repositoryOf(model), execution));
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

  /** Scans an image for text, pass by pass, until a size is sure enough or two sizes contradict each other. */
  async scan(image: RgbImage): Promise<SidewallScan> {
    const luminance = luminanceOf(image);
    const scale = Math.min(1, this.thresholds.ring_search_px / Math.max(luminance.width, luminance.height));
    const small = resized(luminance, Math.round(luminance.width * scale), Math.round(luminance.height * scale));
    const rings = this.ringsIn(small).map((ring) => scaledRing(ring, luminance.width / small.width, luminance.height / small.height));
    const [ring] = rings;
    const seen = ring && { score: ring.score, bandPx: naturalHeight(ring) };
    // A close-up has no clear ring, and a whole wheel has bent text.
    const isWhole = rings.some(({ score }) => score >= CLEAR_RING);
    const tread = isWhole ? 'unlikely' : await this.glance.guess(image);
    const scan: SidewallScan = { luminance, ring: seen, isDistant: !ring && tread !== 'surely' && isDistant(small), tread, passes: [] };
    if (tread === 'surely') return scan;
    const budget: Budget = { runs: this.thresholds.max_runs };
    const strips = (of: readonly RingShape[]) => () => this.readStrips(of, scan, budget);
    const closeUp = () => this.readCloseUp(small, scan, budget);
    const views = isWhole ? [strips(rings), closeUp] : [closeUp, strips(rings.slice(0, 1)), () => this.readPlain(scan, budget)];
    for (const readView of views) if (!this.isDone(scan, budget)) await readView();
    return scan;
  }

  /** Scans the image without looking for a tire, for comparison. */
  async scanPlain(image: RgbImage): Promise<SidewallScan> {
    const scan: SidewallScan = { luminance: luminanceOf(image), ring: undefined, isDistant: false, tread: 'unlikely', passes: [] };
    await this.readPlain(scan, { runs: Infinity });
    return scan;
  }

  private isDone = (scan: SidewallScan, { runs }: Budget): boolean => runs === 0 || isSettled(linesOf(scan), this.limits);

  private ringsIn = (small: Field): RingShape[] => findRings(small).filter(({ score }) => score >= this.thresholds.min_ring_score);

  /**
   * Reads each strip. Where that is not enough, the most promising texts of the better one are read again with a blur, because noise is
   * finer than letters: around the likeliest size, or all over where none is likely.
   */
  private async readStrips(rings: readonly RingShape[], scan: SidewallScan, budget: Budget): Promise<void> {
    let better: { strip: Fine; view: Field; best: Likeliest } | undefined;
    for (const ring of rings) {
      const strip = stripOf(scan.luminance, ring);
      const pass = await this.readStrip(strip, scan, this.allTexts(budget));
      if (this.isDone(scan, budget)) return;
      const best = likeliestIn(pass);
      if (best && best.logLikelihood > (better?.best.logLikelihood ?? PROMISING)) better = { strip, view: pass.view, best };
    }
    if (!better) return;
    const { strip, view, best } = better;
    const part = best.logLikelihood < LIKELY ? strip : stripAround(strip, view, best.box, this.thresholds.tile_length_px);
    const blurred = { ...part, fine: smoothed(part.fine, SMOOTHING * part.fine.height) };
    await this.readStrip(blurred, scan, { budget, texts: TEXTS_AGAIN, turnedTexts: 0 });
  }

  private async readStrip(strip: Fine, scan: SidewallScan, limits: ReadLimits): Promise<ScanPass> {
    const height = this.thresholds.strip_height_px;
    const textView = textViewOf(strip, height / strip.fine.height, Math.round(height / 5));
    const pass = await this.texts.read(textView, normalizedView(textView), scan.luminance, limits);
    scan.passes.push(pass);
    return pass;
  }

  private allTexts = (budget: Budget): ReadLimits => ({ budget, texts: this.thresholds.max_texts, turnedTexts: MAX_TURNED });

  private async readCloseUp(small: Field, scan: SidewallScan, budget: Budget): Promise<void> {
    const centre = findArcCentre(small);
    if (!centre) return;
    const { luminance } = scan;
    const [scaleX, scaleY] = [luminance.width / small.width, luminance.height / small.height];
    const straight = straightened(luminance, { x: centre.x * scaleX, y: centre.y * scaleY });
    const scale = Math.min(LARGEST_SCALE, PLAIN_PX / Math.max(straight.fine.width, straight.fine.height));
    for (const one of [scale, scale / 2]) {
      const textView = textViewOf(straight, one, PLAIN_AROUND_PX);
      scan.passes.push(await this.texts.read(textView, normalizedView(textView), luminance, this.allTexts(budget)));
      if (this.isDone(scan, budget)) return;
    }
  }

  private async readPlain(scan: SidewallScan, budget: Budget): Promise<void> {
    const { width, height } = scan.luminance;
    const textView = textViewOf(plainOf(scan.luminance), Math.min(LARGEST_SCALE, PLAIN_PX / Math.max(width, height)), PLAIN_AROUND_PX);
    for (const field of scan.ring ? [normalizedView(textView)] : [textView.coarse, normalizedView(textView)]) {
      scan.passes.push(await this.texts.read(textView, field, scan.luminance, this.allTexts(budget)));
      if (this.isDone(scan, budget)) return;
    }
  }
}

interface Likeliest {
  readonly box: TextBox;
  readonly logLikelihood: number;
}

/** Where a pass shows the likeliest size. */
function likeliestIn({ lines }: ScanPass): Likeliest | undefined {
  const sizes = lines.flatMap(({ box, readings }) => readings.slice(0, 1).map(({ logLikelihood }) => ({ box, logLikelihood })));
  return sizes.toSorted((a, b) => b.logLikelihood - a.logLikelihood)[0];
}

function outcomeOf(scan: SidewallScan, limits: SidewallLimits): Outcome {
  const { measurement, reasons } = measureSidewall(scan, limits, new Date());
  return measurement ? { kind: 'sidewall', measurement, reasons } : { kind: 'error', errorCode: 'sidewall_not_found', reasons };
}
