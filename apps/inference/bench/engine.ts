import { eventually } from '@tire/test-harness';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { metricOf, WorkerUnderLoad, type Reading } from './worker-under-load';

const MODELS = 'apps/inference/models';
const ROUNDS = Number(process.env['ENGINE_BENCH_ROUNDS'] ?? 3);
const ROUND_MS = 20_000;
const SWAPS = Number(process.env['ENGINE_BENCH_SWAPS'] ?? 500);
const HEALTH_EVERY_MS = 20;
/** Memory is compared from here on: the first swaps fill what later ones use again. */
const SWAPS_TO_SETTLE = Math.min(50, Math.floor(SWAPS / 5));

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly target: string;
  readonly met: boolean;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const quantile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))]!;
const between = (from: Reading, to: Reading, name: string, ...labels: string[]) =>
  metricOf(to.metrics, name, ...labels) - metricOf(from.metrics, name, ...labels);

/** The model under two versions; only the lower one is shown. Its golden image is black, so that a swap is no second load test. */
async function twoVersions(folder: string): Promise<{ repository: string; toggle: () => Promise<void> }> {
  const repository = join(folder, 'models');
  const black = await sharp({ create: { width: 128, height: 128, channels: 3, background: '#000' } })
    .jpeg()
    .toBuffer();
  for (const [name, version] of [
    ['tread', '1.0.0'],
    ['.tread-next', '1.0.1'],
  ] as const) {
    await cp(join(MODELS, 'tread'), join(repository, name), { recursive: true });
    const path = join(repository, name, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(join(repository, name, manifest.golden.image), black);
    manifest.files[manifest.golden.image] = createHash('sha256').update(black).digest('hex');
    manifest.golden.expected = {};
    manifest.version = version;
    await writeFile(path, JSON.stringify(manifest));
  }
  const names = [join(repository, '.tread-next'), join(repository, 'tread-next')] as [string, string];
  const toggle = async () => {
    await rename(names[0], names[1]);
    names.reverse();
  };
  return { repository, toggle };
}

async function healthTimes(origin: string, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const startedMs = performance.now();
    await (await fetch(`${origin}/health/live`)).arrayBuffer();
    times.push(performance.now() - startedMs);
    await new Promise((resolve) => setTimeout(resolve, HEALTH_EVERY_MS));
  }
  return times;
}

/** Worker and bare loop in turn, so that what else the machine does meets both alike. */
async function speed(worker: WorkerUnderLoad, repository: string, photograph: string): Promise<Figure[]> {
  const bare = fork(join(__dirname, 'bare-loop.js'), [repository, photograph]);
  await once(bare, 'message');
  const rounds: { ratio: number; rate: number; bare: number; busy: number; decode: number; lagP99Ms: number; lagMaxMs: number }[] = [];
  const health: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.send(ROUND_MS);
    const [bareRate] = (await once(bare, 'message')) as [number];
    worker.begin();
    const begun = (await worker.read()).answers;
    await eventually(async () => (await worker.read()).answers > begun + 3, { timeoutMs: 60_000 });
    const from = await worker.read();
    const polling = new AbortController();
    const times = healthTimes(worker.origin, polling.signal);
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
    polling.abort();
    health.push(...(await times));
    const to = await worker.read();
    await worker.end();
    const seconds = (to.atMs - from.atMs) / 1000;
    const spent = (stage: string) => between(from, to, 'tire_inference_stage_seconds_sum', `tire_stage="${stage}"`) / seconds;
    const rate = (to.answers - from.answers) / seconds;
    rounds.push({
      ...{ ratio: rate / bareRate, rate, bare: bareRate, busy: spent('model') + spent('post'), decode: spent('decode') },
      lagP99Ms: metricOf(to.metrics, 'tire_event_loop_lag_seconds', 'kind="p99"') * 1000,
      lagMaxMs: metricOf(to.metrics, 'tire_event_loop_lag_seconds', 'kind="max"') * 1000,
    });
  }
  bare.disconnect();
  const of = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name]));
  const healthP99Ms = quantile(health, 0.99);
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
  return [
    {
      name: 'wall time in decode or model',
      value: `${percent(Math.min(1, of('busy') + of('decode')))} (model thread alone ${percent(of('busy'))})`,
      target: '>= 98 %',
      met: of('busy') + of('decode') >= 0.98,
    },
    {
      name: 'rate, of a bare loop',
      value: `${percent(of('ratio'))} (${of('rate').toFixed(2)}/s of ${of('bare').toFixed(2)}/s)`,
      target: '>= 95 %',
      met: of('ratio') >= 0.95,
    },
    {
      name: 'event loop lag p99 (max)',
      value: `${of('lagP99Ms').toFixed(1)} ms (${of('lagMaxMs').toFixed(1)} ms)`,
      target: '< 25 ms',
      met: of('lagP99Ms') < 25,
    },
    { name: 'health p99', value: `${healthP99Ms.toFixed(1)} ms of ${health.length}`, target: '< 20 ms', met: healthP99Ms < 20 },
  ];
}

const swapsIn = ({ metrics }: Reading) => metricOf(metrics, 'tire_inference_model_swaps', 'outcome="taken"');

async function swaps(worker: WorkerUnderLoad, toggle: () => Promise<void>): Promise<Figure[]> {
  worker.begin();
  const from = await worker.read();
  const resident: number[] = [];
  for (let swap = 1; swap <= SWAPS; swap++) {
    await toggle();
    await eventually(async () => swapsIn(await worker.read()) >= swap, { timeoutMs: 60_000, message: `Swap ${swap} did not happen` });
    if (swap > SWAPS_TO_SETTLE) resident.push(worker.residentMib());
  }
  await worker.end();
  const to = await worker.read();
  const fifth = Math.max(1, Math.floor(resident.length / 5));
  const [early, late] = [median(resident.slice(0, fifth)), median(resident.slice(-fifth))];
  const lost = to.failed - from.failed + between(from, to, 'tire_messages_redelivered') + between(from, to, 'tire_inference_refusals');
  return [
    {
      name: 'model swaps under load',
      value: `${swapsIn(to) - swapsIn(from)}, ${to.answers - from.answers} answers`,
      target: `${SWAPS}`,
      met: swapsIn(to) - swapsIn(from) === SWAPS,
    },
    { name: 'jobs failed or done again', value: `${lost}`, target: '0', met: lost === 0 },
    {
      name: 'resident memory, first and last fifth',
      value: `${early.toFixed(0)} and ${late.toFixed(0)} MiB`,
      target: 'growth < 10 %',
      met: late < early * 1.1,
    },
  ];
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tire-engine-bench-'));
  const photograph = join(MODELS, 'tread/golden.jpg');
  const { repository, toggle } = await twoVersions(folder);
  const worker = await WorkerUnderLoad.start(folder, repository, photograph);
  try {
    const figures = [...(await speed(worker, repository, photograph)), ...(await swaps(worker, toggle))];
    for (const { name, value, target, met } of figures) {
      process.stdout.write(`${name.padEnd(40)} ${value.padEnd(46)} ${target.padEnd(14)} ${met ? 'met' : 'MISSED'}\n`);
    }
    if (figures.some(({ met }) => !met)) process.exitCode = 1;
  } finally {
    await worker.close();
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
