import { startSmallS3 } from '@tire/test-harness';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Links } from '../links/links';
import { receiveCallbacks } from '../listeners';
import { step } from '../progress';
import { completions, inTurns } from '../restore/verify';
import { sampleImages } from '../samples';
import { startStack } from '../stack';
import { stackDir, type StackFile } from '../stack-file';
import { clockLibrary, faultsOf as everyFault, mountSmall, unmount, type World } from './faults';
import { countedReports, rowsOf, type Sample, sampleOf, waitingOf } from './levels';
import { randomOf, shuffled } from './random';
import { Traffic } from './traffic';
import { faultsOf, grown, type Level, SLACK, slopeOf } from './verdict';

/**
 * `npm run soak`: a day's traffic in an hour, with every kind of fault at random. Afterwards nothing is lost or doubled, and memory, handles,
 * rows and objects are as before. Everything that happens is written to STACK_DIR/soak as it happens.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    cheap: { type: 'string', default: '2' },
    real: { type: 'string', default: '0.1' },
  },
});
const [MINUTES, SEED, CHEAP, REAL] = [values.minutes, values.seed, values.cheap, values.real].map(Number) as [
  number,
  number,
  number,
  number,
];
const BUCKET = 'soak';
const OBJECTS_MIB = 512;
const POSTGRES_MIB = 1_536;
const BETWEEN_FAULTS_MS = 12_000;
const WARM_MS = 30_000;
const SAMPLE_EVERY_MS = 10_000;
/** Pools close, caches fill and garbage is collected meanwhile. */
const REST_MS = Math.min(60_000, MINUTES * 6_000);
const QUIET_WITHIN_MS = 600_000;

process.env['STACK_DIR'] ??= mkdtempSync(join(tmpdir(), 'tire-soak-'));
mkdirSync(stackDir(), { recursive: true });
chmodSync(stackDir(), 0o755);
const folder = join(stackDir(), 'soak');
const written = (name: string) => join(folder, name);
const note = (name: string, value: object) => appendFile(written(name), `${JSON.stringify(value)}\n`);

async function quiet(stack: StackFile): Promise<void> {
  const deadlineMs = Date.now() + QUIET_WITHIN_MS;
  for (let waiting = await waitingOf(stack); waiting > 0; waiting = await waitingOf(stack)) {
    if (Date.now() > deadlineMs) throw new Error(`${waiting} pieces of work and messages still wait`);
    await pause(2_000);
  }
}

