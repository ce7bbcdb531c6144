import { z } from 'zod';
import { columns, emptyField, type Field } from '../domain/field';
import { findBend } from '../domain/sidewall/bend';
import { resized } from '../domain/sidewall/enhance';
import { linesOf, type Glance, type Line, type LineReader, type Look } from '../domain/sidewall/line-reader';
import { sizeIn, type SidewallLimits } from '../domain/sidewall/measure-sidewall';
import { outlineOf } from '../domain/sidewall/outline';
import { findCircles, findRings } from '../domain/sidewall/ring';
import { naturalHeight, scaledRing, type RingShape } from '../domain/sidewall/ring-shape';
import { cropOf, evenedSheet, onFine, plainOf, sheetOf, straightened, stripOf, type Manner, type Sheet } from '../domain/sidewall/sheet';
import { isLegible } from '../domain/sidewall/spelled';
import { meanAlong, textBoxes, type TextBox } from '../domain/sidewall/text-boxes';
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

const up32 = (value: number) => Math.max(32, Math.round(value / 32) * 32);

// Small circles are found in anything that is busy: one that is to be a wheel has to be clear.
const DISTANT_RIM = 0.06;
const CLEAR_RING = 0.5;
function isDistant(small: Field): boolean {
  const circles = findCircles(small, DISTANT_RIM);
  return circles !== undefined && Math.max(circles.dark.ring.score, circles.clear.ring.score) >= CLEAR_RING;
}

/** That two tiles have in common, at least: text at the edge of a picture is seen badly. */
const COMMON_PX = 96;
const PLAIN_PX = 960;
const PLAIN_AROUND_PX = 24;
/** Shorter boxes hold no size. */
const LEAST_ASPECT = 2.8;
/** Of the map of sizes: below it the longest texts come first. */
const LEAST_PROMISE = 0.1;
/** Read the other way up too, however legible it is. */
const LIKELY = 0.5;

/** Where text stands. */
interface Place {
  readonly sheet: Sheet;
  /** On the coarse sheet. */
  readonly box: TextBox;
  /** How likely a size stands there, as far as the detector can tell. */
  readonly promise: number;
  readonly glance: Glance;
}

