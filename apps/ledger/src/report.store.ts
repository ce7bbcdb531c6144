import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { revisionSnapshot } from './domain/document';
import type { StoredAnswer } from './domain/idempotency';
import { initialState, type Report, type ReportEvent, type ReportState } from './domain/report';
import { changingColumns, fixedColumns, reportOf, slotColumns } from './report.mapping';
import { AnalysisRevisionRow, IdempotencyRow, ReportRow, SlotRow } from './report.rows';

/** One command at a time changes a report: its row is locked before anything is decided. */
export const lockReport = (tx: EntityManager, reportId: string): Promise<ReportState> => load(tx, { reportId }, true);

export const findReport = (tx: EntityManager, reportId: string): Promise<ReportState> => load(tx, { reportId }, false);

export const findInspection = (tx: EntityManager, projectId: string, externalInspectionId: string): Promise<ReportState> =>
  load(tx, { projectId, externalInspectionId }, false);

async function load(tx: EntityManager, where: FindOptionsWhere<ReportRow>, locked: boolean): Promise<ReportState> {
  const row = await tx.findOne(ReportRow, { where, ...(locked ? { lock: { mode: 'pessimistic_write' } } : {}) });
  if (!row) return initialState;
  const slots = await tx.find(SlotRow, { where: { reportId: row.reportId } });
  return { lifecycle: 'open', report: reportOf(row, slots) };
}

export async function saveReport(
  tx: EntityManager,
  before: ReportState,
  report: Report,
  events: readonly ReportEvent[],
  now: Date,
): Promise<void> {
  const { reportId, projectId } = report.identity;
  if (before.lifecycle === 'absent') {
    await tx.insert(ReportRow, { ...fixedColumns(report), ...changingColumns(null, report, now) });
    await tx.insert(
      SlotRow,
      report.slots.map((slot) => ({ reportId, projectId, ...slotColumns(slot, now) })),
    );
  } else {
    await tx.update(ReportRow, { reportId }, changingColumns(before.report, report, now));
    for (const slot of report.slots.filter((candidate) => !before.report.slots.includes(candidate))) {
      await tx.update(SlotRow, { reportId, slotId: slot.slotId }, slotColumns(slot, now));
    }
  }
  for (const event of events) if (event.type === 'analysisEnded') await freeze(tx, report, event.revision);
}

const freeze = async (tx: EntityManager, report: Report, revision: NonNullable<Report['revision']>): Promise<void> => {
  await tx.insert(AnalysisRevisionRow, {
    revisionId: revision.revisionId,
    reportId: report.identity.reportId,
    projectId: report.identity.projectId,
    status: revision.status,
    completedAt: new Date(revision.completedAt),
    snapshot: Buffer.from(JSON.stringify(revisionSnapshot(report, revision))),
  });
};

/** Another request with the same key is running when the lock is taken: the caller is told, not kept waiting. */
export async function tryLockKey(tx: EntityManager, projectId: string, idempotencyKey: string): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }[]>('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 1)) AS locked', [
    `${projectId} ${idempotencyKey}`,
  ]);
  return row?.locked ?? false;
}

/** Two creations of one inspection run one after the other, so that the second finds the first. */
export async function lockInspection(tx: EntityManager, projectId: string, externalInspectionId: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 2))', [`${projectId} ${externalInspectionId}`]);
}

export const findAnswer = (tx: EntityManager, projectId: string, idempotencyKey: string): Promise<StoredAnswer | null> =>
  tx.findOneBy(IdempotencyRow, { projectId, idempotencyKey });

/** Keeps the answer that came first. */
export async function keepAnswer(tx: EntityManager, row: IdempotencyRow): Promise<StoredAnswer> {
  await tx.createQueryBuilder().insert().into(IdempotencyRow).values(row).orIgnore().execute();
  return tx.findOneByOrFail(IdempotencyRow, { projectId: row.projectId, idempotencyKey: row.idempotencyKey });
}
