import { eventually } from '@tire/test-harness';
import { isAtLeast, median, percentile, rangeText, runBench, type Verdict } from '@tire/test-harness/bench';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { OPERATIONS, type Operation } from '../src/models/manifest';
import type { Stages, StagesOfScans } from './sidewall-stages';
import { metricOf, WorkerUnderLoad, type Images, type Reading } from './worker-under-load';

const MODELS = 'apps/inference/models';
const ROUNDS = Number(process.env['ENGINE_BENCH_ROUNDS'] ?? 5);
const ROUND_MS = Number(process.env['ENGINE_BENCH_ROUND_MS'] ?? 15_000);
const SWAPS = Number(process.env['ENGINE_BENCH_SWAPS'] ?? 500);
const HEALTH_EVERY_MS = 20;
const LOOK_FOR_SWAPS_MS = 100;
const KEPT_RATE = 0.95;
/** Memory is compared from this swap on: the first swaps allocate what later ones reuse. */
const SWAPS_TO_SETTLE = Math.min(50, Math.floor(SWAPS / 5));

interface Figure {
  readonly name: string;
  readonly value: string;
  /** Neither is set where there is no target. */
  readonly target?: string;
  readonly met?: Verdict;
}

const verdictOf = (isMet: boolean): Verdict => (isMet ? 'yes' : 'no');
const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
const between = (from: Reading, to: Reading, name: string, ...labels: string[]) =>
  metricOf(to.metrics, name, ...labels) - metricOf(from.metrics, name, ...labels);

/**
 * The tread model in two versions; the repository shows the lower one only. The golden image is black, so that proving a version costs
 * little.
 */
async function twoVersions(folder: string): Promise<{ repository: string; toggle: () => Promise<void> }> {
  const repository = join(folder, 'models');
  await cp(join(MODELS, 'sidewall'), join(repository, 'sidewall'), { recursive: true });
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

const answersIn = ({ answers }: Reading) => OPERATIONS.reduce((sum, operation) => sum + answers[operation], 0);

/** The next message of a process. Rejects when the process ends first. */
async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const waiting = new AbortController();
  const ended = once(child, 'exit', waiting).then(([code]) => {
    throw new Error(`${child.spawnargs[1]} ended with ${code}`);
  });
  try {
    return ((await Promise.race([once(child, 'message', waiting), ended])) as [Message])[0];
  } finally {
    ended.catch(() => undefined);
    waiting.abort();
  }
}

/** From answer to answer: a count of whole answers in a fixed time is off by one, which is 6 % of 16 sidewalls. */
const rateBetween = (from: Reading, to: Reading, operation: Operation) =>
  ((to.answers[operation] - from.answers[operation]) * 1000) / (to.answeredMs[operation] - from.answeredMs[operation]);

/** The worker and the bare loops run in turn, so that other load on the machine affects both alike. */
async function speed(worker: WorkerUnderLoad, repository: string, images: Images, operations: readonly Operation[]): Promise<Figure[]> {
  const bare = operations.map((operation) => fork(join(__dirname, 'bare-loop.js'), [repository, operation, images[operation]]));
  const rateOf = (loop: ChildProcess) => messageOf<number>(loop);
  await Promise.all(bare.map((loop) => messageOf(loop)));
  const rounds: { shares: readonly number[]; busy: number; decode: number; lagP99Ms: number; lagMaxMs: number; healthP99Ms: number }[] = [];
  let looks = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const loop of bare) loop.send(ROUND_MS);
    const bareRates = await Promise.all(bare.map(rateOf));
    worker.begin(...operations);
    const begun = await worker.read();
    const isUnderWay = ({ answers }: Reading) => operations.every((operation) => answers[operation] > begun.answers[operation] + 1);
    await eventually(async () => isUnderWay(await worker.read()), { timeoutMs: 60_000 });
    const from = await worker.read();
    const polling = new AbortController();
    const times = healthTimes(worker.origin, polling.signal);
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
    polling.abort();
    const health = await times;
    looks += health.length;
    const to = await worker.read();
    await worker.end();
    if (to.failed > from.failed) throw new Error(`${to.failed - from.failed} photographs were not measured`);
    const seconds = (to.atMs - from.atMs) / 1000;
    const spent = (stage: string) => between(from, to, 'tire_inference_stage_seconds_sum', `tire_stage="${stage}"`) / seconds;
    rounds.push({
      shares: operations.map((operation, i) => rateBetween(from, to, operation) / bareRates[i]!),
      ...{ busy: spent('model') + spent('post'), decode: spent('decode'), healthP99Ms: percentile(health, 0.99) },
      lagP99Ms: metricOf(to.metrics, 'tire_event_loop_lag_seconds', 'kind="p99"') * 1000,
      lagMaxMs: metricOf(to.metrics, 'tire_event_loop_lag_seconds', 'kind="max"') * 1000,
    });
  }
  for (const loop of bare) loop.disconnect();
  const of = (name: Exclude<keyof (typeof rounds)[number], 'shares'>) => rounds.map((round) => round[name]);
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const inModels = percent(median(of('busy')));
  const inDecodeToo = median(of('busy')) + median(of('decode'));
  const busy: Figure = {
    name: 'wall time in decode or model',
    value: `${percent(Math.min(1, inDecodeToo))} (model process alone ${inModels})`,
  };
  const rates = operations.map((operation, i): Figure => {
    const shares = rounds.map((round) => round.shares[i]!);
    const name = `rate of ${operation}, of a bare loop${bare.length > 1 ? ' beside the other' : ''}`;
    return { name, value: rangeText(shares, percent), target: `>= ${percent(KEPT_RATE)}`, met: isAtLeast(shares, KEPT_RATE) };
  });
  return [
    bare.length > 1
      ? { name: 'wall time in two model processes', value: inModels }
      : { ...busy, target: '>= 98 %', met: verdictOf(inDecodeToo >= 0.98) },
    ...rates,
    { name: 'cores that decode for one model that is always busy', value: (median(of('decode')) / median(of('busy'))).toFixed(2) },
    {
      name: 'event loop lag p99 (longest)',
      value: `${rangeText(of('lagP99Ms'), ms)}; ${ms(Math.max(...of('lagMaxMs')))}`,
      target: '< 25 ms',
      met: verdictOf(median(of('lagP99Ms')) < 25),
    },
    {
      name: 'health p99',
      value: `${rangeText(of('healthP99Ms'), ms)} of ${looks}`,
      target: '< 20 ms',
      met: verdictOf(median(of('healthP99Ms')) < 20),
    },
  ];
}

