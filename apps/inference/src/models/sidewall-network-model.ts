import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { emptyField, type Field } from '../domain/field';
import { localContrast, resized } from '../domain/sidewall/enhance';
import { findRingShape, naturalHeight, scaledRing, unwrapShape, type RingShape } from '../domain/sidewall/ring-shape';
import { elect, parseSizeTable, SizeDecoder, type Reading } from '../domain/sidewall/size-decoder';
import { cutOut, textBoxes, type TextBox } from '../domain/sidewall/text-boxes';
import type { Picture } from '../imaging/decode';
import { luminanceOf, pictureOf, shrunk } from '../imaging/picture';
import { Network, plane } from './network';
import type { Analysis, Model } from './outcome';
import type { Provider, ProviderWish } from './providers';
import type { ModelFolder } from './repository';

const Thresholds = z.strictObject({
  ring_px: z.number(),
  min_ring_score: z.number(),
  strip_height_px: z.number(),
  max_strip_height_px: z.number(),
  tile_length_px: z.number(),
  plain_px: z.number(),
  text_probability: z.number(),
  min_text_height_px: z.number(),
  min_confidence: z.number(),
  max_sizes: z.number(),
  max_texts: z.number(),
});

const RECOGNIZER_HEIGHT_PX = 48;
const RECOGNIZER_MAX_LENGTH_PX = 960;
const up32 = (value: number) => Math.max(32, Math.round(value / 32) * 32);

/** A text found in a view, in its pixels, and the likeliest sizes in it. */
interface Found {
  readonly box: TextBox;
  readonly readings: readonly Reading[];
}

/** What was looked at and what was found there. */
export interface Look {
  readonly ring?: RingShape;
  readonly glances: { readonly view: Field; readonly found: readonly Found[] }[];
}

/** A strip or a photograph in which text is looked for at one scale and read at a finer one. */
interface View {
  readonly fine: Field;
  readonly coarse: Field;
}

/** Ring by a network, unwrapping between its two ellipses, places of sizes before those of other texts, both ways up. */
export class SidewallNetworkModel implements Model {
  private constructor(
    private readonly ring: Network,
    private readonly detector: Network,
    private readonly recognizer: Network,
    private readonly decoder: SizeDecoder,
    private readonly thresholds: z.infer<typeof Thresholds>,
  ) {}

  static async load(model: ModelFolder, wish: ProviderWish): Promise<SidewallNetworkModel> {
    const table = async (name: string) => readFile(join(model.folder, model.manifest.tables[name] ?? `no table ${name}`), 'utf8');
    const characters = (await table('characters')).replace(/\n$/, '').split('\n');
    const decoder = new SizeDecoder(parseSizeTable(await table('sizes')), characters);
    const ring = await Network.load(model, 'ring', wish);
    const [detector, recognizer] = [await Network.load(model, 'detector', wish), await Network.load(model, 'recognizer', wish)];
    return new SidewallNetworkModel(ring, detector, recognizer, decoder, Thresholds.parse(model.manifest.thresholds));
  }

  get providers(): readonly Provider[] {
    return this.detector.providers;
  }

  /** One after another: what is read next depends on what was read before. */
  async analyze(pictures: readonly Picture[]): Promise<Analysis[]> {
    const analyses: Analysis[] = [];
    for (const picture of pictures) analyses.push(await this.analyzeOne(picture));
    return analyses;
  }

  private async analyzeOne(picture: Picture): Promise<Analysis> {
    const started = performance.now();
    const look = await this.look(picture);
    const modelMs = performance.now() - started;
    const nothing = !look.ring && look.glances.every(({ found }) => found.length === 0);
    if (nothing) return { outcome: { kind: 'error', errorCode: 'sidewall_not_found' }, modelMs, postMs: 0 };
    const vote = this.elected(look);
    const quality = { recognized: vote !== undefined, confidence: vote ? Math.round(vote.confidence * 100) / 100 : undefined };
    return { outcome: { kind: 'sidewall', measurement: { quality, size: vote?.size } }, modelMs, postMs: 0 };
  }

