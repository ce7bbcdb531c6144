import { assertNever, type Attention } from '@tire/kernel';
import { afterCommit, prepared, traceHeaders, type Tx } from '@tire/platform';
import { initialState, type AnalysisRevision, type Report, type ReportEvent, type ReportState } from '../domain/report';
import { waitsFrom } from '../domain/sandbox';
import type { AnalysisRecord, ReportSlotRecord } from '../domain/slot';
import type { Step } from '../domain/steps';
import type { AnalysisStatus } from '../domain/status';
import { isNewResult } from '../domain/standing';
import { imageWarnings } from '../domain/warnings';
import { originColumns } from '../history/history.store';
import { countCreation, deleteHistory } from '../usage/usage.store';
import { measureCompletion } from './completion.metrics';
import { attachVehicle, detachVehicle } from '../vehicles/attachment.store';
import { changingColumns, fixedColumns, handoverChange, holdColumns, slotColumns, slotOf, stateOf } from './report.mapping';
import {
  aliased,
  ANALYSIS,
  CHANGING,
  CLOSING,
  FIXED,
  ORIGIN,
  SLOT,
  type ChangingColumns,
  type LoadedReport,
  type LoadedSlot,
  type SlotColumns,
} from './report.rows';

type Existing = Exclude<ReportState, { lifecycle: 'absent' }>;
type Open = Extract<ReportState, { lifecycle: 'open' }>;

/** A step with the trace that it belongs to. Default: the current one. */
type SavedStep = Step & { readonly cause?: { readonly headers: Record<string, string> } };

interface Origin {
  readonly now: Date;
  /** The trace of each slot that changed. */
  readonly traces: ReadonlyMap<ReportSlotRecord, Record<string, string>>;
}

const slotsIn = (state: ReportState): readonly ReportSlotRecord[] => (state.lifecycle === 'absent' ? [] : state.report.slots);

const changedSlots = ({ before, after }: Pick<Step, 'before' | 'after'>): ReportSlotRecord[] =>
  slotsIn(after).filter((slot) => !slotsIn(before).includes(slot));

const slotTraces = (steps: readonly SavedStep[]): Origin['traces'] =>
  new Map(steps.flatMap((step) => changedSlots(step).map((slot) => [slot, step.cause?.headers ?? traceHeaders()] as const)));

const SELECT_REPORT = `SELECT ${aliased({ ...FIXED, ...CHANGING, ...CLOSING })} FROM reports`;
const BY_ID = prepared(`${SELECT_REPORT} WHERE report_id = $1`);
const BY_ID_LOCKED = prepared(`${BY_ID.prepared} FOR UPDATE`);
const BY_INSPECTION = `${SELECT_REPORT} WHERE project_id = $1 AND external_inspection_id = $2`;
const SELECT_SLOTS = prepared(`
  SELECT ${aliased({ ...SLOT, ...ANALYSIS })} FROM slots LEFT JOIN analyses USING (report_id, slot_id, analysis_id) WHERE report_id = $1`);

/** One command at a time changes a report: its row is locked before anything is decided. */
export const lockReport = (tx: Tx, reportId: string): Promise<ReportState> => loadById(tx, BY_ID_LOCKED, reportId);

/** A change may commit between the two reads. Use it for checks that the command repeats under the lock, or where no lock is needed. */
export const findReport = (tx: Tx, reportId: string): Promise<ReportState> => loadById(tx, BY_ID, reportId);

export async function findInspection(tx: Tx, projectId: string, externalInspectionId: string): Promise<ReportState> {
  const [row] = await tx.rows<LoadedReport>(BY_INSPECTION, [projectId, externalInspectionId]);
  return row ? stateOf(row, await tx.rows<LoadedSlot>(SELECT_SLOTS, [row.reportId])) : initialState;
}

/** Only the row, so the state of one moment: without slots, but with the status that they had. */
export async function findReportRow(tx: Tx, reportId: string): Promise<{ state: ReportState; analysisStatus: AnalysisStatus }> {
  const [row] = await tx.rows<LoadedReport>(BY_ID, [reportId]);
  return row ? { state: stateOf(row, []), analysisStatus: row.analysisStatus } : { state: initialState, analysisStatus: 'awaiting_images' };
}

