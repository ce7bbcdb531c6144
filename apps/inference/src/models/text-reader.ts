import { columns, emptyField, type Field } from '../domain/field';
import { resized } from '../domain/sidewall/enhance';
import type { ScanPass, Line, LineReader } from '../domain/sidewall/line-reader';
import { outlineOf } from '../domain/sidewall/outline';
import { cropOf, onFine, type CropOptions, type TextView } from '../domain/sidewall/text-view';
import { isLegible } from '../domain/sidewall/decoded-text';
import { meanAlong, textBoxes, type TextBox } from '../domain/sidewall/text-boxes';
import { greyscaleImage } from '../imaging/luminance';
import type { Network } from './network';

export interface TextLimits {
  readonly tile_length_px: number;
  readonly text_probability: number;
  readonly min_text_height_px: number;
  readonly max_texts: number;
}

const up32 = (value: number) => Math.max(32, Math.round(value / 32) * 32);

/** That two tiles have in common, at least: text at the edge of an image is seen badly. */
const COMMON_PX = 96;
/** Shorter boxes hold no size. */
const LEAST_ASPECT = 2.8;
/** Of the map of sizes: below it the longest texts come first. */
const LEAST_PROMISE = 0.1;
/** Read the other way up too, however legible it is. */
const LIKELY = 0.5;

/** Where text stands, and what was read there. */
interface Place {
  /** On the coarse sheet. */
  readonly box: TextBox;
  /** How likely a size stands there, as far as the detector can tell. */
  readonly promise: number;
  readonly lines: Line[];
}

const NORMALIZED: CropOptions = { isNormalized: true, isTurned: false, grown: 1 };
const PLAIN: CropOptions = { ...NORMALIZED, isNormalized: false };
const TURNED: CropOptions = { ...NORMALIZED, isTurned: true };
/** Boxes are often too tight, and now and then too wide. */
const OTHERWISE: readonly CropOptions[] = [PLAIN, { ...NORMALIZED, grown: 1.3 }, { ...NORMALIZED, grown: 0.85 }];
/** Of the likeliest size: below it another look does not help. */
const HOPELESS = -10;
/** Nothing clearer is expected the other way up. */
const CLEAR = -2;
/** What is so much less likely than the likeliest is not looked at again. */
const BEHIND = 3;
const MOST_HOPEFUL = 3;
const MOST_TURNED = 4;

/** Finds the texts of a sheet and reads those of them that most promise a size. */
export class TextReader {
  constructor(
    private readonly detector: Pick<Network, 'run'>,
    private readonly recognizer: Pick<Network, 'run'>,
    private readonly reader: Pick<LineReader, 'read'>,
    private readonly limits: TextLimits,
  ) {}

  /**
   * Text is looked for in `view`, the coarse sheet as it is or evened out. Every place is read with its contrast evened out; then those
   * where a size was likely in every other manner, so that no single look decides; where none of them is clear, upside down.
   */
  async read(textView: TextView, view: Field, image: Field): Promise<ScanPass> {
    const readAll = async (places: readonly Place[], options: CropOptions) => {
      for (const { box, lines } of places) {
        const said = this.reader.read((await planesOf(this.recognizer, cropOf(textView, box, options)))[0]!);
        lines.push({ box, outline: outlineOf(onFine(textView, box), textView.toImage, image), ...said });
      }
    };
    const places = await this.placesIn(view);
    await readAll(places, NORMALIZED);
    const hopeful = hopefulOf(places);
    for (const options of OTHERWISE) await readAll(hopeful, options);
    const turned = bestHopeOf(hopeful) > CLEAR ? [] : places.filter(isDoubtful).slice(0, MOST_TURNED).map(asAnotherText);
    await readAll(turned, TURNED);
    for (const options of OTHERWISE) await readAll(hopefulOf(turned), { ...options, isTurned: true });
    return { view, lines: [...places, ...turned].flatMap(({ lines }) => lines) };
  }

  /** The most promising places of text, best first. */
  private async placesIn(view: Field): Promise<Place[]> {
    const [text, sizes] = await this.mapsOf(view);
    const promiseOf = (box: TextBox) => Math.max(LEAST_PROMISE, sizes ? meanAlong(sizes, box) : 0);
    const places = textBoxes(text!, this.limits.text_probability, this.limits.min_text_height_px)
      .filter(({ length, height }) => length >= LEAST_ASPECT * height)
      .map((box): Place => ({ box, promise: promiseOf(box), lines: [] }));
    return places.sort((a, b) => b.promise - a.promise || b.box.length - a.box.length).slice(0, this.limits.max_texts);
  }

  /** Of text and, where the detector has one, of sizes: found in tiles of a shape that it likes and put together again, so that no text is cut. */
  private async mapsOf(view: Field): Promise<Field[]> {
    const length = Math.max(this.limits.tile_length_px, view.height);
    const maps: Field[] = [];
    for (const left of tilesOf(view.width, length)) {
      const tile = columns(view, left, Math.min(length, view.width));
      const found = await planesOf(this.detector, resized(tile, up32(tile.width), up32(tile.height)));
      for (const [i, plane] of found.slice(0, 2).entries()) {
        const map = (maps[i] ??= emptyField(view.width, view.height));
        const part = resized(plane, tile.width, tile.height);
        for (let y = 0; y < part.height; y++) {
          for (let x = 0; x < part.width; x++) {
            const at = y * map.width + left + x;
            map.data[at] = Math.max(map.data[at]!, part.data[y * part.width + x]!);
          }
        }
      }
    }
    return maps;
  }
}

/** The likeliest size that was read there. */
const hopeOf = ({ lines }: Place): number => Math.max(-Infinity, ...lines.map(({ readings }) => readings[0]?.logLikelihood ?? -Infinity));
const bestHopeOf = (places: readonly Place[]): number => Math.max(-Infinity, ...places.map(hopeOf));

const isDoubtful = ({ promise, lines }: Place): boolean => promise >= LIKELY || !lines.some(({ decodedText }) => isLegible(decodedText));
/** A box of its own: what is read the other way up is weighed by itself. */
const asAnotherText = ({ box, promise }: Place): Place => ({ box: { ...box }, promise, lines: [] });

function hopefulOf(places: readonly Place[]): Place[] {
  const least = Math.max(HOPELESS, bestHopeOf(places) - BEHIND);
  return places
    .filter((place) => hopeOf(place) > least)
    .sort((a, b) => hopeOf(b) - hopeOf(a))
    .slice(0, MOST_HOPEFUL);
}

const planesOf = async (network: Pick<Network, 'run'>, view: Field): Promise<Field[]> => [
  ...(await network.run([greyscaleImage(view)]))[0]!.values(),
];

/** Where tiles begin that cover so many columns, each going on a little into the next one. */
function tilesOf(width: number, length: number): number[] {
  const count = Math.max(1, Math.ceil((width - COMMON_PX) / (length - COMMON_PX)));
  return Array.from({ length: count }, (_, i) => (count === 1 ? 0 : Math.round((i * (width - length)) / (count - 1))));
}
