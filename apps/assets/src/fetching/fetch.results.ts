import { Injectable } from '@nestjs/common';
import { EVENTS, type FetchImage, type ImageFetched } from '@tire/contracts/events';
import { Outbox, outboxMessage } from '@tire/eventing';
import { ofReport, Together, type AnalysisErrorCode } from '@tire/kernel';
import { Database, traceHeaders, type Tx } from '@tire/platform';
import { insertAssets, lockUnlessDiscarded, type Asset, type Insertion, type Recorded } from '../assets/asset.store';
import { DisplayService } from '../display/display.service';
import { ImageStorage } from '../images/image-storage';

/** The digest of the stored bytes, or why there are none. */
type Fetched = { readonly sha256: Buffer } | { readonly errorCode: AnalysisErrorCode };

interface Result {
  readonly work: FetchImage;
  /** An asset that is not recorded yet, or what is published as it is. */
  readonly found: { readonly asset: Asset } | Fetched;
  /** Of the trace of this fetch. */
  readonly headers: Record<string, string>;
}

/** What became of the asset; none where there is nothing to record. */
type Outcome = Recorded | 'discarded' | 'none';

const imageFetched = ({ projectId, reportId, slotId, assetId, analysisId }: FetchImage, fetched: Fetched): ImageFetched => ({
  projectId,
  reportId,
  slotId,
  assetId,
  analysisId,
  errorCode: 'errorCode' in fetched ? fetched.errorCode : '',
  sha256: 'sha256' in fetched ? fetched.sha256.toString('hex') : undefined,
});

/** Records the results of fetches and publishes them in one transaction, those of one report together. For a discarded report it does neither. */
@Injectable()
export class FetchResults {
  private readonly results = new Together<Result, Outcome>((results) => this.publish(results));

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly images: ImageStorage,
    private readonly display: DisplayService,
  ) {}

  /** Publishes the result of an asset that was recorded before. */
  async publishStored(work: FetchImage, sha256: Buffer): Promise<void> {
    await this.add(work, { sha256 });
  }

  async publishFailed(work: FetchImage, errorCode: AnalysisErrorCode): Promise<void> {
    await this.add(work, { errorCode });
  }

  /** False where the asset was not recorded: then its bytes belong to no asset. */
  async recordStored(work: FetchImage, asset: Asset): Promise<boolean> {
    const outcome = await this.add(work, { asset });
    return outcome === 'now' || outcome === 'before';
  }

  private add(work: FetchImage, found: Result['found']): Promise<Outcome> {
    return this.results.add(ofReport(work), { work, found, headers: traceHeaders() });
  }

  private async publish(results: readonly Result[]): Promise<(Outcome | Error)[]> {
    const { projectId, reportId } = results[0]!.work;
    const isAhead = this.display.isMadeAhead(projectId);
    const outcomes = await this.database.withProject(projectId, async (tx): Promise<(Outcome | Error)[]> => {
      if (!(await lockUnlessDiscarded(tx, reportId))) return results.map(() => 'discarded');
      return this.record(tx, results, { displayTries: isAhead ? 1 : 0 });
    });
    const isNow = (_: Result, index: number): boolean => isAhead && outcomes[index] === 'now';
    for (const { found } of results.filter(isNow)) if ('asset' in found) this.display.makeAhead(found.asset);
    return outcomes;
  }

  private async record(tx: Tx, results: readonly Result[], insertion: Insertion): Promise<(Outcome | Error)[]> {
    // The lock keeps the cleaner away from here on.
    const failures = await Promise.all(results.map(({ found }) => ('asset' in found ? this.failureOf(found.asset) : undefined)));
    const assets = results.flatMap(({ found }, index) => ('asset' in found && !failures[index] ? [found.asset] : []));
    const recorded = await insertAssets(tx, results[0]!.work, assets, insertion);
    const outcomes = results.map(({ found }, index): Outcome | Error => {
      const failure = failures[index];
      if (failure) return failure;
      return 'asset' in found ? recorded[assets.indexOf(found.asset)]! : 'none';
    });
    const messages = results.flatMap(({ work, found, headers }, index) => {
      const outcome = outcomes[index]!;
      if (outcome instanceof Error) return [];
      return [outboxMessage(EVENTS.imageFetched, imageFetched(work, announced(found, outcome)), { headers })];
    });
    await this.outbox.addAll(tx, messages);
    return outcomes;
  }

  /** The cleaner may have come first where the slot had another image meanwhile; then the message is delivered again and the ledger decides. */
  private async failureOf(asset: Asset): Promise<Error | undefined> {
    try {
      if (await this.images.isRemovedByCleaner(asset)) return new Error('The cleaner removed the image before it was recorded');
      return undefined;
    } catch (cause) {
      return new Error('The object store did not say whether the image still exists', { cause });
    }
  }
}

/** A foreign id belongs to another image, which another address would not change. */
function announced(found: Result['found'], outcome: Outcome): Fetched {
  if (!('asset' in found)) return found;
  return outcome === 'foreign' ? { errorCode: 'analysis_failed' } : { sha256: found.asset.sha256 };
}
