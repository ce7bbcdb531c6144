import { join } from 'node:path';
import { Engine } from '../engine/engine';

/** Loads the binding of onnxruntime as a tool does, in its own process, or as the service does, in a child process. */
async function main(place: string | undefined): Promise<void> {
  if (place === 'main') return void (await import('../models/network'));
  const engine = new Engine(
    {
      repository: join(__dirname, '../../models'),
      operations: ['tire.tread'],
      execution: { requested: ['cpu'], fallback: false },
      queue: { maxWaiting: 1, deadlineMs: 60_000 },
      pollEveryMs: 600_000,
    },
    { info: () => undefined, warn: () => undefined, error: () => undefined },
    { batchSent: () => undefined, rejected: () => undefined, swapped: () => undefined },
  );
  engine.start();
  await engine.onceReady('tire.tread');
  await engine.stop();
}

void main(process.argv[2]);
