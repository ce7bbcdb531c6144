import { startSmallS3 } from '@tire/test-harness';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Links } from '../links/links';
import { type ReceivedCallback, receiveCallbacks, serveImages } from '../listeners';
import { step } from '../progress';
import { adminJson, completions } from '../restore/verify';
import { sampleImages } from '../samples';
import { startStack } from '../stack';
import { stackDir, type StackFile } from '../stack-file';
import { SERVICES } from '../topology';
import { type Fault, faultsOf, mountSmall, movableClock, OBJECTS_LINK, unmount, type World } from './faults';
import { keptReports, levelsOf, untilNothingWaits, usageOf } from './levels';
import { randomOf } from '../seeded';
import { planOf } from './plan';
import { Traffic } from './traffic';
import { type Levels, wrongInBooks, wrongInLevels } from './verdict';

/**
 * `npm run soak`: a day's traffic in an hour, with every kind of fault at random. Afterwards nothing is lost or doubled, and memory, handles,
 * processes, rows and objects are as before. What happens is written to STACK_DIR/soak as it happens.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    /** The most reports a second, at noon: of well-known photographs, and of real ones. */
    cheap: { type: 'string', default: '1' },
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
const MIB = { bucket: 512, Postgres: 1_024, broker: 256 } as const;
const WARM_MS = 30_000;
/** Pools close, caches fill and garbage is collected meanwhile. */
const REST_MS = 60_000;
const NOTHING_WAITS_WITHIN_MS = 300_000;
const DAY_MS = 86_400_000;

process.env['STACK_DIR'] ??= mkdtempSync(join(tmpdir(), 'tire-soak-'));
mkdirSync(join(stackDir(), 'soak'), { recursive: true });
// Postgres, which is not root, enters it.
chmodSync(stackDir(), 0o755);
const written = (name: string) => join(stackDir(), 'soak', name);
const note = (name: string) => (line: object) =>
  appendFile(written(name), `${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`);
const noteFault = note('faults.jsonl');

const mounted: string[] = [];
const unmountAll = (): Promise<unknown> => Promise.all(mounted.splice(0).map(unmount));

/** Small disks where they can be had, a link between every two processes, and a stack on them. */
async function prepared() {
  const folders = { bucket: join(stackDir(), 'bucket'), Postgres: join(stackDir(), 'postgres'), broker: join(stackDir(), 'nats') };
  const disks: Record<string, string> = {};
  for (const [what, folder] of Object.entries(folders)) {
    await mkdir(folder, { recursive: true });
    if (!(await mountSmall(folder, MIB[what as keyof typeof MIB]))) continue;
    mounted.push(folder);
    disks[what] = folder;
  }
  const links = new Links();
  const s3 = await startSmallS3(BUCKET, folders.bucket);
  const link = await links.add(OBJECTS_LINK, s3.port);
  const { accessKey, secretKey } = s3;
  const stack = await startStack({
    links,
    s3: { endpoint: `http://127.0.0.1:${link.port}`, bucket: BUCKET, accessKey, secretKey },
    postgresSettings: ['max_wal_size=256MB'],
    adjust: async (environment) => {
      for (const name of SERVICES) Object.assign(environment[name], movableClock(name));
    },
  });
  const samples = await sampleImages(join(stackDir(), 'samples'));
  const callbacks = await receiveCallbacks(stack.file);
  const stopImages = await serveImages(stack.file, samples);
  const stop = async () => {
    for (const name of links.names) links.get(name).heal();
    await Promise.all([callbacks.close(), stopImages()]);
    await stack.stop();
    await links.closeAll();
    await s3.stop();
  };
  return { world: { stack, links, disks }, samples, callbacks, skipped: Object.keys(folders).filter((what) => !disks[what]), stop };
}

type Prepared = Awaited<ReturnType<typeof prepared>>;

/** Makes the faults of the plan. Returns those that could not be made. */
async function makeFaults(world: World, lengthMs: number): Promise<{ made: string[]; failed: string[] }> {
  const faults = faultsOf(world);
  const beganMs = Date.now();
  const made: string[] = [];
  const failed: string[] = [];
  for (const { atMs, name, place } of planOf(faults, SEED, lengthMs)) {
    await pause(Math.max(0, beganMs + atMs - Date.now()));
    const { inject, holdMs } = faults.find((fault) => fault.name === name) as Fault;
    console.log(`  ${name} ${place}`);
    await noteFault({ fault: name, place, holdMs });
    try {
      const repair = await inject(place);
      await pause(holdMs).finally(repair);
      made.push(name);
    } catch (error) {
      failed.push(`The fault "${name}" could not be made: ${(error as Error).message}`);
      await noteFault({ failed: name, why: (error as Error).message });
    }
  }
  await pause(Math.max(0, beganMs + lengthMs - Date.now()));
  return { made, failed };
}