const objectsIn = async (path: string): Promise<number> =>
  (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;

/** Without load, after some rest. */
async function levelsOf(stack: StackFile, objects: string) {
  await quiet(stack);
  await pause(REST_MS);
  return { sample: await sampleOf(stack), rows: await rowsOf(stack), objects: await objectsIn(objects) };
}

type Levels = Awaited<ReturnType<typeof levelsOf>>;

const sides = (before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>): Level[] =>
  Object.keys(after).map((name) => ({ name, before: before[name] ?? 0, after: after[name]! }));

async function makeFaults(world: World, untilMs: number): Promise<string[]> {
  const made: string[] = [];
  let left = shuffled(everyFault(world), world.random);
  while (Date.now() < untilMs) {
    const fault = left.shift();
    if (!fault) {
      left = shuffled(everyFault(world), world.random);
      continue;
    }
    await note('faults.jsonl', { at: new Date().toISOString(), fault: fault.name });
    await fault
      .make()
      .catch((error: Error) => note('faults.jsonl', { at: new Date().toISOString(), failed: fault.name, why: error.message }));
    made.push(fault.name.replace(/: .*/, '').replace(/clock of \w+/, 'clock of a service'));
    await pause(BETWEEN_FAULTS_MS * (0.5 + world.random()));
  }
  return made;
}

function grownOf(before: Levels, after: Levels, samples: readonly Sample[]): string[] {
  const told = (what: string) => (level: Level) =>
    `${what} of ${level.name}: ${level.before.toFixed(0)} before, ${level.after.toFixed(0)} after`;
  // The slope of a process counts from its last start on, and only where its level also ended higher.
  const slopes = Object.entries(after.sample.pids).map(([name, pid]) => {
    const own = samples.filter(({ pids }) => pids[name] === pid);
    return `${name} ${slopeOf(own.map(({ atMs, memoryMib }) => ({ atMs, value: memoryMib[name]! }))).toFixed(1)}`;
  });
  console.log(`  memory, MiB a minute since the last start: ${slopes.join(', ')}`);
  return [
    ...grown(sides(before.sample.memoryMib, after.sample.memoryMib), SLACK.memoryMib).map(told('memory in MiB')),
    ...grown(sides(before.sample.handles, after.sample.handles), SLACK.handles).map(told('handles')),
    ...grown(sides(before.rows, after.rows), SLACK.rows).map(told('rows')),
    ...grown([{ name: 'the bucket', before: before.objects, after: after.objects }], SLACK.rows).map(told('objects')),
  ];
}

/** Small disks where they can be had, a link between every two processes, and a stack on them. */
async function prepared() {
  await mkdir(folder, { recursive: true });
  const objects = join(stackDir(), 'bucket');
  const postgres = join(stackDir(), 'postgres');
  await Promise.all([mkdir(objects), mkdir(postgres, { mode: 0o700 })]);
  const disks: Record<string, string> = {};
  if (await mountSmall(objects, OBJECTS_MIB)) disks['the bucket'] = objects;
  if (await mountSmall(postgres, POSTGRES_MIB)) disks['Postgres'] = postgres;
  const library = await clockLibrary();
  console.log(`  seed ${SEED}, ${MINUTES} minutes; state in ${folder}`);
  console.log(
    `  small disks: ${Object.keys(disks).join(', ') || 'not possible here'}; clocks: ${library ? 'libfaketime' : 'not possible here'}`,
  );
  await writeFile(written('run.json'), JSON.stringify({ seed: SEED, minutes: MINUTES, began: new Date().toISOString(), disks, library }));
  const links = new Links();
  const s3 = await startSmallS3(BUCKET, objects);
  const link = await links.add('objects', s3.port);
  const { accessKey, secretKey } = s3;
  const stack = await startStack({ links, s3: { endpoint: `http://127.0.0.1:${link.port}`, bucket: BUCKET, accessKey, secretKey } });
  const callbacks = await receiveCallbacks(stack.file);
  const stop = async () => {
    for (const name of links.names) links.get(name).heal();
    await callbacks.close();
    await stack.stop();
    await links.closeAll();
    await s3.stop();
    for (const mounted of Object.values(disks)) await unmount(mounted);
  };
  const world: World = { stack, links, random: randomOf(SEED), disks, clockLibrary: library };
  return { world, objects, callbacks, stop };
}

/** Looks at every process again and again, until `stop`, which gives what it saw. */
function watched(stack: StackFile): () => Sample[] {
  const seen: Sample[] = [];
  const timer = setInterval(() => {
    void sampleOf(stack).then((sample) => note('samples.jsonl', sample).then(() => seen.push(sample)));
  }, SAMPLE_EVERY_MS);
  return () => {
    clearInterval(timer);
    return seen;
  };
}

async function day({ world, objects, callbacks }: Awaited<ReturnType<typeof prepared>>): Promise<number> {
  const { file } = world.stack;
  const samples = await sampleImages(join(stackDir(), 'samples'));
  const options = { minutes: MINUTES, cheapPerSecond: CHEAP, realPerSecond: REAL, journal: written('reports.jsonl') };
  const warm = new Traffic(file, samples, { ...options, minutes: WARM_MS / 60_000 });
  await step('warm', async () => {
    warm.start();
    await pause(WARM_MS);
    await warm.stop();
  });
  await step('discarded', () => discardAll(warm));
  const before = await step('levels before', () => levelsOf(file, objects));
  const stopWatching = watched(file);
  const traffic = new Traffic(file, samples, options);
  traffic.start();
  const made = await step('a day with faults', () => makeFaults(world, Date.now() + MINUTES * 60_000));
  await step('everything that began has ended', () => traffic.stop());
  const seen = stopWatching();
  await step('nothing waits', () => quiet(file));
  const faults = [...traffic.faults, ...(await booksOf(file, traffic, warm, callbacks.received))];
  await step('discarded', () => discardAll(traffic));
  const after = await step('levels after', () => levelsOf(file, objects));
  faults.push(...grownOf(before, after, seen));
  const counts = [...new Set(made)].sort().map((name) => `${made.filter((one) => one === name).length} ${name}`);
  const summary = { ended: new Date().toISOString(), reports: traffic.created.size, made: counts, before, after, faults };
  await writeFile(written('summary.json'), JSON.stringify(summary, null, 2));
  console.log(`\n${traffic.created.size} reports; ${made.length} faults: ${counts.join(', ')}`);
  for (const fault of faults) console.error(`  ✗ ${fault}`);
  return faults.length === 0 ? 0 : 1;
}

async function main(): Promise<number> {
  const all = await prepared();
  return day(all).finally(() => all.stop());
}

async function booksOf(file: StackFile, traffic: Traffic, warm: Traffic, received: Parameters<typeof completions>[0]): Promise<string[]> {
  const ids = [...traffic.modes];
  const reports = await inTurns(ids, ([id, mode]) => traffic.clientOf(mode).report(id));
  const published = reports.filter((one) => one.analysis_status === 'complete' && one.publication_status === 'published');
  const callbacks = new Map<string, Set<string>>();
  for (const { reportId, webhookId } of completions(received)) {
    if (warm.modes.has(reportId)) continue;
    callbacks.set(reportId, (callbacks.get(reportId) ?? new Set()).add(webhookId));
  }
  const { reports: inDatabase, counted } = await countedReports(file);
  return faultsOf({
    created: traffic.created,
    published: new Set(published.map(({ report_id }) => report_id)),
    callbacks,
    reports: inDatabase - warm.modes.size,
    counted: counted - warm.modes.size,
  });
}

const discardAll = async (traffic: Traffic): Promise<void> => {
  await inTurns([...traffic.modes], ([id, mode]) => traffic.clientOf(mode).json('DELETE', `/reports/${id}`));
};

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(`\nThe soak failed: ${error.stack}\nIts state is in ${folder}`);
    process.exit(1);
  },
);
