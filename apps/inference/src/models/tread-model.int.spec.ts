import { createHash } from 'node:crypto';
import { eventually } from '@tire/test-harness';
import { copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { RgbImage } from '../imaging/decode';
import { Engine } from '../engine/engine';
import type { Manifest } from './manifest';
import type { Outcome } from './outcome';

const NETWORK = join(__dirname, '../testing/painted.onnx');
const map = (name: string) => ({ name, datatype: 'FP32' as const, shape: [-1, 1, -1, -1] });
const numbers = (name: string, count: number) => ({ name, datatype: 'FP32' as const, shape: [-1, count] });

const manifest: Manifest = {
  name: 'tire-tread',
  version: '2.0.0',
  operation: 'tire.tread',
  engine: 'tread-network',
  platform: 'onnxruntime_onnx',
  files: {},
  input: { long_side_px: 1280, min_short_side_px: 96, max_pixels: 60_000_000 },
  networks: {
    tread: {
      file: 'tread.onnx',
      normalization: { mean: [0, 0, 0], std: [1, 1, 1] },
      inputs: [{ name: 'image', datatype: 'FP32', shape: [-1, 3, -1, -1] }],
      outputs: [
        ...['tread', 'groove', 'depth', 'spread', 'lateral'].map(map),
        ...[numbers('rotation', 2), numbers('side', 3), numbers('is_tread', 1), numbers('quality', 2)],
      ],
    },
  },
  tables: {},
  thresholds: {
    ...{ look_px: 256, min_score_share: 0.3, min_score: 0.5, min_is_tread: 0.5, min_side: 0.7, min_groove_px: 60, min_length_share: 0.3 },
    ...{ max_confidence: 0.9, depth_scale: 1, depth_offset_mm: 0, min_brightness: 0.02, max_brightness: 0.95, max_blur_px: 3 },
    ...{ min_tread_share: 0.1, max_obliqueness: 4 },
  },
  batch: { size: 4, curve: [] },
  training_data: 'None: it says what was painted.',
  measured_accuracy: [],
  golden: { image: 'golden.png', expected: { grooves: 2, depth_mm_0: 6, depth_mm_1: 3 }, tolerance: 0.1 },
};

interface Painted {
  readonly width: number;
  readonly height: number;
  /** Green, as a share of full. */
  readonly tread: (x: number, y: number) => number;
}

/** Two grooves, 3 mm deep at three tenths of the width and 6 mm at seven tenths. */
function painted({ width, height, tread }: Painted): RgbImage {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.abs(x / width - 0.3) < 0.03, Math.abs(x / width - 0.7) < 0.03];
      rgb.set([left || right ? 255 : 0, Math.round(255 * tread(x, y)), left ? 76.5 : 153], (y * width + x) * 3);
    }
  }
  return { width, height, rgb };
}

const everywhere = () => 1;
let engine: Engine;
const ran: number[] = [];

beforeAll(async () => {
  const repository = await mkdtemp(join(tmpdir(), 'models-'));
  const folder = join(repository, 'tread');
  await mkdir(folder);
  await copyFile(NETWORK, join(folder, 'tread.onnx'));
  const golden = painted({ width: 300, height: 200, tread: everywhere });
  await sharp(golden.rgb, { raw: { width: 300, height: 200, channels: 3 } })
    .png()
    .toFile(join(folder, 'golden.png'));
  const sha256 = async (file: string) =>
    [
      file,
      createHash('sha256')
        .update(await readFile(join(folder, file)))
        .digest('hex'),
    ] as const;
  const files = Object.fromEntries(await Promise.all(['tread.onnx', 'golden.png'].map(sha256)));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, files }));
  engine = new Engine(
    {
      ...{ repository, operations: ['tire.tread'], execution: { requested: ['cpu'], fallback: false }, pollEveryMs: 600_000 },
      queue: { maxWaiting: 16, deadlineMs: 30_000 },
    },
    { info: () => undefined, warn: () => undefined, error: () => undefined },
    { batchSent: (_, size) => void ran.push(size), rejected: () => undefined, swapped: () => undefined },
  );
  engine.start();
});
afterAll(() => engine.stop());

const outcomes = (images: readonly RgbImage[]): Promise<Outcome[]> =>
  engine.use('tire.tread', new AbortController().signal, async (worker) => {
    return Promise.all(images.map(async (image) => (await worker.analyze(image, 'project')).outcome));
  });

function treadOf(outcome: Outcome) {
  if (outcome.kind !== 'tread') throw new Error(`no tread: ${JSON.stringify(outcome)}`);
  return outcome.measurement;
}

it('measures with any network of these outputs, given its manifest', async () => {
  const [outcome] = await outcomes([painted({ width: 640, height: 470, tread: everywhere })]);
  const { vehicleSide, individualRemainingDepthMm, grooveMasks, ...rest } = treadOf(outcome!);
  // This network has no outputs for them.
  expect([rest.individualDepthInterval, rest.aggregatedDepthInterval, rest.baldZones]).toEqual([[], undefined, undefined]);
  // The outside is on the right: the right groove comes first, and the vehicle's inside is on the left.
  expect([vehicleSide, individualRemainingDepthMm.map((depthMm) => Math.round(depthMm * 10) / 10)]).toEqual(['left', [6, 3]]);
  for (const [i, middle] of [0.7, 0.3].entries()) {
    const xs = grooveMasks[i]!.polygonXyNorm.map(({ x }) => x);
    expect(Math.abs((Math.min(...xs) + Math.max(...xs)) / 2 - middle)).toBeLessThan(0.005);
    expect(Math.max(...xs) - Math.min(...xs)).toBeCloseTo(0.06, 1);
  }
});

it('runs waiting images as a batch with the same results as alone', async () => {
  const images = [180, 190, 200, 210, 220, 230].map((dark) => painted({ width: 256, height: 256, tread: (x) => (x < dark ? 1 : 0.6) }));
  let together: Outcome[] = [];
  // How many wait when a batch begins depends on the machine; four are the largest batch.
  await eventually(async () => {
    ran.length = 0;
    together = await outcomes(images);
    expect([ran.reduce((sum, size) => sum + size), Math.max(...ran) <= 4]).toEqual([images.length, true]);
    return ran.length < images.length;
  });
  for (const [i, image] of images.entries()) expect(await outcomes([image])).toEqual([together[i]]);
});

it('measures a small tread as a close-up, and places it in the whole image', async () => {
  const small = (x: number, y: number) => (x > 300 && x < 800 && y > 200 && y < 500 ? 1 : 0.45);
  const [outcome] = await outcomes([painted({ width: 1280, height: 800, tread: small })]);
  const { grooveMasks, treadRoiBboxNorm } = treadOf(outcome!);
  const xs = grooveMasks[0]!.polygonXyNorm.map(({ x }) => x);
  expect(Math.abs((Math.min(...xs) + Math.max(...xs)) / 2 - 0.3)).toBeLessThan(0.005);
  expect(Math.abs(treadRoiBboxNorm!.x1 - 300 / 1280)).toBeLessThan(0.01);
  expect(Math.abs(treadRoiBboxNorm!.y2 - 500 / 800)).toBeLessThan(0.01);
});

it('refuses an image without a tread, with the reason', async () => {
  const [outcome] = await outcomes([painted({ width: 300, height: 200, tread: () => 0 })]);
  expect(outcome!).toEqual({ kind: 'error', errorCode: 'tread_not_found', reasons: ['not_a_tread'] });
});
