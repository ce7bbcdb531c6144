import { columns, emptyField, type Field } from '../domain/field';
import { resized } from '../domain/sidewall/enhance';
import type { ScanPass, Line, LineReader } from '../domain/sidewall/text/line-reader';
import { outlineOf } from '../domain/sidewall/text/outline';
import { cropOf, onFine, type CropOptions, type TextView } from '../domain/sidewall/text/text-view';
import { isLegible } from '../domain/sidewall/text/decoded-text';
import { meanAlong, textBoxes, type TextBox } from '../domain/sidewall/text/text-boxes';
import type { Network } from './network';

export interface TextLimits {
  readonly tile_length_px: number;
  readonly text_probability: number;
  readonly min_text_height_px: number;
  readonly max_texts: number;
}

const up32 = (value: number) => Math.max(32, Math.round(value / 32) * 32);

/** Minimum overlap of two tiles: detectors miss text at the edge of an image. */
const COMMON_PX = 96;
/** Shorter boxes contain no size. */
const MIN_ASPECT = 2.8;
/** A value of the map of sizes. Below it, boxes are ranked by length. */
const MIN_PROMISE = 0.1;
/** Above it, a box is also read upside down, however legible it is. */
const LIKELY = 0.5;

/** How many more runs of the recognizer an image may cost. */
export interface Budget {
  runs: number;
}

export interface ReadLimits {
  readonly budget: Budget;
  /** Texts of the view that are read, the most promising ones. */
  readonly texts: number;
  /** Texts that are read upside down where no size is clear. */
  readonly turnedTexts: number;
}

/** A text, and what was read there. */
interface Place {
  /** The box on the coarse field. */
  readonly box: TextBox;
  /** Probability of a size, as the detector estimates it. */
  readonly promise: number;
  readonly lines: Line[];
}

const NORMALIZED: CropOptions = { isNormalized: true, isTurned: false, grown: 1 };
const PLAIN: CropOptions = { ...NORMALIZED, isNormalized: false };
const TURNED: CropOptions = { ...NORMALIZED, isTurned: true };
/** Boxes are often too tight, and sometimes too wide. */
const OTHER_CROPS: readonly CropOptions[] = [PLAIN, { ...NORMALIZED, grown: 1.3 }, { ...NORMALIZED, grown: 0.85 }];
/** So many texts are read first. The others are read only where the likeliest size of these has a lower log likelihood. */
const FIRST_TEXTS = 6;
const LIKELY_SIZE = -1;
/** Log likelihood of the best size, below which further readings do not help. */
const MIN_LOG_LIKELIHOOD = -7;
/** Below it, only the likeliest place is read again. */
const UNLIKELY = -4;
/** Above it, reading upside down cannot help. */
const CLEAR = -2;
/** Places that are less likely by more than this are not read again. */
const MAX_BEHIND_BEST = 3;
const MAX_LIKELY = 3;

/** Detects the texts of a view and reads those that most promise a size. */
export class TextReader {
  constructor(
    private readonly detector: Pick<Network, 'runGrey'>,
    private readonly recognizer: Pick<Network, 'runGrey'>,
    private readonly reader: Pick<LineReader, 'read'>,
    private readonly limits: TextLimits,
  ) {}

  /**
   * Text is detected in `view`, the coarse field with or without contrast normalization. Places are read with normalized contrast, the most
   * promising first. Places with a likely size are read with all other crop options, so that no single reading decides. Where no size is
   * clear, places are read upside down. Nothing more is read once the budget is spent.
   */
  async read(textView: TextView, view: Field, image: Field, { budget, texts, turnedTexts }: ReadLimits): Promise<ScanPass> {
    let recognitions = 0;
    const readAll = async (places: readonly Place[], options: CropOptions) => {
      for (const { box, lines } of places) {
        if (budget.runs === 0) return;
        budget.runs -= 1;
        recognitions += 1;
        const reading = this.reader.read((await this.recognizer.runGrey(cropOf(textView, box, options)))[0]!);
        lines.push({ box, outline: outlineOf(onFine(textView, box), textView.toImage, image), ...reading });
      }
    };
    const places = (await this.placesIn(view)).slice(0, texts);
    await readAll(places.slice(0, FIRST_TEXTS), NORMALIZED);
    if (bestLogLikelihood(places) < LIKELY_SIZE) await readAll(places.slice(FIRST_TEXTS), NORMALIZED);
    const likely = likelyPlaces(places);
    for (const options of OTHER_CROPS) await readAll(likely, options);
    const turned = bestLogLikelihood(likely) > CLEAR ? [] : places.filter(mayBeUpsideDown).slice(0, turnedTexts).map(asSeparateText);
    await readAll(turned, TURNED);
    for (const options of OTHER_CROPS) await readAll(likelyPlaces(turned), { ...options, isTurned: true });
    const lines = [...places, ...turned].flatMap((place) => place.lines);
    return { view, lines, detections: this.tilesOf(view).length, recognitions };
  }

