import './disable-telemetry';
import { InferenceSession, listSupportedBackends, Tensor } from 'onnxruntime-node';
import { join } from 'node:path';
import type { Field } from '../domain/field';
import type { RgbImage } from '../imaging/decode';
import { levelsOf } from '../imaging/luminance';
import type { Manifest } from './manifest';
import { attempts, unavailable, type Provider, type ExecutionOptions } from './providers';
import { ModelFault, type ModelFolder } from './repository';
import { turns } from './turns';

/** One ONNX session with the normalization of its manifest. */
export class Network {
  private spare: Float32Array | undefined;
  /** Each level of each channel as the network gets it. */
  private readonly normalized: readonly Float32Array[];

  private constructor(
    private readonly session: InferenceSession,
    { mean, std }: { mean: readonly number[]; std: readonly number[] },
    readonly providers: readonly Provider[],
  ) {
    this.normalized = mean.map((shift, c) =>
      Float32Array.from({ length: 256 }, (_, level) => level * (1 / (255 * std[c]!)) - shift / std[c]!),
    );
  }

  static async load(model: ModelFolder<Pick<Manifest, 'networks'>>, role: string, execution: ExecutionOptions): Promise<Network> {
    const { folder, manifest } = model;
    const description = manifest.networks[role];
    if (!description) throw new ModelFault(folder, `the manifest describes no network "${role}"`);
    const { session, providers } = await firstThatRuns(model, join(folder, description.file), execution);
    const named = [...description.inputs.map(({ name }) => name), ...description.outputs.map(({ name }) => name)].sort();
    const actual = [...session.inputNames, ...session.outputNames].sort();
    if (named.join() !== actual.join())
      throw new ModelFault(folder, `the graph has ${actual.join(', ')}, the manifest names ${named.join(', ')}`);
    return new Network(session, description.normalization, providers);
  }

  /**
   * Runs a batch of images of one size. The result has every output plane by name: `name` for the first channel, `name.1` for the second.
   */
  run(images: readonly RgbImage[]): Promise<Map<string, Field>[]> {
    return this.planesOf(this.tensorOf(images), images.length);
  }

  /** Runs one grey image of 0..255. */
  async runGrey(image: Field): Promise<Field[]> {
    const data = this.greyInput(3 * image.data.length);
    this.writeGrey(data, image);
    const [planes] = await this.planesOf(new Tensor('float32', data, [1, 3, image.height, image.width]), 1);
    this.spare = data;
    return [...planes!.values()];
  }

  /** The input of the run before, where it has that length and no run uses it: 3 MB a tile are neither cleared nor collected. */
  private greyInput(length: number): Float32Array {
    const { spare } = this;
    this.spare = undefined;
    return spare?.length === length ? spare : new Float32Array(length);
  }

  private writeGrey(data: Float32Array, image: Field): void {
    const levels = levelsOf(image);
    const area = levels.length;
    this.normalized.forEach((normalized, c) => {
      for (let i = 0; i < area; i++) data[c * area + i] = normalized[levels[i]!]!;
    });
  }

  private async planesOf(input: Tensor, count: number): Promise<Map<string, Field>[]> {
    await turns.giveWay();
    const outputs = await this.session.run({ [this.session.inputNames[0]!]: input });
    const results = Array.from({ length: count }, () => new Map<string, Field>());
    for (const [name, tensor] of Object.entries(outputs)) {
      const { data } = tensor;
      if (!(data instanceof Float32Array)) throw new Error(`output ${name} holds no float32`);
      results.forEach((planes, i) => addPlanes(planes, name, tensor.dims, share(data, i, count)));
    }
    return results;
  }

  private tensorOf(images: readonly RgbImage[]): Tensor {
    const { width, height } = images[0]!;
    const area = width * height;
    const data = new Float32Array(area * 3 * images.length);
    this.normalized.forEach((normalized, c) =>
      images.forEach(({ rgb }, n) => {
        const plane = data.subarray((n * 3 + c) * area, (n * 3 + c + 1) * area);
        for (let i = 0, at = c; i < area; i++, at += 3) plane[i] = normalized[rgb[at]!]!;
      }),
    );
    return new Tensor('float32', data, [images.length, 3, height, width]);
  }
}

async function firstThatRuns({ folder }: Pick<ModelFolder, 'folder'>, file: string, execution: ExecutionOptions) {
  const known = listSupportedBackends().map(({ name }) => name);
  let fault: ModelFault | undefined;
  for (const providers of attempts(execution)) {
    const missing = unavailable(providers, known);
    if (missing) {
      fault ??= new ModelFault(folder, missing);
      continue;
    }
    try {
      return { providers, session: await InferenceSession.create(file, sessionOptions(providers)) };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      fault ??= new ModelFault(folder, `no session on ${providers.join(', ')}: ${reason}`, cause);
    }
  }
  throw fault ?? new ModelFault(folder, 'no execution provider is configured');
}

// One thread inside a session: both models' sessions and the decoder share the cores.
const sessionOptions = (providers: readonly Provider[]): InferenceSession.SessionOptions => ({
  executionProviders: [...providers],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  logSeverityLevel: 3,
  // Without it, nodes that CUDA cannot run fall back to the CPU silently.
  ...(providers.includes('cpu') ? {} : { extra: { session: { disable_cpu_ep_fallback: '1' } } }),
});

const share = (data: Float32Array, index: number, of: number) =>
  data.subarray((index * data.length) / of, ((index + 1) * data.length) / of);

function addPlanes(planes: Map<string, Field>, name: string, dims: readonly number[], data: Float32Array): void {
  const width = dims[dims.length - 1]!;
  const height = dims.length > 2 ? dims[dims.length - 2]! : 1;
  const area = width * height;
  for (let c = 0; c * area < data.length; c++) {
    planes.set(c === 0 ? name : `${name}.${c}`, { width, height, data: data.subarray(c * area, (c + 1) * area) });
  }
}

export const plane = (planes: Map<string, Field>, name: string): Field => {
  const field = planes.get(name);
  if (!field) throw new Error(`the graph gave no ${name}`);
  return field;
};
