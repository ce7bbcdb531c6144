import { once } from 'node:events';
import { join } from 'node:path';
import { Engine } from '../engine/engine';

const MODELS = join(__dirname, '../../models');

/** Tells the test that the binding works, and keeps it until the test has seen enough. */
async function held(): Promise<void> {
  const seen = once(process, 'disconnect');
  process.send?.('works');
  await seen;
}

async function inChildProcess(meanwhile: () => Promise<void>): Promise<void> {
  const engine = new Engine(
    {
      repository: MODELS,
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
  await meanwhile();
  await engine.stop();
}

/** Only where no network is: it is what the product never does. */
async function withTelemetry(): Promise<void> {
  const { InferenceSession } = await import('onnxruntime-node');
  await InferenceSession.create(join(MODELS, 'tread/tread.onnx'));
  await held();
}

/** Loads the binding of onnxruntime as a tool does, in its own process, or as the service does, in a child process. */
const WAYS: Readonly<Record<string, () => Promise<unknown>>> = {
  main: () => import('../models/network'),
  child: () => inChildProcess(async () => undefined),
  service: () => inChildProcess(held),
  telemetry: withTelemetry,
};

void WAYS[process.argv[2]!]!();
