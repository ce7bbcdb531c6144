import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import type { Sight } from './sight';
import { SQUARE_PX } from './square';

/** The network in WebAssembly, in one thread: several would need headers that forbid frames of other sites. */
export class FramingSession {
  private constructor(private readonly session: InferenceSession) {}

  static async open(wasm: ArrayBuffer, model: Uint8Array): Promise<FramingSession> {
    env.wasm.numThreads = 1;
    env.wasm.wasmBinary = wasm;
    return new FramingSession(await InferenceSession.create(model, { executionProviders: ['wasm'] }));
  }

  /** From the pixels of a canvas, row by row. */
  async see(rgba: Uint8Array): Promise<Sight> {
    const { kind, fill } = await this.session.run({ rgba: new Tensor('uint8', rgba, [SQUARE_PX, SQUARE_PX, 4]) });
    const [none, tread, sidewall] = kind!.data as Float32Array;
    return { none: none!, tread: tread!, sidewall: sidewall!, fill: (fill!.data as Float32Array)[0]! };
  }
}
