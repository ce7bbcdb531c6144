import { startPostgres, type Postgres } from '@tire/test-harness';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DATABASE_OWNERS } from '../databases';
import type { ReceivedCallback } from '../listeners';
import { PartnerClient } from '../client';
import { startStack } from '../stack';
import { stackDir, type StackFile } from '../stack-file';
import type { Ports } from '../topology';
import { BucketCopy, restoreBucket, restoreInto, type WalArchive } from './archive';
import { eraseAgain } from './erasure';
import { DrillLoad, type Sent } from './load';
import { type CheckObjects, checkObjects, checkRestored, completions, type Fate, fatesOf, healed, inTurns, statusOfPage } from './verify';

type Service = (typeof DATABASE_OWNERS)[number];

/** What the loss left, and what was sent before it. */
export interface Loss {
  /** When the load ended, and when the stack did: an erasure is between them. */
  readonly atMs: number;
  readonly endedMs: number;
  readonly ports: Ports;
  readonly backup: string;
  readonly archive: WalArchive;
  readonly bucket: string;
  readonly sent: readonly Sent[];
  readonly received: readonly ReceivedCallback[];
  /** Kept apart from the backups. */
  readonly erasures: string;
}

export interface Variant {
  readonly name: string;
  readonly until: Date;
  /** These services are restored to another time. */
  readonly skewed?: { readonly services: readonly Service[]; readonly until: Date };
  /** The copy of the bucket ends here. */
  readonly bucketUntil?: Date;
  /** Checks every report afterwards. */
  readonly isWhole?: boolean;
}

export interface Outcome {
  readonly lost: number;
  readonly lostSeconds: number;
  readonly readySeconds: number;
  readonly checkSeconds: number;
  readonly healedSeconds: number;
  /** The check of every report with every page. Null: only of those that may differ. */
  readonly wholeSeconds: number | null;
  readonly differences: Readonly<Record<string, number>>;
  readonly left: Readonly<Record<string, number>>;
  readonly reports: number;
  readonly pages: number;
  readonly missing: number;
  readonly orphans: number;
  readonly again: number;
  readonly faults: readonly string[];
}

const seconds = (fromMs: number): number => (Date.now() - fromMs) / 1_000;
/** A change commits a moment after or before its client's clock was read. */
const CLOCKS_MS = 1_500;
const CHANGED_BEFORE_MS = 120_000;

async function secondPostgres(loss: Loss, until: Date, password: string): Promise<Postgres> {
  const dataDir = join(stackDir(), 'postgres-of-another-time');
  await restoreInto(dataDir, loss.backup, loss.archive, until);
  await copyFile(join(stackDir(), 'postgres.password'), `${dataDir}.password`);
  return startPostgres({ dataDir, durable: true, password });
}

/** Databases and bucket; the broker begins empty. */
async function restoreData(loss: Loss, until: Date, bucketUntil: Date | undefined): Promise<void> {
  const objects = join(stackDir(), 'objects');
  await Promise.all(['nats', 'objects'].map((folder) => rm(join(stackDir(), folder), { recursive: true, force: true })));
  await restoreInto(join(stackDir(), 'postgres'), loss.backup, loss.archive, until);
  await restoreBucket(loss.bucket, objects);
  if (bucketUntil) await BucketCopy.cutOff(objects, bucketUntil);
}

