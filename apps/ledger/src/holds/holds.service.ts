import { HELD_REPORTS_MAX, HOLD_REASON_LENGTH_MAX } from '@tire/contracts/limits';
import type { ledgerApi } from '@tire/contracts/grpc';
import { DomainError, faulty, isUuid } from '@tire/kernel';
import { currentActor, Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';
import { endableImages } from '../domain/removal';
import { initialState } from '../domain/report';
import { RemovalService } from '../removal/removal.service';
import { ReportCommands } from '../reports/report.commands';
import { countHeld, findHeld } from './holds.store';

const PAGE_MAX = 1_000;

/** Legal holds: nothing removes data of a held report, neither its time nor a discard, until a member releases it. */
@Injectable()
export class HoldsService {
  constructor(
    private readonly database: Database,
    private readonly commands: ReportCommands,
    private readonly removal: RemovalService,
  ) {}

  async hold({ projectId, reportId, reason }: ledgerApi.HoldReportRequest): Promise<ledgerApi.HoldReportResponse> {
    const text = reason.trim();
    if (text === '' || text.length > HOLD_REASON_LENGTH_MAX) throw faulty('reason', `must have 1 to ${HOLD_REASON_LENGTH_MAX} characters.`);
    if ((await countHeld(this.database, projectId)) >= HELD_REPORTS_MAX)
      throw new DomainError('conflict', { message: `The project holds ${HELD_REPORTS_MAX} reports, which is the most that it can.` });
    await this.commands.change(projectId, reportId, { type: 'hold', by: currentActor() ?? 'service:ledger', reason: text });
    return {};
  }

  /** A discard that waited for the end of the hold goes on at once. If this process dies before that, the reconciler does it. */
  async release({ projectId, reportId }: ledgerApi.ReleaseReportRequest): Promise<ledgerApi.ReleaseReportResponse> {
    const { state, events } = await this.commands.execute(projectId, reportId, { type: 'releaseHold' });
    if (events.length > 0) await this.removal.finish(state);
    return { released: events.length > 0 };
  }

  async list(request: ledgerApi.ListHeldReportsRequest): Promise<ledgerApi.ListHeldReportsResponse> {
    const { projectId, reportId, after, afterProjectId, limit } = request;
    if (after !== undefined && !isUuid(after)) throw faulty('after', 'must be the id of a report.');
    const isOfAll = projectId === undefined;
    if ((isOfAll && (after === undefined) !== (afterProjectId === undefined)) || (afterProjectId !== undefined && !isUuid(afterProjectId)))
      throw faulty('after_project_id', 'must be the id of the project of the report.');
    if (reportId !== undefined && !isUuid(reportId)) return { reports: [] };
    const rows = await findHeld(this.database, { ...request, limit: Math.min(Math.max(limit, 1), PAGE_MAX) });
    return {
      reports: rows.map(({ heldAt, plateNumber, ...row }) => ({
        ...row,
        heldAt: heldAt.toISOString(),
        plateNumber: plateNumber ?? undefined,
      })),
    };
  }

  /** The command notes it under the lock of the report, so that none of these images can come into use again meanwhile. */
  async endImages({ projectId, reportId, assetIds }: ledgerApi.EndImagesRequest): Promise<ledgerApi.EndImagesResponse> {
    const state = await this.commands.note(projectId, reportId, { type: 'endImages', assetIds });
    return { assetIds: [...endableImages(state ?? initialState, assetIds)] };
  }
}
