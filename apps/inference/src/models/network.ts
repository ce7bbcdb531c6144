import { InferenceSession, listSupportedBackends, Tensor } from 'onnxruntime-node';
import { join } from 'node:path';
import type { Field } from '../domain/field';
import type { Picture } from '../imaging/decode';
import { ModelFault, type ModelFolder } from './repository';

export type Provider = 'cpu' | 'cuda';

/** One ONNX session with the normalization that its manifest names. */
export class Network {
  private constructor(
    private readonly session: InferenceSession,
    private readonly normalization: { mean: readonly number[]; std: readonly number[] },
  ) {}

  static async load({ folder, manifest }: ModelFolder, role: string, providers: readonly Provider[]): Promise<Network> {
    const description = manifest.networks[role];
    if (!description) throw new ModelFault(folder, `the manifest describes no network "${role}"`);
    const known = listSupportedBackends().map(({ name }) => name);
    const missing = providers.filter((provider) => !known.includes(provider));
    if (missing.length > 0)
      throw new ModelFault(folder, `execution provider ${missing.join(', ')} was asked for, this machine has ${known.join(', ')}`);
    // One thread inside a session: sessions of both models and the decoder share the cores already.
    const session = await InferenceSession.create(join(folder, description.file), {
      executionProviders: [...providers],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      enableCpuMemArena: false,
      logSeverityLevel: 3,
    }).catch((cause: unknown) => {
      throw new ModelFault(
        folder,
        `no session for ${role} on ${providers.join(', ')}: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause,
      );
    });
    const named = [...description.inputs.map(({ name }) => name), ...description.outputs.map(({ name }) => name)].sort();
    const actual = [...session.inputNames, ...session.outputNames].sort();
    if (named.join() !== actual.join())
      throw new ModelFault(folder, `the graph has ${actual.join(', ')}, the manifest says ${named.join(', ')}`);
    return new Network(session, description.normalization);
  }

  /** Runs on one picture; every output plane comes back by name, `name` for the first channel and `name.1` for the second. */
  async run(picture: Picture): Promise<Map<string, Field>> {
    const outputs = await this.session.run({ [this.session.inputNames[0]!]: this.tensorOf(picture) });
    const planes = new Map<string, Field>();
    for (const [name, tensor] of Object.entries(outputs)) {
      const [height, width] = [tensor.dims[tensor.dims.length - 2]!, tensor.dims[tensor.dims.length - 1]!];
      const data = tensor.data;
      if (!(data instanceof Float32Array)) throw new Error(`output ${name} holds no float32`);
      for (let c = 0; c * width * height < data.length; c++) {
        planes.set(c === 0 ? name : `${name}.${c}`, { width, height, data: data.subarray(c * width * height, (c + 1) * width * height) });
      }
    }
    return planes;
  }

  private tensorOf({ width, height, rgb }: Picture): Tensor {
    const { mean, std } = this.normalization;
    const area = width * height;
    const data = new Float32Array(area * 3);
    for (let c = 0; c < 3; c++) {
      const [offset, scale] = [mean[c]!, 1 / (255 * std[c]!)];
      const shift = offset / std[c]!;
      for (let i = 0; i < area; i++) data[c * area + i] = rgb[i * 3 + c]! * scale - shift;
    }
    return new Tensor('float32', data, [1, 3, height, width]);
  }

  async release(): Promise<void> {
    await this.session.release();
  }
}

export const plane = (planes: Map<string, Field>, name: string): Field => {
  const field = planes.get(name);
  if (!field) throw new Error(`the graph gave no ${name}`);
  return field;
};
