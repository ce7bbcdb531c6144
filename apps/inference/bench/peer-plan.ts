import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import type { RgbImage } from '../src/imaging/decode';
import { loadModel } from '../src/models/load-model';
import { OPERATIONS, type Manifest, type Operation } from '../src/models/manifest';
import { Network } from '../src/models/network';
import { loadRepository, type ModelFolder } from '../src/models/repository';
import { bareDecode } from './bare-decode';

const TIMES = 5;
const TWO_MEGAPIXELS = { width: 1632, height: 1224 };

/** One run of a network, as peers do it. */
interface Run {
  readonly file: string;
  readonly mean: readonly number[];
  readonly std: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly batch: number;
}

/** What a peer does with a photograph: all runs of networks that the worker needs for it, and nothing between them. */
interface OperationPlan {
  readonly photograph: string;
  readonly longSidePx: number;
  /** Whether a run sees the whole image, resized, or a part of it in its own resolution. */
  readonly resizes: boolean;
  readonly runs: readonly Run[];
  /** An output of the first run, and what it reaches at least for this photograph. */
  readonly surely: { readonly output: string; readonly least: number };
  /** CPU time of a photograph in a bare loop: decode, all runs and the post-processing. */
  readonly bareCpuMs: number;
  /** The part of it in the runs. */
  readonly networkCpuMs: number;
}
export type Plan = Readonly<Record<Operation, OperationPlan>>;

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** A process of its own measures it, so that only its own CPU time counts. */
const descriptions = new WeakMap<Network, Omit<Run, 'width' | 'height' | 'batch'>>();
const load = Network.load;
Network.load = async (model, role, execution) => {
  const network = await load.call(Network, model, role, execution);
  const { file, normalization } = model.manifest.networks[role]!;
  descriptions.set(network, { file: resolve(model.folder, file), ...normalization });
  return network;
};
let seen: Run[] = [];
let networkCpuMs = 0;
const run = Network.prototype.run;
Network.prototype.run = async function (images: readonly RgbImage[]) {
  const [{ width, height }] = images as [RgbImage];
  seen.push({ ...descriptions.get(this)!, width, height, batch: images.length });
  const from = cpuMs();
  const planes = await run.call(this, images);
  networkCpuMs += cpuMs() - from;
  return planes;
};

async function photographOf({ folder, manifest }: ModelFolder<Manifest>, target: string): Promise<Buffer> {
  await sharp(join(folder, manifest.golden.image))
    .resize({ ...TWO_MEGAPIXELS, fit: 'contain', background: '#555' })
    .jpeg({ quality: 90 })
    .toFile(target);
  return readFile(target);
}

async function planOf(model: ModelFolder, folder: string): Promise<OperationPlan> {
  const { manifest } = model;
  const { long_side_px: longSidePx } = manifest.input;
  const photograph = join(folder, `${manifest.name}.jpg`);
  const bytes = await photographOf(model, photograph);
  const engine = await loadModel(model, { requested: ['cpu'], fallback: false });
  const measure = async () => engine.analyze([await bareDecode(bytes, longSidePx)]);
  seen = [];
  const [analysis] = await measure();
  if (`tire.${analysis!.outcome.kind}` !== manifest.operation) throw new Error(`the photograph shows no ${manifest.operation}`);
  const runs = seen;
  seen = [];
  networkCpuMs = 0;
  const from = cpuMs();
  for (let i = 0; i < TIMES; i++) await measure();
  const isTread = manifest.operation === 'tire.tread';
  const { min_is_tread, text_probability } = manifest.thresholds;
  const surely = isTread
    ? { output: 'is_tread', least: min_is_tread! }
    : { output: manifest.networks['detector']!.outputs[0]!.name, least: text_probability! };
  return {
    photograph,
    longSidePx,
    resizes: isTread,
    runs,
    surely,
    bareCpuMs: (cpuMs() - from) / TIMES,
    networkCpuMs: networkCpuMs / TIMES,
  };
}

async function main(repository: string, folder: string): Promise<void> {
  const models = await loadRepository(repository, OPERATIONS);
  const plans: [Operation, OperationPlan][] = [];
  for (const model of models) plans.push([model.manifest.operation, await planOf(model, folder)]);
  await writeFile(join(folder, 'plan.json'), JSON.stringify(Object.fromEntries(plans)));
}

void main(process.argv[2]!, process.argv[3]!);