  /** The most promising places, best first. */
  private async placesIn(view: Field): Promise<Place[]> {
    const [text, sizes] = await this.mapsOf(view);
    const promiseOf = (box: TextBox) => Math.max(MIN_PROMISE, sizes ? meanAlong(sizes, box) : 0);
    const places = textBoxes(text!, this.limits.text_probability, this.limits.min_text_height_px)
      .filter(({ length, height }) => length >= MIN_ASPECT * height)
      .map((box): Place => ({ box, promise: promiseOf(box), lines: [] }));
    return places.sort((a, b) => b.promise - a.promise || b.box.length - a.box.length).slice(0, this.limits.max_texts);
  }

  /**
   * Maps of text and, where the detector has one, of sizes. The view is split into overlapping tiles and the results are merged, so that no
   * text is cut.
   */
  private async mapsOf(view: Field): Promise<Field[]> {
    const length = Math.min(this.tileLength(view), view.width);
    const maps: Field[] = [];
    let done = 0;
    for (const left of this.tilesOf(view)) {
      const tile = columns(view, left, length);
      const found = await this.detector.runGrey(resized(tile, up32(tile.width), up32(tile.height)));
      for (const [i, plane] of found.slice(0, 2).entries()) {
        const map = (maps[i] ??= emptyField(view.width, view.height));
        mergeColumns(map, resized(plane, tile.width, tile.height), left, done);
      }
      done = left + length;
    }
    return maps;
  }

  private tileLength = (view: Field): number => Math.max(this.limits.tile_length_px, view.height);

  private tilesOf = (view: Field): number[] => tilesOf(view.width, this.tileLength(view));
}

/** Log likelihood of the best size read there. */
const logLikelihoodOf = ({ lines }: Place): number =>
  Math.max(-Infinity, ...lines.map(({ readings }) => readings[0]?.logLikelihood ?? -Infinity));
const bestLogLikelihood = (places: readonly Place[]): number => Math.max(-Infinity, ...places.map(logLikelihoodOf));

const mayBeUpsideDown = ({ promise, lines }: Place): boolean =>
  promise >= LIKELY || !lines.some(({ decodedText }) => isLegible(decodedText));
/** A new box, so that what is read upside down is weighed separately. */
const asSeparateText = ({ box, promise }: Place): Place => ({ box: { ...box }, promise, lines: [] });

function likelyPlaces(places: readonly Place[]): Place[] {
  const best = bestLogLikelihood(places);
  const least = Math.max(MIN_LOG_LIKELIHOOD, best - MAX_BEHIND_BEST);
  return places
    .filter((place) => logLikelihoodOf(place) > least)
    .sort((a, b) => logLikelihoodOf(b) - logLikelihoodOf(a))
    .slice(0, best < UNLIKELY ? 1 : MAX_LIKELY);
}

/** Keeps the larger value of each pixel of the columns before `done`, which have a value. */
function mergeColumns({ width, data }: Field, part: Field, left: number, done: number): void {
  for (let y = 0; y < part.height; y++) {
    const [to, from] = [y * width + left, y * part.width];
    const common = Math.max(0, done - left);
    for (let x = 0; x < common; x++) if (part.data[from + x]! > data[to + x]!) data[to + x] = part.data[from + x]!;
    data.set(part.data.subarray(from + common, from + part.width), to + common);
  }
}

/** Left edges of overlapping tiles that cover the width. */
function tilesOf(width: number, length: number): number[] {
  const count = Math.max(1, Math.ceil((width - COMMON_PX) / (length - COMMON_PX)));
  return Array.from({ length: count }, (_, i) => (count === 1 ? 0 : Math.round((i * (width - length)) / (count - 1))));
}