/** The slots that are not empty. */
export const findSlots = async (tx: Tx, reportId: string): Promise<ReportSlotRecord[]> =>
  (await tx.rows<LoadedSlot>(SELECT_SLOTS, [reportId])).map(slotOf);

/** Two statements in one round trip. The second one begins after the first one, so it sees what was committed before the lock came. */
async function loadById(tx: Tx, select: typeof BY_ID, reportId: string): Promise<ReportState> {
  const [[row], slots] = await Promise.all([tx.rows<LoadedReport>(select, [reportId]), tx.rows<LoadedSlot>(SELECT_SLOTS, [reportId])]);
  return row ? stateOf(row, slots) : initialState;
}

/** The steps of one transaction become one change. At most one of them ends the analysis, and none after it changes what a revision holds. */
export async function saveReport(tx: Tx, steps: readonly SavedStep[], now: Date): Promise<void> {
  const [before, after] = [steps[0]!.before, steps.at(-1)!.after];
  const events = steps.flatMap((step) => step.events);
  await Promise.all(changesOf(tx, before, after, events, { now, traces: slotTraces(steps) }));
  if (after.lifecycle !== 'open') return;
  afterCommit(tx, () => measureCompletion(after.report, events));
}

/** All statements are sent before the first one is answered: those of a usual change take one round trip. They run in this order. */
function changesOf(tx: Tx, before: ReportState, after: ReportState, events: readonly ReportEvent[], origin: Origin): Promise<unknown>[] {
  if (after.lifecycle === 'absent') return before.lifecycle === 'absent' ? [] : [remove(tx, before.report.identity.reportId)];
  if (after.lifecycle !== 'open') return before.lifecycle === 'absent' ? [] : [update(tx, before, after, origin)];
  const { report } = after;
  return [
    before.lifecycle === 'absent' ? insert(tx, after, origin) : update(tx, before, after, origin),
    ...(before.lifecycle !== 'absent' && events.some(isNewResult) ? [tx.execute(UNREAD_AGAIN, [report.identity.reportId])] : []),
    saveAnalyses(tx, report, events.flatMap(recordsOf)),
    ...events.flatMap((event) => (event.type === 'analysisEnded' ? [freeze(tx, report, event.revision)] : [])),
  ];
}

const INSERTED = { ...FIXED, ...CHANGING, ...ORIGIN };
const INSERTED_KEYS = Object.keys(INSERTED) as (keyof typeof INSERTED)[];
const INSERT_REPORT = prepared(`
  INSERT INTO reports (${Object.values(INSERTED).join(', ')}, handover_at, handover_attempts, attention)
  VALUES (${INSERTED_KEYS.map((_, index) => `$${index + 1}`).join(', ')}, $${INSERTED_KEYS.length + 1}, 0, $${INSERTED_KEYS.length + 2})`);

async function insert(tx: Tx, after: Open, origin: Origin): Promise<void> {
  const { report } = after;
  // Object.assign, because a literal of spreads left 15 kB of garbage for each creation, which only full collections freed: 60 ms of pause in ten seconds.
  const row = Object.assign(fixedColumns(report), changingColumns(report), originColumns(report));
  const handover = handoverChange({ lifecycle: 'absent' }, after, origin.now);
  const attention: Attention = report.identity.legacy ? 'read' : 'unread';
  const filled = report.slots.filter(({ state }) => state.phase !== 'empty');
  await Promise.all([
    tx.execute(INSERT_REPORT, [...INSERTED_KEYS.map((key) => row[key]), handover?.at ?? null, attention]),
    saveSlots(tx, report, filled, origin),
    attachVehicle(tx, report.identity),
  ]);
}

const CHANGING_KEYS = Object.keys(CHANGING) as (keyof ChangingColumns)[];

/** $1 the report, $2 whether the wait of the hand-over restarts, $3 at what time. The columns begin with $4. */
const updating = (assignments: readonly string[]): string => `
  UPDATE reports SET ${assignments.map((assignment) => `${assignment}, `).join('')}
    handover_at = CASE WHEN $2 THEN $3::timestamptz ELSE handover_at END,
    handover_attempts = CASE WHEN $2 THEN 0 ELSE handover_attempts END
  WHERE report_id = $1`;

