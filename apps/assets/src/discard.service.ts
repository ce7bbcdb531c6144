import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type Clock } from '@tire/kernel';
import { logger } from '@tire/platform';
import { DiscardStore } from './discard.store';
import { reportPrefix, type ReportIdentity } from './domain/object-key';
import { sweepAfter } from './domain/upload-lifetime';
import { OBJECT_STORE, removeUnder, type ObjectStore } from './object-store/object-store';
import { CLOCK } from './tokens';

@Injectable()
export class DiscardService {
  private readonly log = logger('assets.discard');

  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly store: DiscardStore,
  ) {}

  /** Repeatable, and to be repeated when it fails: the tombstone ends access, then the bytes go, then the rows that name them. */
  async discard(report: ReportIdentity): Promise<void> {
    const now = this.clock.now();
    await this.store.bury(report, now, sweepAfter(now));
    try {
      await this.clear(report);
    } catch (cause) {
      this.log.error({ err: cause, report_id: report.reportId }, 'What a discarded report holds could not be removed');
      throw new DomainError('service_unavailable', { cause });
    }
  }

  async clear(report: ReportIdentity): Promise<void> {
    await removeUnder(this.objects, reportPrefix(report));
    await this.store.removeAssets(report);
  }
}
