import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, type Clock } from '@tire/kernel';
import {
  cutsOf,
  Database,
  endsNothing,
  heldReports,
  LEDGER,
  logger,
  RetentionSweep,
  type Cuts,
  type Ending,
  type PromiseClient,
} from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { READ_LIFETIME_SECONDS } from '../display/display.service';
import { displayPrefixOf, uploadKey } from '../domain/object-key';
import { removeUnder, type ObjectStore } from '../object-store/object-store';
import { OBJECT_STORE, RETENTION_INTERVAL_MS } from '../tokens';
import {
  deleteEnded,
  endAssets,
  findDueImages,
  findEnded,
  lagOfEnded,
  lagOfImages,
  type DueImages,
  type EndedImage,
} from './photographs.store';

const ENDED_AT_ONCE = 200;
const REMOVED_AT_ONCE = 64;
const TOGETHER = 16;

/** Longer than an address of an image is valid, and than a page with such addresses is in a cache: no visitor gets a broken image. */
const LAST_ADDRESS_MS = (READ_LIFETIME_SECONDS + 300) * 1_000;

/**
 * Removes photographs whose time is over, while their report stays. First the ledger notes it, which knows what is held or being measured; from
 * then on the photograph has no address. Its bytes go when the last address has ended, and then its row. Each step may be repeated, and whatever
 * process comes next goes on where one ended.
 */
@Injectable()
export class Retention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = logger('assets.retention');
  private readonly turns: RetentionSweep;
  private stopped = false;

  constructor(
    private readonly database: Database,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(RETENTION_INTERVAL_MS) intervalMs: number,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.turns = new RetentionSweep([this.photographs()], intervalMs, clock, this.log, () => this.endDue());
  }

  onApplicationBootstrap(): void {
    this.turns.start(() => this.database.dataSource.isInitialized);
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    return this.turns.stop();
  }

  sweep(): Promise<void> {
    return this.turns.sweep();
  }

  lag(): ReturnType<RetentionSweep['lag']> {
    return this.turns.lag();
  }

  private photographs(): Ending {
    return {
      kind: 'photographs',
      removeSome: (now) => this.removeEnded(new Date(now.getTime() - LAST_ADDRESS_MS)),
      lagS: async (now) => {
        const cuts = await this.cuts(now);
        const held = await heldReports(this.ledger);
        const due = endsNothing(cuts) ? 0 : await lagOfImages(this.database, cuts, held);
        return Math.max(due, await lagOfEnded(this.database, new Date(now.getTime() - LAST_ADDRESS_MS), held));
      },
    };
  }

  private async cuts(now: Date): Promise<Cuts> {
    return cutsOf(await this.ledger.listRetention({ kind: 'photographs' }), now);
  }

  private async endDue(): Promise<void> {
    while (!this.stopped && (await this.endSome()) > 0);
  }

  private async endSome(): Promise<number> {
    const now = this.clock.now();
    const cuts = await this.cuts(now);
    if (endsNothing(cuts)) return 0;
    const due = await findDueImages(this.database, cuts, await heldReports(this.ledger), ENDED_AT_ONCE);
    let ended = 0;
    for (const images of due) {
      if (this.stopped) break;
      ended += await this.end(images, now);
    }
    return ended;
  }

  /** A report that fails holds up no other. */
  private async end({ projectId, reportId, assetIds }: DueImages, now: Date): Promise<number> {
    try {
      const { assetIds: endable } = await this.ledger.endImages({ projectId, reportId, assetIds: [...assetIds] });
      if (endable.length === 0) return 0;
      return await this.database.withProject(projectId, (tx) => endAssets(tx, endable, now));
    } catch (error) {
      this.log.warn({ err: error, report_id: reportId }, 'Photographs whose time is over could not be ended; the next sweep retries it');
      return 0;
    }
  }

  private async removeEnded(before: Date): Promise<number> {
    const left = await findEnded(this.database, before, await heldReports(this.ledger), REMOVED_AT_ONCE);
    let removed = 0;
    while (left.length > 0 && !this.stopped) {
      const done = await Promise.all(left.splice(-TOGETHER).map((image) => this.remove(image)));
      removed += done.filter(Boolean).length;
    }
    return removed;
  }

  /** The row last: it names the bytes. Also the bytes as they were uploaded, if the cleaner has not come to them yet. */
  private async remove(image: EndedImage): Promise<boolean> {
    try {
      await removeUnder(this.objects, displayPrefixOf(image, image.objectKey));
      await this.objects.remove(uploadKey(image));
      await this.objects.remove(image.objectKey);
      return (await this.database.withProject(image.projectId, (tx) => deleteEnded(tx, image.assetId))) > 0;
    } catch (error) {
      this.log.warn(
        { err: error, report_id: image.reportId },
        'A photograph whose time is over could not be removed; the next sweep retries it',
      );
      return false;
    }
  }
}