const UPDATE_OPEN = prepared(updating(CHANGING_KEYS.map((key, index) => `${CHANGING[key]} = $${index + 4}`)));
const UNREAD_AGAIN = `
  UPDATE reports SET attention = 'unread', handled_at = NULL, handled_by = NULL WHERE report_id = $1 AND attention <> 'unread'`;
const UPDATE_PURGING = updating(['purge_at = $4']);
const UPDATE_DISCARDED = updating(['discarded_at = $4', 'legal_hold_at = $5', 'legal_hold_by = $6', 'legal_hold_reason = $7']);
/** Leaves of a discarded report only that it existed, its inspection and its idempotency key. */
const UPDATE_CLEARED = updating([
  'discarded_at = $4',
  'cleared_at = $5',
  `metadata_json = '{}'`,
  `warnings_json = '[]'`,
  ...[
    FIXED.plateNumber,
    FIXED.externalVehicleId,
    FIXED.vin,
    FIXED.mileageKm,
    FIXED.branchId,
    FIXED.callbackUrl,
    CHANGING.linkToken,
    CHANGING.linkTokenDigest,
    CHANGING.captureDigest,
    CHANGING.captureJson,
    CHANGING.revisionId,
    CHANGING.revisionStatus,
    CHANGING.revisionCompletedAt,
    CHANGING.contentAnalysisRevision,
    CHANGING.contentRevision,
    CHANGING.contentEtag,
    CHANGING.contentErrorCode,
    CHANGING.contentVerdict,
    CHANGING.contentVerdictOf,
    'handled_by',
    CHANGING.publicationCaptureFinishedAt,
    ORIGIN.createdBy,
    ORIGIN.creationTraceId,
  ].map((column) => `${column} = NULL`),
]);

async function update(tx: Tx, before: Existing, after: Existing, origin: Origin): Promise<void> {
  const { now } = origin;
  const { report } = after;
  const { reportId } = report.identity;
  const handover = handoverChange(before, after, now);
  const common = [reportId, handover !== null, handover?.at ?? null];
  switch (after.lifecycle) {
    case 'open': {
      const row = changingColumns(report);
      await Promise.all([
        tx.execute(UPDATE_OPEN, [...common, ...CHANGING_KEYS.map((key) => row[key])]),
        saveSlots(tx, report, changedSlots({ before, after }), origin),
      ]);
      return;
    }
    case 'purging':
      await tx.execute(UPDATE_PURGING, [...common, now]);
      return endWaits(tx, reportId);
    case 'discarded':
      if (!after.cleared) {
        const { legalHoldAt, legalHoldBy, legalHoldReason } = holdColumns(report.hold);
        await tx.execute(UPDATE_DISCARDED, [...common, new Date(after.discardedAt), legalHoldAt, legalHoldBy, legalHoldReason]);
        return endWaits(tx, reportId);
      }
      await tx.execute(UPDATE_CLEARED, [...common, new Date(after.discardedAt), now]);
      return removeMeasured(tx, reportId);
    default:
      return assertNever(after);
  }
}

/** The work of a closed report is not begun any more. */
async function endWaits(tx: Tx, reportId: string): Promise<void> {
  await tx.execute('UPDATE slots SET queued_at = NULL, handover_at = NULL WHERE report_id = $1 AND queued_at IS NOT NULL', [reportId]);
}

const SLOT_TYPES: Readonly<Record<keyof SlotColumns, string>> = {
  slotId: 'text',
  phase: 'text',
  assetId: 'uuid',
  sourceKind: 'text',
  sourceUrl: 'text',
  clientAssetId: 'text',
  imageSha256: 'text',
  imageHash: 'text',
  imageEnded: 'boolean',
  analysisId: 'uuid',
  replacesSuccess: 'boolean',
  sandbox: 'text',
};
const SLOT_KEYS = Object.keys(SLOT) as (keyof SlotColumns)[];
const SLOT_NAMES = SLOT_KEYS.map((key) => SLOT[key]);

