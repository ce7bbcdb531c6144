import type { assetsApi } from '@tire/contracts/grpc';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database, logger } from '@tire/platform';
import { lockReport } from '../assets/asset.store';
import { displayPrefix, reportPrefix, type ReportIdentity } from '../domain/object-key';
import { sweepAfter } from '../domain/upload-lifetime';
import { removeUnder, type ObjectStore } from '../object-store/object-store';
import { OBJECT_STORE } from '../tokens';
import { countAssets, deleteAssets, forgetRequests, insertTombstone } from './discard.store';

@Injectable()
export class DiscardService {
  private readonly log = logger('assets.discard');

  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly database: Database,
  ) {}

  /** Idempotent; the caller retries a failure. The tombstone ends access first, then the bytes go, then the rows that name them. */
  async discard(report: ReportIdentity): Promise<void> {
    const now = this.clock.now();
    await this.database.withProject(report.projectId, async (tx) => {
      await lockReport(tx, report.reportId);
      await insertTombstone(tx, report, now, sweepAfter(now));
    });
    try {
      await this.clear(report);
    } catch (cause) {
      this.log.error({ err: cause, report_id: report.reportId }, 'The images of a discarded report could not be removed');
      throw new DomainError('service_unavailable', { cause });
    }
  }

  /** Objects are those of the object store: photographs, derivatives, and uploads that were not registered. */
  async count({ projectId, reportIds }: assetsApi.CountReportDataRequest): Promise<assetsApi.CountReportDataResponse> {
    const assets = await this.database.withProject(projectId, (tx) => countAssets(tx, reportIds));
    let objects = 0;
    for (const reportId of reportIds)
      for (const prefix of [displayPrefix({ projectId, reportId }), reportPrefix({ projectId, reportId })])
        for await (const _ of this.objects.list(prefix)) objects += 1;
    return {
      counts: [
        { what: 'photographs', count: assets },
        { what: 'objects', count: objects },
      ],
    };
  }

  async clear(report: ReportIdentity): Promise<void> {
    await removeUnder(this.objects, displayPrefix(report));
    await removeUnder(this.objects, reportPrefix(report));
    await this.database.withProject(report.projectId, async (tx) => {
      await deleteAssets(tx, report.reportId);
      await forgetRequests(tx, report.reportId);
    });
  }
}
