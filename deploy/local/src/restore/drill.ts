import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { queryDatabase } from '@tire/test-harness/bench';
import { PartnerClient } from '../client';
import { receiveCallbacks } from '../listeners';
import { step } from '../progress';
import { sampleImages } from '../samples';
import { loadSecrets } from '../secrets';
import { choosePorts, startStack } from '../stack';
import { stackDir } from '../stack-file';
import { addresses } from '../topology';
import { ArchiveWatch, baseBackup, BucketCopy, bytesOf, WalArchive } from './archive';
import { countReports, fill } from './fill';
import { erase } from './erasure';
import { DrillLoad } from './load';
import { type Loss, type Outcome, tryVariant, type Variant } from './variants';

/**
 * `npm run drill:restore`: a stack under load is lost with its data, and is restored from a base backup, the archive of WAL and a copy of the
 * bucket into an empty stack; then again with databases of two times, and with a bucket that is behind. docs/backup.md is the procedure.
 */

const { values } = parseArgs({
  options: {
    reports: { type: 'string', default: '100000' },
    complete: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '90' },
    archive: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    /** Also checks every report once, and not only those that may differ. */
    whole: { type: 'boolean', default: false },
    /** The folder of a drill before, whose loss is restored again. */
    again: { type: 'string' },
  },
});
const [REPORTS, COMPLETE, SECONDS, ARCHIVE_SECONDS] = [values.reports, values.complete, values.seconds, values.archive].map(Number) as [
  number,
  number,
  number,
  number,
];
const BUCKET_EVERY_MS = 5_000;
const SKEW_MS = 30_000;
const EVERY_MS = { cheap: 1_000, real: 8_000 };
const PORTION = 1_048_576;

// Postgres, which is not root, restores from here.
process.env['STACK_DIR'] ??= values.again ?? mkdtempSync(join(tmpdir(), 'tire-restore-'));
mkdirSync(stackDir(), { recursive: true });
chmodSync(stackDir(), 0o755);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Sizes {
  readonly seconds: number;
  readonly rows: number;
  readonly backup: number;
  readonly wal: number;
  readonly bucket: number;
}

/** Runs the stack with backups, until everything is lost at once. */
async function untilLost(): Promise<{ loss: Loss; until: Date; sizes: Sizes; version: string; close: () => Promise<void> }> {
  const ports = await choosePorts();
  const archive = await WalArchive.in(join(stackDir(), 'wal'), ARCHIVE_SECONDS);
  const stack = await startStack({ ports, postgresSettings: archive.settings });
  const { file } = stack;
  const callbacks = await receiveCallbacks({ callback_origin: addresses(ports).callbackOrigin });
  const samples = await step('photographs', () => sampleImages(join(stackDir(), 'samples')));
  const load = new DrillLoad(file, samples, EVERY_MS);
  await step(`${REPORTS} reports, ${COMPLETE} of them complete`, async () => {
    const sample = await load.create('test');
    await new PartnerClient(file, file.keys.test).finished(sample.reportId);
    const { report_id: empty } = await new PartnerClient(file, file.keys.test).create({ template: 'tire_4t_0s' });
    await fill(file, { reports: REPORTS, complete: COMPLETE }, empty, sample.reportId);
  });
  load.start();
  const backup = join(stackDir(), 'base');
  await step('base backup', () => baseBackup(file.postgres_url, join(stackDir(), 'postgres'), backup));
  const bucket = new BucketCopy(join(stackDir(), 'objects'), join(stackDir(), 'bucket-copy'));
  const shown = await queryDatabase<{ server_version: string }>(file, 'postgres', 'SHOW server_version');
  const version = shown[0]!.server_version.split(' ')[0]!;
  const watch = new ArchiveWatch();
  let copied = new Date(0);
  await step(`${SECONDS} s of load`, async () => {
    const untilMs = Date.now() + SECONDS * 1_000;
    const looking = setInterval(() => void watch.look(file.postgres_url), 1_000);
    while (Date.now() < untilMs || !watch.reachesUntil) {
      copied = await bucket.update();
      await pause(BUCKET_EVERY_MS);
    }
    copied = await bucket.update();
    clearInterval(looking);
    await watch.look(file.postgres_url);
  });
  const rows = await countReports(file);
  const atMs = Date.now();
  load.stop();
  const erased = load.sent.find(({ act, page, isReal }) => !act && isReal && page !== undefined);
  if (!erased) throw new Error('no report of real photographs is complete without an act');
  const erasures = await step('an erasure', () => erase(file, erased));
  const endedMs = Date.now();
  await stack.kill();
  const walBytes = await bytesOf(archive.folder);
  const sizes = { seconds: SECONDS, rows, backup: await bytesOf(backup), wal: walBytes, bucket: await bytesOf(bucket.folder) };
  await Promise.all(['postgres', 'nats', 'objects'].map((folder) => rm(join(stackDir(), folder), { recursive: true, force: true })));
  const loss = { atMs, endedMs, ports, backup, archive, bucket: bucket.folder, sent: load.sent, received: callbacks.received, erasures };
  return { loss, until: new Date(Math.min(watch.reachesUntil!.getTime(), copied.getTime())), sizes, version, close: callbacks.close };
}