/** Restores into an empty stack, repairs, waits until it has healed, and checks everything. */
export async function tryVariant(loss: Loss, { name, until, skewed, bucketUntil, isWhole }: Variant, password: string): Promise<Outcome> {
  const beganMs = Date.now();
  await restoreData(loss, until, bucketUntil);
  const other = skewed && (await secondPostgres(loss, skewed.until, password));
  const receivedBefore = loss.received.length;
  const stack = await startStack({
    ports: loss.ports,
    ...(skewed && other ? { elsewhere: { postgresUrl: other.url, services: skewed.services } } : {}),
  });
  try {
    const readySeconds = seconds(beganMs);
    const checkedMs = Date.now();
    // What did not change since the earliest of the times is the same in all of them.
    const since = new Date(Math.min(until.getTime(), skewed?.until.getTime() ?? Infinity) - CHANGED_BEFORE_MS).toISOString();
    const found = await checkRestored('--since', since, '--repair');
    const checkSeconds = seconds(checkedMs);
    const erasureFaults = await eraseAgain(stack.file, loss.sent, loss.erasures);
    const objects = await checkObjects();
    const withoutImage = new Set(objects.names.filter(({ finding }) => finding === 'missing').map(({ key }) => key.split('/')[3]!));
    const fates = await healed(stack.file, loss.sent, withoutImage);
    const healedSeconds = seconds(beganMs);
    const ledgerUntil = skewed?.services.includes('ledger') ? skewed.until : until;
    const shareUntil = skewed?.services.includes('share') ? skewed.until : until;
    const wholeMs = Date.now();
    const left = await checkRestored(...(isWhole ? [] : ['--since', since]), '--pages');
    const wholeSeconds = isWhole ? seconds(wholeMs) : null;
    const lost = fates.filter(({ sent, report }) => report === null && sent.act !== 'erased' && !wasDiscarded(sent, ledgerUntil));
    const callbacks = await calledBack(loss, receivedBefore, fates, shareUntil);
    const faults = [
      ...lost
        .filter(({ sent }) => sent.createdMs < ledgerUntil.getTime() - CLOCKS_MS)
        .map(({ sent }) => `lost although older: ${sent.reportId}`),
      ...erasureFaults,
      ...(await endedPages(fates, ledgerUntil)),
      ...callbacks.faults,
      ...left.named.flatMap(({ report_id, differences }) => {
        const bad = differences.filter((difference) => difference !== 'result_lost' && difference !== 'publication_newer');
        return bad.length > 0 ? [`${bad.join()} is left: ${report_id}`] : [];
      }),
      ...(bucketUntil ? [] : unexplained(loss, objects)),
      ...(await worksOn(stack.file, loss, fates)),
    ].map((fault) => `${name}: ${fault}`);
    const oldestLostMs = Math.min(loss.atMs, ...lost.map(({ sent }) => sent.createdMs));
    return {
      lost: lost.length,
      lostSeconds: (loss.atMs - Math.min(oldestLostMs, until.getTime(), skewed?.until.getTime() ?? Infinity)) / 1_000,
      ...{ readySeconds, checkSeconds, healedSeconds, wholeSeconds },
      differences: found.differences,
      left: left.differences,
      reports: left.reports,
      pages: left.pages,
      missing: objects.missing,
      orphans: Object.values(objects.orphans).reduce((sum, count) => sum + count, 0),
      again: callbacks.again,
      faults,
    };
  } finally {
    await stack.stop();
    await other?.stop();
  }
}

/** The copy of the bucket lacks what was stored and discarded between two of its rounds. */
function unexplained({ sent }: Loss, { names }: CheckObjects): string[] {
  const discarded = new Set(sent.filter(({ act }) => act === 'discarded' || act === 'erased').map(({ reportId }) => reportId));
  const missing = names.filter(({ key, finding }) => finding === 'missing' && !discarded.has(key.split('/')[3]!));
  return missing.map(({ key }) => `an object is missing: ${key}`);
}

const wasDiscarded = ({ act, actedMs }: Sent, until: Date): boolean =>
  act === 'discarded' && (actedMs === undefined || actedMs < until.getTime() + CLOCKS_MS);

/** What partners ended before the time of the restore stays ended. */
async function endedPages(fates: readonly Fate[], until: Date): Promise<string[]> {
  const ended = fates.filter(
    ({ sent: { act, actedMs, page } }) =>
      (act === 'revoked' || act === 'discarded') && page !== undefined && actedMs !== undefined && actedMs < until.getTime() - CLOCKS_MS,
  );
  const statuses = await inTurns(ended, async ({ sent }) => ({ sent, status: await statusOfPage(sent.page!) }));
  return statuses
    .filter(({ status }) => status < 400)
    .map(({ sent }) => `the page of a report that was ${sent.act} opens: ${sent.reportId}`);
}