const EVENED: Manner = { isEvened: true, isTurned: false, grown: 1 };
const PLAIN: Manner = { ...EVENED, isEvened: false };
const TURNED: Manner = { ...EVENED, isTurned: true };
/** Boxes are often too tight, and now and then too wide. */
const OTHERWISE: readonly Manner[] = [PLAIN, { ...EVENED, grown: 1.3 }, { ...EVENED, grown: 0.85 }];
/** Of the likeliest size: below it another look does not help. */
const HOPELESS = -10;
/** Nothing clearer is expected the other way up. */
const CLEAR = -2;
/** What is so much less likely than the likeliest is not looked at again. */
const BEHIND = 3;
const MOST_HOPEFUL = 3;
const MOST_TURNED = 4;
/** So many places are read, then so many more until a size is plain to see. */
const AT_ONCE = 4;
const PLAIN_TO_SEE = -0.05;

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
    const scale = Math.min(1, this.thresholds.ring_search_px / Math.max(luminance.width, luminance.height));
    const small = resized(luminance, Math.round(luminance.width * scale), Math.round(luminance.height * scale));
    const rings = this.ringsIn(small).map((ring) => scaledRing(ring, luminance.width / small.width, luminance.height / small.height));
    const [ring] = rings;
    const seen = ring && { score: ring.score, bandPx: naturalHeight(ring) };
    const look: Look = { luminance, ring: seen, isDistant: !ring && isDistant(small), glances: [] };
    const strips = rings.map((one) => () => this.readStrip(one, look));
    // A close-up shows no clear ring; a wheel as it is has bent text.
    const isWhole = rings.some(({ score }) => score >= CLEAR_RING);
    const views = isWhole ? strips : [() => this.readCloseUp(small, look), ...strips.slice(0, 1), () => this.readPlain(look)];
    for (const readView of views) if (!this.isSettled(look)) await readView();
    return look;
  }

  private isSettled = (look: Look): boolean => sizeIn(linesOf(look), this.limits) !== undefined;

  private ringsIn = (small: Field): RingShape[] => findRings(small).filter(({ score }) => score >= this.thresholds.min_ring_score);

  /** Found at one scale, read at the photograph's own; where that is not enough, large letters are found at half of it. */
  private async readStrip(ring: RingShape, look: Look): Promise<void> {
    const strip = stripOf(look.luminance, ring);
    for (const height of [this.thresholds.strip_height_px, this.thresholds.strip_height_px / 2]) {
      const sheet = sheetOf(strip, height / strip.fine.height, Math.round(height / 5));
      await this.read(sheet, evenedSheet(sheet), look);
      if (this.isSettled(look)) return;
    }
  }

  private async readCloseUp(small: Field, look: Look): Promise<void> {
    const centre = findBend(small);
    if (!centre) return;
    const scale = look.luminance.width / small.width;
    const straight = straightened(look.luminance, { x: centre.x * scale, y: centre.y * scale });
    for (const longSide of [PLAIN_PX, PLAIN_PX / 2]) {
      const sheet = sheetOf(straight, longSide / Math.max(straight.fine.width, straight.fine.height), PLAIN_AROUND_PX);
      await this.read(sheet, evenedSheet(sheet), look);
      if (this.isSettled(look)) return;
    }
  }

  private async readPlain(look: Look): Promise<void> {
    const { width, height } = look.luminance;
    const sheet = sheetOf(plainOf(look.luminance), Math.min(2, PLAIN_PX / Math.max(width, height)), PLAIN_AROUND_PX);
    for (const field of look.ring ? [evenedSheet(sheet)] : [sheet.coarse, evenedSheet(sheet)]) {
      await this.read(sheet, field, look);
      if (this.isSettled(look)) return;
    }
  }

  /** Maps of text and, where the detector has one, of sizes: found in tiles of a shape that it likes and put together again, so that no text is cut. */
  private async textIn(view: Field): Promise<Field[]> {
    const length = Math.max(this.thresholds.tile_length_px, view.height);
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

  /** Every place with its contrast evened out; then those that promise a size in every other manner, so that no single look decides; where none of them is clear, upside down. */
  private async read(sheet: Sheet, view: Field, look: Look): Promise<void> {
    const [text, sizes] = await this.textIn(view);
    const boxes = textBoxes(text!, this.thresholds.text_probability, this.thresholds.min_text_height_px);
    const promise = (box: TextBox) => Math.max(LEAST_PROMISE, sizes ? meanAlong(sizes, box) : 0);
    const long = boxes.filter(({ length, height }) => length >= LEAST_ASPECT * height).map((box) => ({ box, promise: promise(box) }));
    const glance: Glance = { view, lines: [] };
    look.glances.push(glance);
    const likely = long.sort((a, b) => b.promise - a.promise || b.box.length - a.box.length).slice(0, this.thresholds.max_texts);
    const places = likely.map(({ box, promise }): Place => ({ sheet, box, promise, glance }));
    for (let from = 0; from < places.length && !places.some((place) => hopeOf(place) > PLAIN_TO_SEE); from += AT_ONCE) {
      await this.readAll(places.slice(from, from + AT_ONCE), EVENED, look);
    }
    const hopeful = hopefulOf(places);
    for (const manner of OTHERWISE) await this.readAll(hopeful, manner, look);
    if (hopeful.some((place) => hopeOf(place) > CLEAR)) return;
    const isLegibleAt = (place: Place) => linesAt(place).some(({ spelled }) => isLegible(spelled));
    const doubtful = places.filter((place) => place.promise >= LIKELY || !isLegibleAt(place)).slice(0, MOST_TURNED);
    // Boxes of their own: what is read the other way up is another text.
    const turned = doubtful.map((place): Place => ({ ...place, box: { ...place.box } }));
    await this.readAll(turned, TURNED, look);
    for (const manner of OTHERWISE) await this.readAll(hopefulOf(turned), { ...manner, isTurned: true }, look);
  }

  private async readAll(places: readonly Place[], manner: Manner, look: Look): Promise<void> {
    for (const place of places) {
      const read = this.reader.read((await planesOf(this.recognizer, cropOf(place.sheet, place.box, manner)))[0]!);
      const outline = outlineOf(onFine(place.sheet, place.box), place.sheet.toPhotograph, look.luminance);
      place.glance.lines.push({ box: place.box, outline, ...read });
    }
  }
}

const linesAt = ({ glance, box }: Place): Line[] => glance.lines.filter((line) => line.box === box);
/** The likeliest size that was read there. */
const hopeOf = (place: Place): number =>
  Math.max(-Infinity, ...linesAt(place).flatMap(({ readings }) => readings.slice(0, 1).map(({ logLikelihood }) => logLikelihood)));

function hopefulOf(places: readonly Place[]): Place[] {
  const best = Math.max(-Infinity, ...places.map(hopeOf));
  const hopes = places.map((place) => ({ place, hope: hopeOf(place) })).filter(({ hope }) => hope > Math.max(HOPELESS, best - BEHIND));
  return hopes
    .sort((a, b) => b.hope - a.hope)
    .slice(0, MOST_HOPEFUL)
    .map(({ place }) => place);
}

const planesOf = async (network: Network, view: Field): Promise<Field[]> => [...(await network.run([pictureOf(view)]))[0]!.values()];

/** Where tiles begin that cover so many columns, each going on a little into the next one. */
function tilesOf(width: number, length: number): number[] {
  const count = Math.max(1, Math.ceil((width - COMMON_PX) / (length - COMMON_PX)));
  return Array.from({ length: count }, (_, i) => (count === 1 ? 0 : Math.round((i * (width - length)) / (count - 1))));
}