/** All slots of a command in one statement. A changed slot waits anew, or its wait ends: work that is superseded is never handed out. */
const UPSERT_SLOTS = prepared(`
  INSERT INTO slots (report_id, project_id, queued_at, trace, handover_attempts, ${SLOT_NAMES.join(', ')})
  SELECT $1, $2, queued_at, trace, 0, ${SLOT_NAMES.join(', ')}
    FROM unnest($3::jsonb[], $4::timestamptz[], ${SLOT_KEYS.map((key, index) => `$${index + 5}::${SLOT_TYPES[key]}[]`).join(', ')})
      AS slot (trace, queued_at, ${SLOT_NAMES.join(', ')})
  ON CONFLICT (report_id, slot_id) DO UPDATE SET queued_at = excluded.queued_at, trace = excluded.trace, handover_at = NULL, handover_attempts = 0,
    ${SLOT_NAMES.filter((name) => name !== SLOT.slotId)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`);

async function saveSlots(tx: Tx, report: Report, slots: readonly ReportSlotRecord[], { now, traces }: Origin): Promise<void> {
  if (slots.length === 0) return;
  const { reportId, projectId } = report.identity;
  const rows = slots.map((slot) => slotColumns(report.identity, slot));
  await tx.execute(UPSERT_SLOTS, [
    reportId,
    projectId,
    slots.map((slot) => JSON.stringify(traces.get(slot))),
    slots.map(({ state }, index) => waitsFrom(state, rows[index]!.sandbox, now)),
    ...SLOT_KEYS.map((key) => rows.map((row) => row[key])),
  ]);
}

const recordsOf = (event: ReportEvent): readonly AnalysisRecord[] => {
  if (event.type === 'slotEnded' || event.type === 'sizeConfirmed' || event.type === 'gaugeSet') return [event.analysis];
  return event.type === 'reportCreated' ? event.analyses : [];
};

const INSERT_ANALYSES = prepared(`
  INSERT INTO analyses (report_id, project_id, analysis_id, slot_id, provenance, error_code, model, body, guess, measured_analysis_id)
  SELECT $1, $2, analysis.*
    FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::json[], $9::json[], $10::uuid[]) AS analysis`);

/** The only place where a measurement is written. */
async function saveAnalyses(tx: Tx, { identity }: Report, records: readonly AnalysisRecord[]): Promise<void> {
  if (records.length === 0) return;
  const column = <K extends keyof AnalysisRecord>(key: K): AnalysisRecord[K][] => records.map((record) => record[key]);
  const columns = [column('analysisId'), column('slotId'), column('provenance'), column('errorCode'), column('model'), column('json')];
  const guesses = records.map(({ guess }) => (guess ? JSON.stringify(guess) : null));
  const measured = records.map(({ measuredId }) => measuredId ?? null);
  await tx.execute(INSERT_ANALYSES, [identity.reportId, identity.projectId, ...columns, guesses, measured]);
}

/** A revision holds which analysis each slot has, which image it shows, and the doubts about the images. */
const INSERT_REVISION = `
  WITH revision AS (
    INSERT INTO analysis_revisions (revision_id, report_id, project_id, status, completed_at, warnings_json)
    VALUES ($1, $2, $3, $4, $5, $6))
  INSERT INTO analysis_revision_slots
         (revision_id, report_id, project_id, slot_id, asset_id, source_kind, source_url, client_asset_id, analysis_id)
  SELECT $1, report_id, project_id, slot_id, asset_id, source_kind, source_url, client_asset_id, analysis_id
    FROM slots WHERE report_id = $2`;

async function freeze(tx: Tx, { identity, slots }: Report, { revisionId, status, completedAt }: AnalysisRevision): Promise<void> {
  const warnings = JSON.stringify(imageWarnings(slots));
  await tx.execute(INSERT_REVISION, [revisionId, identity.reportId, identity.projectId, status, new Date(completedAt), warnings]);
}

/** The database refuses to delete analyses and revisions of an open report. */
async function removeMeasured(tx: Tx, reportId: string): Promise<void> {
  for (const table of ['slots', 'analysis_revision_slots', 'analysis_revisions', 'analyses']) {
    await tx.execute(`DELETE FROM ${table} WHERE report_id = $1`, [reportId]);
  }
  await deleteHistory(tx, reportId);
  await detachVehicle(tx, reportId);
}

async function remove(tx: Tx, reportId: string): Promise<void> {
  await removeMeasured(tx, reportId);
  await tx.execute('DELETE FROM idempotency_records WHERE report_id = $1', [reportId]);
  await countCreation(tx, reportId);
  await tx.execute('DELETE FROM reports WHERE report_id = $1', [reportId]);
}
