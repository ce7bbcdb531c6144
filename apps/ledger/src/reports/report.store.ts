import { assertNever } from '@tire/kernel';
import { insertRow } from '@tire/platform';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { revisionSnapshot } from '../domain/document';
import { initialState, type Report, type ReportEvent, type ReportState } from '../domain/report';
import type { ReportSlotRecord } from '../domain/slot';
import type { AnalysisStatus } from '../domain/status';
import { changingColumns, clearedColumns, fixedColumns, handoverColumns, slotColumns, stateOf } from './report.mapping';
import { originColumns } from '../history/history.service';
import { AnalysisRevisionRow, IdempotencyRow, ReportRow, SlotRow } from './report.rows';
import { forgetHistory } from '../usage/usage.service';

type Existing = Exclude<ReportState, { lifecycle: 'absent' }>;

/** One command at a time changes a report: its row is locked before anything is decided. */
export const lockReport = (tx: EntityManager, reportId: string): Promise<ReportState> => load(tx, { reportId }, true);

/** A change may come between the row and its slots: for what is judged again under the lock, and for what no lock would make truer. */
export const findReport = (tx: EntityManager, reportId: string): Promise<ReportState> => load(tx, { reportId }, false);

/** The row alone, so one moment: its state without slots, and the status that they had in that moment. */
export async function findReportRow(tx: EntityManager, reportId: string): Promise<{ state: ReportState; analysisStatus: AnalysisStatus }> {
  const row = await tx.findOneBy(ReportRow, { reportId });
  return row ? { state: stateOf(row, []), analysisStatus: row.analysisStatus } : { state: initialState, analysisStatus: 'awaiting_images' };
}

export const findInspection = (tx: EntityManager, projectId: string, externalInspectionId: string): Promise<ReportState> =>
  load(tx, { projectId, externalInspectionId }, false);

async function load(tx: EntityManager, where: FindOptionsWhere<ReportRow>, locked: boolean): Promise<ReportState> {
  const row = await tx.findOne(ReportRow, { where, ...(locked ? { lock: { mode: 'pessimistic_write' } } : {}) });
  return row ? stateOf(row, await tx.find(SlotRow, { where: { reportId: row.reportId } })) : initialState;
}

export async function saveReport(
  tx: EntityManager,
  before: ReportState,
  after: ReportState,
  events: readonly ReportEvent[],
  now: Date,
): Promise<void> {
  if (before.lifecycle === 'absent') {
    if (after.lifecycle === 'open') await insert(tx, before, after, now);
  } else if (after.lifecycle === 'absent') {
    await remove(tx, before.report.identity.reportId);
  } else {
    await update(tx, before, after, now);
  }
  for (const event of events) {
    if (event.type === 'analysisEnded' && after.lifecycle === 'open') await freeze(tx, after.report, event.revision);
  }
}

async function insert(tx: EntityManager, before: ReportState, after: Extract<ReportState, { lifecycle: 'open' }>, now: Date) {
  const { report } = after;
  // Spread into one literal, so many columns left 15 kB a creation that only the long collections took: 60 ms of pause every ten seconds.
  const row = Object.assign(
    new ReportRow(),
    fixedColumns(report),
    originColumns(report),
    changingColumns(report),
    handoverColumns(before, after, now),
  );
  await insertRow(tx, ReportRow, row);
  await saveSlots(
    tx,
    report,
    report.slots.filter(({ state }) => state.phase !== 'empty'),
    now,
  );
}

async function update(tx: EntityManager, before: Existing, after: Existing, now: Date): Promise<void> {
  const { report } = after;
  const { reportId } = report.identity;
  const handover = handoverColumns(before, after, now);
  switch (after.lifecycle) {
    case 'open': {
      await tx.update(ReportRow, { reportId }, { ...changingColumns(report), ...handover });
      const changed = report.slots.filter((slot) => !before.report.slots.includes(slot));
      return saveSlots(tx, report, changed, now);
    }
    case 'purging':
      await tx.update(ReportRow, { reportId }, { purgeAt: now, ...handover });
      return;
    case 'discarded': {
      const cleared = after.cleared ? clearedColumns(now) : {};
      await tx.update(ReportRow, { reportId }, { discardedAt: new Date(after.discardedAt), ...cleared, ...handover });
      if (after.cleared) await removeMeasured(tx, reportId);
      return;
    }
    default:
      return assertNever(after);
  }
}

async function saveSlots(tx: EntityManager, report: Report, slots: readonly ReportSlotRecord[], now: Date): Promise<void> {
  if (slots.length === 0) return;
  const { reportId, projectId } = report.identity;
  await tx.upsert(
    SlotRow,
    slots.map((slot) => ({ reportId, projectId, ...slotColumns(slot, now) })),
    ['reportId', 'slotId'],
  );
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

/** The database lets a frozen revision go only with its closed report. */
async function removeMeasured(tx: EntityManager, reportId: string): Promise<void> {
  await tx.delete(SlotRow, { reportId });
  await tx.delete(AnalysisRevisionRow, { reportId });
  await forgetHistory(tx, reportId);
}

async function remove(tx: EntityManager, reportId: string): Promise<void> {
  await removeMeasured(tx, reportId);
  await tx.delete(IdempotencyRow, { reportId });
  await tx.delete(ReportRow, { reportId });
}