/** Attempts of before the loss hold their callbacks for a while. */
const CALLED_BACK_WITHIN_MS = 180_000;
/** A delivery is written down a moment after the receiver has it. */
const NOTED_WITHIN_MS = 10_000;

async function calledBack(loss: Loss, receivedBefore: number, fates: readonly Fate[], shareUntil: Date) {
  const deadlineMs = Date.now() + CALLED_BACK_WITHIN_MS;
  for (;;) {
    const callbacks = callbacksOf(loss, receivedBefore, fates, shareUntil);
    if (callbacks.uncalled === 0 || Date.now() > deadlineMs) return callbacks;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/**
 * Each report that is complete is called back. A callback about the same result comes again only where its delivery is of after the time to
 * which share was restored.
 */
function callbacksOf(loss: Loss, receivedBefore: number, fates: readonly Fate[], shareUntil: Date) {
  const keyOf = ({ reportId, revision }: { reportId: string; revision: string }) => `${reportId} ${revision}`;
  const before = completions(loss.received.slice(0, receivedBefore)).filter(({ receivedMs }) => receivedMs <= loss.endedMs);
  const after = completions(loss.received.slice(receivedBefore));
  const known = new Set([...before, ...after].map(keyOf));
  const uncalled = fates.filter(
    ({ report }) =>
      report?.analysis_status === 'complete' && !known.has(keyOf({ reportId: report.report_id, revision: report.analysis_revision ?? '' })),
  );
  const deliveredMs = new Map(before.map((one) => [keyOf(one), one.receivedMs]));
  const early = after.filter((one) => (deliveredMs.get(keyOf(one)) ?? Infinity) < shareUntil.getTime() - NOTED_WITHIN_MS);
  const reportsBefore = new Set(before.map(({ reportId }) => reportId));
  const again = new Set(after.map(({ reportId }) => reportId).filter((reportId) => reportsBefore.has(reportId)));
  const ids = new Map<string, Set<string>>();
  for (const one of after) ids.set(keyOf(one), (ids.get(keyOf(one)) ?? new Set()).add(one.webhookId));
  return {
    uncalled: uncalled.length,
    again: again.size,
    faults: [
      ...uncalled.map(({ sent }) => `not called back: ${sent.reportId}`),
      ...early.map(({ reportId }) => `called back again although delivered before: ${reportId}`),
      ...[...ids].filter(([, set]) => set.size > 1).map(([key]) => `called back under two ids: ${key}`),
    ],
  };
}

/** Keys work, a repeated creation gets its report, and a new report goes the whole way with an id that was not given before. */
async function worksOn(file: StackFile, loss: Loss, fates: readonly Fate[]): Promise<string[]> {
  const faults: string[] = [];
  const load = new DrillLoad(file, [], { cheap: 1_000, real: 1_000 });
  const survivor = fates.find(({ sent, report }) => sent.mode === 'test' && report !== null)?.sent;
  if (survivor) {
    const { reportId } = await load.create('test', survivor.idempotencyKey);
    if (reportId !== survivor.reportId) faults.push(`a repeated creation gave another report than ${survivor.reportId}`);
  }
  const fresh = await load.create('test');
  if (loss.sent.some(({ reportId }) => reportId === fresh.reportId)) faults.push(`the id ${fresh.reportId} was given twice`);
  await new PartnerClient(file, file.keys.test).finished(fresh.reportId);
  const [{ report } = { report: null }] = await fatesOf(file, [fresh]);
  if (!report?.links.share || (await statusOfPage(report.links.share)) !== 200) faults.push('the page of a new report does not open');
  return faults;
}