/** Runs in a process of its own, so that only its own CPU time counts. */
async function sidewallStages(repository: string): Promise<Figure[]> {
  const analyses = fork(join(__dirname, 'sidewall-stages.js'), [repository]);
  const { atFirstSight, neverSure } = await messageOf<StagesOfScans>(analyses);
  const sum = (stages: Stages) => Object.values(stages).reduce((all, seconds) => all + seconds, 0);
  const each = (stages: Stages) => Object.entries(stages).map(([stage, seconds]) => `${stage} ${seconds.toFixed(2)}`);
  const print = (stages: Stages) => `${sum(stages).toFixed(2)} s (${each(stages).join(', ')})`;
  return [
    { name: 'CPU of a wheel of 12 megapixels', value: print(atFirstSight), target: '<= 1.5 s', met: verdictOf(sum(atFirstSight) <= 1.5) },
    { name: 'the same, never sure enough', value: print(neverSure) },
  ];
}

const swapsIn = ({ metrics }: Reading) => metricOf(metrics, 'tire_inference_model_swaps', 'outcome="taken"', '"tire.tread"');

async function swaps(worker: WorkerUnderLoad, toggle: () => Promise<void>): Promise<Figure[]> {
  worker.begin('tire.tread');
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
      value: `${swapsIn(to) - swapsIn(from)}, ${answersIn(to) - answersIn(from)} answers`,
      target: `${SWAPS}`,
      met: verdictOf(swapsIn(to) - swapsIn(from) === SWAPS),
    },
    { name: 'jobs failed or done again', value: `${lost}`, target: '0', met: verdictOf(lost === 0) },
    {
      name: 'resident memory, first and last fifth',
      value: `${early.toFixed(0)} and ${late.toFixed(0)} MiB`,
      target: 'growth < 10 %',
      met: verdictOf(late < early * 1.1),
    },
  ];
}

interface Part {
  readonly title: string;
  run(folder: string): Promise<Figure[]>;
}

const IMAGES = { 'tire.tread': join(MODELS, 'tread/golden.jpg'), 'tire.sidewall': join(MODELS, 'sidewall/golden.jpg') };

async function speedOf(folder: string, operations: readonly Operation[]): Promise<Figure[]> {
  const repository = resolve(MODELS);
  const worker = await WorkerUnderLoad.start({ folder, repository, images: IMAGES });
  return speed(worker, repository, IMAGES, operations).finally(() => worker.close());
}

const PARTS: Readonly<Record<string, Part>> = {
  sidewall: { title: 'A sidewall', run: () => sidewallStages(MODELS) },
  treads: { title: 'One worker, treads', run: (folder) => speedOf(folder, ['tire.tread']) },
  sidewalls: { title: 'One worker, sidewalls', run: (folder) => speedOf(folder, ['tire.sidewall']) },
  both: { title: 'One worker, both models busy', run: (folder) => speedOf(folder, OPERATIONS) },
  swaps: {
    title: 'One worker, model swaps',
    run: async (folder) => {
      const { repository, toggle } = await twoVersions(folder);
      const worker = await WorkerUnderLoad.start({ folder, repository, images: IMAGES, lookMs: LOOK_FOR_SWAPS_MS });
      return swaps(worker, toggle).finally(() => worker.close());
    },
  },
};

function print({ name, value, target = '', met }: Figure): void {
  const verdict = met === undefined ? '' : { yes: 'met', no: 'MISSED', 'not sure': 'not sure' }[met];
  process.stdout.write(`  ${name.padEnd(52)} ${value.padEnd(44)} ${target.padEnd(12)} ${verdict}`.trimEnd() + '\n');
  if (met === 'no') process.exitCode = 1;
}

async function main(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const part = PARTS[name];
    if (!part) throw new Error(`${name} is none of ${Object.keys(PARTS).join(', ')}`);
    const folder = await mkdtemp(join(tmpdir(), 'tire-engine-bench-'));
    try {
      const figures = await part.run(folder);
      process.stdout.write(`${part.title}\n`);
      figures.forEach(print);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

const asked = process.argv.slice(2);
runBench(() => main(asked.length > 0 ? asked : Object.keys(PARTS)));
