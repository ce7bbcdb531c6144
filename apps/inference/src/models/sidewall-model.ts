import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Field } from '../domain/field';
import { localContrast, resized } from '../domain/sidewall/enhance';
import { findRing, unwrap, type Ring } from '../domain/sidewall/ring';
import { elect, parseSizeTable, SizeDecoder, type Reading } from '../domain/sidewall/size-decoder';
import { cutOut, textBoxes } from '../domain/sidewall/text-boxes';
import type { Picture } from '../imaging/decode';
import { luminanceOf, pictureOf } from '../imaging/picture';
import { Network } from './network';
import type { Analysis, Model } from './outcome';
import type { Provider, ProviderWish } from './providers';
import type { ModelFolder } from './repository';

const Thresholds = z.strictObject({
  ring_search_px: z.number(),
  min_ring_score: z.number(),
  strip_height_px: z.number(),
  tile_length_px: z.number(),
  text_probability: z.number(),
  min_text_height_px: z.number(),
  min_confidence: z.number(),
  max_texts: z.number(),
});

const RECOGNIZER_HEIGHT_PX = 48;
const RECOGNIZER_MAX_LENGTH_PX = 960;
const up32 = (value: number) => Math.max(32, Math.round(value / 32) * 32);

interface Seen {
  readings: Reading[][];
  texts: number;
}

export class SidewallModel implements Model {
  private constructor(
    private readonly detector: Network,
    private readonly recognizer: Network,
    private readonly decoder: SizeDecoder,
    private readonly thresholds: z.infer<typeof Thresholds>,
  ) {}

  static async load(model: ModelFolder, wish: ProviderWish): Promise<SidewallModel> {
    const table = async (name: string) => readFile(join(model.folder, model.manifest.tables[name] ?? `no table ${name}`), 'utf8');
    const characters = (await table('characters')).replace(/\n$/, '').split('\n');
    const decoder = new SizeDecoder(parseSizeTable(await table('sizes')), characters);
    const [detector, recognizer] = [await Network.load(model, 'detector', wish), await Network.load(model, 'recognizer', wish)];
    return new SidewallModel(detector, recognizer, decoder, Thresholds.parse(model.manifest.thresholds));
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
    const luminance = luminanceOf(picture);
    const ring = this.ringOf(luminance);
    const seen: Seen = { readings: [], texts: 0 };
    if (ring) await this.readStrips(luminance, ring, seen);
    if (!this.elected(seen)) await this.readPlain(luminance, seen);
    const measured = performance.now();
    const vote = this.elected(seen);
    const found = ring !== undefined || seen.texts > 0;
    const postMs = performance.now() - measured;
    if (!found) return { outcome: { kind: 'error', errorCode: 'sidewall_not_found' }, modelMs: measured - started, postMs };
    const quality = { recognized: vote !== undefined, confidence: vote ? Math.round(vote.confidence * 100) / 100 : undefined };
    return { outcome: { kind: 'sidewall', measurement: { quality, size: vote?.size } }, modelMs: measured - started, postMs };
  }

  private elected = ({ readings }: Seen) => elect(readings, this.thresholds.min_confidence);

  private ringOf(luminance: Field): Ring | undefined {
    const scale = Math.max(1, Math.max(luminance.width, luminance.height) / this.thresholds.ring_search_px);
    const small = resized(luminance, Math.round(luminance.width / scale), Math.round(luminance.height / scale));
    const ring = findRing(small);
    if (!ring || ring.score < this.thresholds.min_ring_score) return undefined;
    return { x: ring.x * scale, y: ring.y * scale, inner: ring.inner * scale, outer: ring.outer * scale, score: ring.score };
  }

  /** Tiles of a shape that the detector likes; when nothing is read with the letters' feet to the rim, the other way round. */
  private async readStrips(luminance: Field, ring: Ring, seen: Seen): Promise<void> {
    const { strip_height_px: height, tile_length_px: length } = this.thresholds;
    const raw = unwrap(luminance, ring, 0.12);
    const strip = resized(raw, Math.round((raw.width * height) / raw.height), height);
    for (const upright of [localContrast(strip, Math.round(height / 5)), strip]) {
      for (let left = 0; left < upright.width; left += length * 0.75) {
        const tile = window(upright, Math.floor(left), Math.min(length, upright.width - Math.floor(left)));
        if (tile.width >= height) await this.readTexts(tile, seen);
      }
      if (this.elected(seen)) return;
    }
  }

  private async readPlain(luminance: Field, seen: Seen): Promise<void> {
    const scale = Math.min(1, 960 / Math.max(luminance.width, luminance.height));
    const small = resized(luminance, Math.round(luminance.width * scale), Math.round(luminance.height * scale));
    for (const view of [small, localContrast(small, 24)]) {
      await this.readTexts(view, seen);
      if (this.elected(seen)) return;
    }
  }

  private async readTexts(view: Field, seen: Seen): Promise<void> {
    const [width, height] = [up32(view.width), up32(view.height)];
    const fitted = resized(view, width, height);
    const probability = await firstPlane(this.detector, fitted);
    const boxes = textBoxes(probability, this.thresholds.text_probability, this.thresholds.min_text_height_px);
    const longest = boxes.sort((a, b) => b.length - a.length).slice(0, this.thresholds.max_texts);
    for (const box of longest) {
      if (box.length < 2.5 * box.height) continue;
      const crop = cutOut(fitted, box, RECOGNIZER_HEIGHT_PX, RECOGNIZER_MAX_LENGTH_PX);
      const frames = await firstPlane(this.recognizer, crop);
      seen.readings.push(this.decoder.read(frames));
      seen.texts++;
    }
  }
}

const firstPlane = async (network: Network, view: Field): Promise<Field> => [...(await network.run([pictureOf(view)]))[0]!.values()][0]!;

function window(field: Field, left: number, width: number): Field {
  const data = new Float32Array(width * field.height);
  for (let y = 0; y < field.height; y++) data.set(field.data.subarray(y * field.width + left, y * field.width + left + width), y * width);
  return { width, height: field.height, data };
}
