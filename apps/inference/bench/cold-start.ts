import '@tire/platform/register';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import '../src/app.module';
import { Engine } from '../src/engine/engine';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage, decoder } from '../src/imaging/decode';
import { OPERATIONS } from '../src/models/manifest';
import { benchProvider } from './provider';

const MODELS = resolve('apps/inference/models');
const ROUNDS = Number(process.argv[2] ?? 5);
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const noEvents = { batchSent: () => undefined, rejected: () => undefined, swapped: () => undefined };
const HOUR_MS = 3_600_000;

type Times = Record<string, number>;

/** Milliseconds since this process began. */
async function measured(): Promise<Times> {
  const times: Times = { 'modules loaded': performance.now() };
  const queue = { maxWaiting: 8, deadlineMs: 60_000 };
  const execution = { requested: [benchProvider()], fallback: false };
  const engine = new Engine({ repository: MODELS, operations: OPERATIONS, execution, queue, pollEveryMs: HOUR_MS }, quiet, noEvents);
  engine.start();
  const never = new AbortController().signal;
  await Promise.all(
    OPERATIONS.map((operation) =>
      engine.use(operation, never, async (worker) => {
        times[`${operation} ready`] = performance.now();
        const { manifest, folder } = worker.model;
        const image = await decodeImage(await readFile(join(folder, manifest.golden.image)), decodeLimits(worker.model));
        await worker.analyze(image, 'bench');
        times[`${operation} first result`] = performance.now();
      }),
    ),
  );
  await engine.stop();
  decoder.stop();
  return times;
}

/** How long a new process takes until both models have measured an image: without NATS and Postgres, whose clients connect meanwhile. */
async function main(): Promise<void> {
  if (process.send) {
    // Nothing else keeps this process alive while models load.
    const alive = setInterval(() => undefined, HOUR_MS);
    process.send(await measured());
    clearInterval(alive);
    process.disconnect();
    return;
  }
  const rounds: Times[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const child = fork(__filename, { stdio: 'inherit' });
    const [[times]] = (await Promise.all([once(child, 'message'), once(child, 'exit')])) as [[Times], unknown];
    rounds.push(times);
  }
  for (const name of Object.keys(rounds[0]!)) {
    const sorted = rounds.map((times) => times[name]!).sort((a, b) => a - b);
    const [least, middle, most] = [sorted[0]!, sorted[sorted.length >> 1]!, sorted.at(-1)!].map((ms) => Math.round(ms));
    console.log(`${name}: ${middle} ms (${least} to ${most})`);
  }
}

void main();
