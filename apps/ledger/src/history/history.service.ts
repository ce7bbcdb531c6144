import type { ledgerApi } from '@tire/contracts/grpc';
import { DomainError, isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';
import type { HistoryEntry } from '../domain/history';
import { workState } from '../search/search.service';
import { findHistory, findWorkState, type HistoryRow } from './history.store';

@Injectable()
export class HistoryService {
  constructor(private readonly database: Database) {}

  async of({ projectId, reportId }: ledgerApi.GetReportHistoryRequest): Promise<ledgerApi.GetReportHistoryResponse> {
    const rows = isUuid(reportId) ? await findHistory(this.database, projectId, reportId) : [];
    if (!rows.some(({ source }) => source === 'creation')) throw new DomainError('not_found');
    const recorded = rows.filter(({ source }) => source === 'recorded').flatMap(({ happenings }) => happenings);
    const work = await findWorkState(this.database, projectId, reportId);
    return {
      work: work && workState(work),
      moments: rows.filter((row) => row.source !== 'derived' || !isRecorded(recorded, row)).flatMap(momentsOf),
    };
  }
}

const isRecorded = (recorded: readonly HistoryEntry[], { happenings: [derived] }: HistoryRow): boolean =>
  recorded.some(({ what, revision }) => what === derived?.what && revision === derived.revision);

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
