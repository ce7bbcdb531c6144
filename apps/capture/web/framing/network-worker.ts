import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import modelUrl from './framing.onnx?url';
import { FramingSession } from './session';
import type { Answer } from './watch';

/** After everything else: photographs that are sent at the same time go first. */
async function bytesOf(url: string): Promise<ArrayBuffer> {
  const init: RequestInit & { readonly priority?: 'low' } = { priority: 'low' };
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.arrayBuffer();
}

async function opened(): Promise<FramingSession> {
  const [model, wasm] = await Promise.all([bytesOf(modelUrl), bytesOf(wasmUrl)]);
  return FramingSession.open(wasm, new Uint8Array(model));
}

const answer = (message: Answer): void => self.postMessage(message);

async function work(): Promise<void> {
  const session = await opened();
  self.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
    session.see(new Uint8Array(data)).then(
      (sight) => answer({ sight }),
      () => answer({ failed: true }),
    );
  });
  answer({ ready: true });
}

work().catch(() => answer({ failed: true }));
