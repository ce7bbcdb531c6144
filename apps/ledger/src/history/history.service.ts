import { currentActor, currentTraceId, Database } from '@tire/platform';
import type { ledgerApi } from '@tire/contracts';
import { DomainError, isUuid } from '@tire/kernel';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ReportCommand } from '../domain/decide';
import { happeningsOf, serviceBehind, type Happening } from '../domain/history';
import type { Report, ReportEvent } from '../domain/report';

const INSERT = `
  INSERT INTO report_history (report_id, project_id, at, actor, trace_id, happenings) VALUES ($1, $2, $3, $4, $5, $6)`;

const actorOf = (command: ReportCommand['type']): string => currentActor() ?? serviceBehind(command);

/** Who created a report, in which trace, and with how many photographs: columns of its row. */
export const originColumns = ({ slots }: Report) => ({
  createdBy: actorOf('create'),
  creationTraceId: currentTraceId(),
  imagesAtCreation: slots.filter(({ state }) => state.phase !== 'empty' && state.asset !== null).length,
});

interface Change {
  readonly command: ReportCommand['type'];
  readonly events: readonly ReportEvent[];
  readonly at: Date;
}

/** In the transaction of the change. */
export async function recordChange(tx: EntityManager, before: Report, { command, events, at }: Change): Promise<void> {
  const happenings = happeningsOf(before, command, events);
  if (happenings.length === 0) return;
  const { reportId, projectId } = before.identity;
  await tx.query(INSERT, [reportId, projectId, at, actorOf(command), currentTraceId(), JSON.stringify(happenings)]);
}

const CHANGES_MAX = 1_000;

/**
 * Of what happened before it was kept, the report and its revisions tell some; and what was measured by hand had ended when the report
 * was created, by whom it was created.
 */
const HISTORY = `
  SELECT 'creation' AS source, created_at AS at, created_by AS actor, creation_trace_id AS "traceId",
         json_build_array(json_build_object('what', 'created')) AS happenings, 0::bigint AS entry
    FROM reports WHERE report_id = $1 AND discarded_at IS NULL AND purge_at IS NULL
  UNION ALL
  SELECT 'derived', revision.completed_at, by_hand.created_by, by_hand.creation_trace_id,
         json_build_array(json_build_object('what', 'analysis_ended', 'status', revision.status, 'revision', revision.revision_id)), 1
    FROM analysis_revisions revision
    LEFT JOIN reports by_hand ON by_hand.report_id = revision.report_id AND by_hand.creation_mode = 'manual'
   WHERE revision.report_id = $1
  UNION ALL
  SELECT 'derived', published_at, NULL, NULL, json_build_array(json_build_object('what', 'published')), 2
    FROM reports WHERE report_id = $1 AND published_at IS NOT NULL
  UNION ALL
  (SELECT 'kept', at, actor, trace_id, happenings, entry FROM report_history WHERE report_id = $1 ORDER BY entry DESC LIMIT ${CHANGES_MAX})
  ORDER BY at, entry`;

interface HistoryRow {
  readonly source: 'creation' | 'derived' | 'kept';
  readonly at: Date;
  readonly actor: string | null;
  readonly traceId: string | null;
  readonly happenings: readonly Happening[];
}

@Injectable()
export class ReportHistory {
  constructor(private readonly database: Database) {}

  async of({ projectId, reportId }: ledgerApi.GetReportHistoryRequest): Promise<ledgerApi.GetReportHistoryResponse> {
    const rows = isUuid(reportId) ? await this.database.projectQuery<HistoryRow>(projectId, HISTORY, [reportId]) : [];
    if (!rows.some(({ source }) => source === 'creation')) throw new DomainError('not_found');
    const kept = rows.filter(({ source }) => source === 'kept').flatMap(({ happenings }) => happenings);
    return {
      moments: rows.filter((row) => row.source !== 'derived' || !isKept(kept, row)).flatMap(momentsOf),
    };
  }
}

const isKept = (kept: readonly Happening[], { happenings: [derived] }: HistoryRow): boolean =>
  kept.some(({ what, revision }) => what === derived?.what && revision === derived.revision);

function momentsOf({ at, actor, traceId, happenings }: HistoryRow): ledgerApi.ReportMoment[] {
  return happenings.map(({ what, status, revision, slotId, errorCode, model }) => ({
    at: at.toISOString(),
    what,
    status,
    analysisRevision: revision,
    actor: actor ?? undefined,
    traceId: traceId?.replaceAll('-', ''),
    slotId,
    errorCode,
    model,
  }));
}