/** Of the reports of one traffic, all others being discarded. */
async function books(
  file: StackFile,
  traffic: Traffic,
  earlier: Traffic,
  usedBefore: Record<string, number>,
  callbacks: ReceivedCallback[],
) {
  const others = new Set(earlier.orders.flatMap(({ reportIds }) => [...reportIds]));
  const used = Object.entries(await usageOf(file)).map(([measure, count]) => [measure, count - (usedBefore[measure] ?? 0)]);
  return wrongInBooks({
    orders: traffic.orders,
    kept: await keptReports(file),
    calls: completions(callbacks).filter(({ reportId }) => !others.has(reportId)),
    usage: Object.fromEntries(used) as Record<string, number>,
  });
}

/** Discards every report and removes what the next cleanings of the bucket would remove, each a day later. */
async function cleared(file: StackFile, traffic: Traffic): Promise<{ levels: Levels; waiting: string[] }> {
  await traffic.discardAll();
  const waiting = await untilNothingWaits(file, NOTHING_WAITS_WITHIN_MS);
  await pause(REST_MS);
  for (const days of [2, 4]) await adminJson('assets', ['clean', '--json', '--as-of', new Date(Date.now() + days * DAY_MS).toISOString()]);
  return { levels: await levelsOf(file), waiting };
}

const counted = (names: readonly string[]): string =>
  [...new Set(names)]
    .sort()
    .map((name) => `| ${name} | ${names.filter((one) => one === name).length} |`)
    .join('\n');

async function day({ world, samples, callbacks, skipped }: Prepared): Promise<number> {
  const { file } = world.stack;
  const lengthMs = MINUTES * 60_000;
  const options = { cheapPerSecond: CHEAP, realPerSecond: REAL, random: randomOf(SEED + 1), note: note('reports.jsonl') };
  const warm = new Traffic(file, samples, { ...options, lengthMs: WARM_MS });
  await step('warm', async () => {
    warm.start();
    await pause(WARM_MS);
    await warm.stop();
  });
  const before = await step('levels before', () => cleared(file, warm));
  const usedBefore = await usageOf(file);
  const traffic = new Traffic(file, samples, { ...options, lengthMs });
  traffic.start();
  const { made, failed } = await makeFaults(world, lengthMs);
  const wrong = [...failed];
  await step('everything that began has ended', () => traffic.stop());
  wrong.push(...(await step('nothing waits', () => untilNothingWaits(file, NOTHING_WAITS_WITHIN_MS))));
  wrong.push(...(await step('books', () => books(file, traffic, warm, usedBefore, callbacks.received))));
  const after = await step('levels after', () => cleared(file, traffic));
  wrong.push(...warm.complaints, ...traffic.complaints, ...before.waiting, ...after.waiting, ...wrongInLevels(before.levels, after.levels));
  const seconds = traffic.seconds.sort((a, b) => a - b);
  const at = (share: number) => `${(seconds[Math.floor(share * (seconds.length - 1))] ?? 0).toFixed(1)} s`;
  const table = [
    `Seed ${SEED}, ${MINUTES} minutes, ${traffic.orders.length} reports, ${made.length} faults; complete after ${at(0.5)} (median), ${at(0.95)}, ${at(1)} (slowest).`,
    `\n| fault | times |\n|---|--:|\n${counted(made)}`,
    ...(skipped.length > 0 ? [`\nNot made, because this user may not mount a disk: a full disk of ${skipped.join(', ')}.`] : []),
    ...(traffic.serverErrors.length > 0 ? [`\n${traffic.serverErrors.length} answers of 5xx other than 503, sent again: errors.txt.`] : []),
    wrong.length === 0
      ? '\nNothing is lost or doubled, and everything is as before.'
      : `\nWrong:\n${wrong.map((one) => `- ${one}`).join('\n')}`,
  ].join('\n');
  await writeFile(written('errors.txt'), traffic.serverErrors.map((line) => `${line}\n`).join(''));
  await writeFile(written('levels.json'), JSON.stringify({ before: before.levels, after: after.levels }, null, 2));
  await writeFile(written('soak.md'), `${table}\n`);
  console.log(`\n${table}`);
  return wrong.length === 0 ? 0 : 1;
}

async function main(): Promise<number> {
  console.log(`  seed ${SEED}, ${MINUTES} minutes; state in ${join(stackDir(), 'soak')}`);
  const all = await prepared();
  const gaveUp = all.world.stack.gaveUp.then((name) => {
    throw new Error(`${name} crashes too often`);
  });
  return Promise.race([day(all), gaveUp]).finally(() => all.stop());
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void unmountAll().then(() => process.exit(130)));

void main()
  .catch((error: Error) => {
    console.error(`\nThe soak failed: ${error.stack}\nIts state is in ${join(stackDir(), 'soak')}`);
    return 1;
  })
  .then(async (code) => {
    await unmountAll();
    process.exit(code);
  });