  /** Everything that an answer rests on, for those who want to see why. */
  async look(picture: Picture): Promise<Look> {
    const luminance = luminanceOf(picture);
    const look: Look = { ring: await this.ringOf(picture), glances: [] };
    if (look.ring) await this.readStrip(luminance, look.ring, look);
    if (!this.elected(look)) await this.readPlain(luminance, look);
    return look;
  }

  private elected = ({ glances }: Look) => {
    const readings = glances.flatMap(({ found }) => found.map((text) => text.readings));
    return elect(readings, this.thresholds.min_confidence);
  };

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
  private async readStrip(luminance: Field, ring: RingShape, look: Look): Promise<void> {
    const { strip_height_px: height, max_strip_height_px: most, tile_length_px: length } = this.thresholds;
    const fineHeight = Math.round(Math.min(most, Math.max(height, naturalHeight(ring))));
    const raw = unwrapShape(luminance, ring, 0.15, fineHeight);
    const clear = localContrast(raw, Math.round(fineHeight / 5));
    for (const fine of [clear, raw]) {
      const coarse = resized(fine, Math.round((fine.width * height) / fineHeight), height);
      for (let left = 0; left < coarse.width - height; left += length * 0.75) {
        const view = windowOf({ fine, coarse }, Math.floor(left), Math.min(length, coarse.width - Math.floor(left)));
        await this.readTexts(view, look, this.thresholds.max_sizes);
      }
      if (this.elected(look)) return;
    }
  }

  private async readPlain(luminance: Field, look: Look): Promise<void> {
    const scale = Math.min(1, this.thresholds.plain_px / Math.max(luminance.width, luminance.height));
    const small = resized(luminance, Math.round(luminance.width * scale), Math.round(luminance.height * scale));
    for (const coarse of [localContrast(small, 24), small]) {
      await this.readTexts({ fine: coarse, coarse }, look, this.thresholds.max_texts);
      if (this.elected(look)) return;
    }
  }

  private async readTexts({ fine, coarse }: View, look: Look, most: number): Promise<void> {
    const fitted = resized(coarse, up32(coarse.width), up32(coarse.height));
    const maps = [...(await this.detector.run([pictureOf(fitted)]))[0]!.values()];
    const { text_probability: threshold, min_text_height_px: minHeight } = this.thresholds;
    const boxes = textBoxes(maps[1]!, threshold, minHeight).filter((box) => box.length >= 2.5 * box.height);
    const scaleX = fine.width / fitted.width;
    const scaleY = fine.height / fitted.height;
    const found: Found[] = [];
    for (const box of boxes.sort((a, b) => b.length * b.height - a.length * a.height).slice(0, most)) {
      const turned = meanAlong(maps[2]!, box) > 0.5 ? Math.PI : 0;
      const place = { ...scaledBox(box, scaleX, scaleY), angleRad: box.angleRad + turned };
      const crop = cutOut(fine, place, RECOGNIZER_HEIGHT_PX, RECOGNIZER_MAX_LENGTH_PX);
      const frames = [...(await this.recognizer.run([pictureOf(crop)]))[0]!.values()][0]!;
      found.push({ box, readings: this.decoder.read(frames) });
    }
    look.glances.push({ view: fitted, found });
  }
}

/** Lines lie nearly level: a box grows along x and y as the picture does. */
const scaledBox = ({ x, y, length, height, angleRad }: TextBox, scaleX: number, scaleY: number): TextBox => ({
  x: (x + 0.5) * scaleX - 0.5,
  y: (y + 0.5) * scaleY - 0.5,
  length: length * scaleX,
  height: height * scaleY,
  angleRad,
});

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

function windowOf({ fine, coarse }: View, left: number, width: number): View {
  const scale = fine.width / coarse.width;
  const fineLeft = Math.round(left * scale);
  return {
    fine: columns(fine, fineLeft, Math.min(Math.round(width * scale), fine.width - fineLeft)),
    coarse: columns(coarse, left, width),
  };
}

function columns(field: Field, left: number, width: number): Field {
  const part = emptyField(width, field.height);
  for (let y = 0; y < field.height; y++) {
    part.data.set(field.data.subarray(y * field.width + left, y * field.width + left + width), y * width);
  }
  return part;
}
