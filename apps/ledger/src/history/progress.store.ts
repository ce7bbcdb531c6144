import type { Database } from '@tire/platform';
import { owedBy, type Owed } from '../domain/handover';
import { findReport } from '../reports/report.store';

export interface ProgressRow {
  readonly projectId: string;
  readonly projectMode: string;
  readonly createdAt: Date;
  readonly analysisStatus: string;
  readonly publicationStatus: string;
  readonly analysisRevision: string | null;
  readonly contentErrorCode: string | null;
  readonly requestedAt: Date | null;
  readonly reminders: number;
  readonly discardedAt: Date | null;
  readonly purgeAt: Date | null;
  readonly clearedAt: Date | null;
}

export interface SlotProgressRow {
  readonly slotId: string;
  readonly phase: string;
  readonly assetId: string | null;
  readonly analysisId: string | null;
  readonly errorCode: string | null;
  readonly model: string | null;
  readonly workKind: string | null;
  readonly queuedAt: Date | null;
  readonly handedOutAt: Date | null;
  readonly putBack: number;
  readonly waitingOfProject: number;
  readonly waitingOfAll: number;
}

const REPORT = `
  SELECT project_id AS "projectId", project_mode AS "projectMode", created_at AS "createdAt", analysis_status AS "analysisStatus",
         publication_status AS "publicationStatus", revision_id AS "analysisRevision", content_error_code AS "contentErrorCode",
         handover_at AS "requestedAt", handover_attempts AS reminders,
         discarded_at AS "discardedAt", purge_at AS "purgeAt", cleared_at AS "clearedAt"
    FROM reports WHERE report_id = $1`;

const COUNTED_MAX = 10_000;
/** Of work with the kind of the slot. It reads a piece of the index of waiting slots. */
const waiting = (condition: string): string => `
  (SELECT count(*)::int FROM (
     SELECT FROM slots w WHERE w.work_kind = s.work_kind ${condition} AND w.queued_at IS NOT NULL AND w.handover_at IS NULL
      LIMIT ${COUNTED_MAX}) counted)`;

const SLOTS = `
  SELECT s.slot_id AS "slotId", s.phase, s.asset_id AS "assetId", s.analysis_id AS "analysisId", a.error_code AS "errorCode", a.model,
         s.work_kind AS "workKind", s.queued_at AS "queuedAt", s.handover_at AS "handedOutAt", s.handover_attempts AS "putBack",
         ${waiting('AND w.project_id = s.project_id')} AS "waitingOfProject", ${waiting('')} AS "waitingOfAll"
    FROM slots s LEFT JOIN analyses a ON a.report_id = s.report_id AND a.analysis_id = s.analysis_id
   WHERE s.report_id = $1 ORDER BY s.slot_id`;

export async function findProgress(
  database: Database,
  reportId: string,
): Promise<{ report: ProgressRow; owed: Owed[]; slots: SlotProgressRow[] } | undefined> {
  const [report] = await database.systemQuery<ProgressRow>(REPORT, [reportId]);
  if (!report) return undefined;
  const owed = owedBy(await database.asSystem((tx) => findReport(tx, reportId)));
  return { report, owed, slots: await database.systemQuery<SlotProgressRow>(SLOTS, [reportId]) };
}
