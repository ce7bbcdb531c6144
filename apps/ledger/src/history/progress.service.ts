import type { ledgerApi } from '@tire/contracts/grpc';
import { DomainError, isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';
import type { Owed } from '../domain/handover';
import { findProgress, type ProgressRow, type SlotProgressRow } from './progress.store';

/** What a report waits for, for operators: of any project, closed or not. */
@Injectable()
export class ProgressService {
  constructor(private readonly database: Database) {}

  async of({ reportId }: ledgerApi.GetReportProgressRequest): Promise<ledgerApi.GetReportProgressResponse> {
    const found = isUuid(reportId) ? await findProgress(this.database, reportId) : undefined;
    if (!found) throw new DomainError('not_found');
    return answerOf(found.report, found.owed, found.slots);
  }
}

const text = (at: Date | null): string | undefined => at?.toISOString();

function lifecycleOf({ clearedAt, discardedAt, purgeAt }: ProgressRow): string {
  if (clearedAt) return 'cleared';
  if (purgeAt) return 'purging';
  return discardedAt ? 'discarded' : 'open';
}

const answerOf = (report: ProgressRow, owed: Owed[], slots: readonly SlotProgressRow[]): ledgerApi.GetReportProgressResponse => ({
  projectId: report.projectId,
  projectMode: report.projectMode,
  lifecycle: lifecycleOf(report),
  createdAt: report.createdAt.toISOString(),
  analysisStatus: report.analysisStatus,
  publicationStatus: report.publicationStatus,
  analysisRevision: report.analysisRevision ?? undefined,
  contentErrorCode: report.contentErrorCode ?? undefined,
  owed,
  requestedAt: text(report.requestedAt),
  reminders: report.reminders,
  slots: slots.map((slot) => ({
    slotId: slot.slotId,
    phase: slot.phase,
    assetId: slot.assetId ?? undefined,
    analysisId: slot.analysisId ?? undefined,
    errorCode: slot.errorCode ?? undefined,
    model: slot.model ?? undefined,
    workKind: slot.workKind ?? undefined,
    queuedAt: text(slot.queuedAt),
    handedOutAt: text(slot.handedOutAt),
    putBack: slot.putBack,
    waitingOfProject: slot.waitingOfProject,
    waitingOfAll: slot.waitingOfAll,
  })),
});
