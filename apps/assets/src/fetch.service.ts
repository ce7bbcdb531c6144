import { Inject, Injectable } from '@nestjs/common';
import type { FetchImage } from '@tire/contracts';
import type { AnalysisErrorCode, Clock } from '@tire/kernel';
import { ATTRIBUTES, counter, logger, METRICS, OutboundError, type Outbound } from '@tire/platform';
import { setTimeout as pause } from 'node:timers/promises';
import { AssetStore, type AssetRow } from './asset.store';
import { FETCH_TIMEOUT_MS, MAX_REDIRECTS, nextTryDelayMs, publicErrorCode, RETRY_POLICY, type FetchFailure } from './domain/fetching';
import { MAX_IMAGE_BYTES } from './domain/image-content';
import { FetchAnswers } from './fetch.answers';
import { ImageKeeper } from './image-keeper';
import { Spool } from './spool';
import { CLOCK, OUTBOUND } from './tokens';

/** Some hosts turn away clients without a name; some send what a browser would rather have, unless they are told. */
const HEADERS = { 'user-agent': 'tire-inspection-fetch/1.0', accept: 'image/jpeg, image/png, */*;q=0.1' };

@Injectable()
export class FetchService {
  private readonly log = logger('assets.fetch');
  private readonly tried = counter(METRICS.fetchAttempts, "Attempts to get an image from a partner's address, by how they ended");

  constructor(
    @Inject(OUTBOUND) private readonly outbound: Outbound,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly assets: AssetStore,
    private readonly keeper: ImageKeeper,
    private readonly answers: FetchAnswers,
  ) {}

  /**
   * Ends in an answer, whatever the partner's host does; returns the code of one that says no. Asked again for an image that is stored, it answers again and fetches nothing.
   * An image of a report that is discarded meanwhile goes as it came; if the process dies before that, the sweeper finds it.
   */
  async fetch(work: FetchImage, signal: AbortSignal): Promise<AnalysisErrorCode | undefined> {
    const { isDiscarded, isStored } = await this.assets.whatIsKnown(work);
    if (isDiscarded) return undefined;
    if (isStored) return void (await this.answers.storedBefore(work));
    const outcome = await this.attempts(work, signal);
    if (!('kind' in outcome)) {
      if (!(await this.answers.stored(work, outcome))) await this.keeper.forget(outcome);
      return undefined;
    }
    const errorCode = publicErrorCode(outcome);
    await this.answers.failed(work, errorCode);
    return errorCode;
  }

  private async attempts(work: FetchImage, signal: AbortSignal): Promise<AssetRow | FetchFailure> {
    const startedMs = this.clock.now().getTime();
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.attempt(work);
      this.tried.add(1, { [ATTRIBUTES.outcome]: 'kind' in outcome ? publicErrorCode(outcome) : 'stored' });
      if (!('kind' in outcome)) return outcome;
      const delayMs = nextTryDelayMs(RETRY_POLICY, outcome, attempt, this.clock.now().getTime() - startedMs);
      this.log.info(
        { report_id: work.reportId, slot_id: work.slotId, attempt, failure: outcome, retry_ms: delayMs },
        'An image was not fetched',
      );
      if (delayMs === undefined) return outcome;
      await pause(delayMs, undefined, { signal });
    }
  }

  private async attempt({ url, projectId, reportId, slotId, assetId }: FetchImage): Promise<AssetRow | FetchFailure> {
    const spool = new Spool();
    try {
      const { status } = await this.outbound.request(url, {
        headers: HEADERS,
        maxRedirects: MAX_REDIRECTS,
        timeoutMs: FETCH_TIMEOUT_MS,
        maxBytes: MAX_IMAGE_BYTES,
        take: (body, announcedBytes) => spool.fill(body, announcedBytes),
        keepFor: projectId,
      });
      if (status < 200 || status > 299) return { kind: 'status', httpStatus: status };
      const kept = await this.keeper.keep({ projectId, reportId, slotId, assetId }, 'url', spool);
      return typeof kept === 'string' ? { kind: 'content', fault: kept } : kept;
    } catch (error) {
      if (error instanceof OutboundError) return { kind: 'outbound', reason: error.reason };
      throw error;
    } finally {
      await spool.close();
    }
  }
}