function variantsOf(until: Date): Variant[] {
  const earlier = new Date(until.getTime() - SKEW_MS);
  return [
    { name: 'one time, bucket newer', until, isWhole: values.whole },
    { name: 'one time, bucket 30 s older', until, bucketUntil: earlier },
    { name: 'content and share 30 s older', until, skewed: { services: ['content', 'share'], until: earlier } },
    { name: 'content and share 30 s newer', until: earlier, skewed: { services: ['content', 'share'], until } },
  ];
}

const counts = (found: Readonly<Record<string, number>>): string =>
  Object.entries(found)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || 'none';

function printed(variants: readonly Variant[], outcomes: readonly Outcome[]): string {
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const s = (value: number) => `${value.toFixed(1)} s`;
  return [
    row([
      'restored',
      'data lost',
      'reports lost',
      'ready after',
      'repair',
      'healed after',
      'found',
      'left',
      'whole check',
      'pages',
      'missing',
      'orphans',
      'called back again',
    ]),
    `|---|${'--:|'.repeat(5)}---|---|${'--:|'.repeat(5)}`,
    ...outcomes.map((it, index) =>
      row([
        variants[index]!.name,
        ...[s(it.lostSeconds), it.lost, s(it.readySeconds), s(it.checkSeconds), s(it.healedSeconds)],
        ...[
          counts(it.differences),
          counts(it.left),
          it.wholeSeconds === null ? '' : s(it.wholeSeconds),
          it.pages,
          it.missing,
          it.orphans,
          it.again,
        ],
      ]),
    ),
  ].join('\n');
}

type Lost = Awaited<ReturnType<typeof untilLost>>;

const lossFile = (): string => join(stackDir(), 'loss.json');

async function keep({ close: _, loss, ...rest }: Lost): Promise<void> {
  const { archive, ...plain } = loss;
  await writeFile(lossFile(), JSON.stringify({ ...rest, loss: { ...plain, archiveSeconds: archive.intervalSeconds } }));
}

async function kept(): Promise<Lost> {
  const { loss, ...rest } = JSON.parse(await readFile(lossFile(), 'utf8')) as Omit<Lost, 'close' | 'until'> & {
    until: string;
    loss: Loss & { archiveSeconds: number };
  };
  const archive = await WalArchive.in(join(stackDir(), 'wal'), loss.archiveSeconds);
  const { received, close } = await receiveCallbacks({ callback_origin: addresses(loss.ports).callbackOrigin });
  received.push(...loss.received);
  return { ...rest, until: new Date(rest.until), loss: { ...loss, archive, received }, close };
}

async function main(): Promise<number> {
  const lost = values.again ? await kept() : await untilLost();
  if (!values.again) await keep(lost);
  const { loss, until, sizes, version, close } = lost;
  const { postgresPassword } = await loadSecrets();
  try {
    const variants = variantsOf(until).filter(({ name }) => name.includes(values.only));
    const outcomes: Outcome[] = [];
    for (const variant of variants) outcomes.push(await step(variant.name, () => tryVariant(loss, variant, postgresPassword)));
    const mib = (bytes: number) => `${Math.round(bytes / PORTION)} MiB`;
    const about =
      `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, Postgres ${version}, ${cpus().length} cores. ` +
      `${sizes.rows} reports, ${loss.sent.length} of them sent in ${sizes.seconds} s beside the backup; WAL is archived every ${ARCHIVE_SECONDS} s. ` +
      `Base backup ${mib(sizes.backup)}, WAL ${mib(sizes.wal)}, bucket ${mib(sizes.bucket)}.`;
    const table = printed(variants, outcomes);
    console.log(`\n${about}\n\n${table}\n`);
    await writeFile(join(stackDir(), 'drill.md'), `${about}\n\n${table}\n`);
    const faults = outcomes.flatMap((outcome) => outcome.faults);
    for (const fault of faults) console.error(`  ✗ ${fault}`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

main().then(
  async (code) => {
    if (code === 0) await rm(stackDir(), { recursive: true, force: true });
    else console.error(`The data is in ${stackDir()}`);
    process.exit(code);
  },
  (error: Error) => {
    console.error(`\nThe drill failed: ${error.stack}\nThe data is in ${stackDir()}`);
    process.exit(1);
  },
);
