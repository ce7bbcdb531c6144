import { Inject, Injectable } from '@nestjs/common';
import type { FetchImage } from '@tire/contracts/events';
import { IMAGE_BYTES_MAX } from '@tire/contracts/limits';
import { CLOCK, ofReport, Together, type AnalysisErrorCode, type Clock } from '@tire/kernel';
import { ATTRIBUTES, counter, Database, logger, METRICS, type Outbound, OUTBOUND, OutboundError } from '@tire/platform';
import { setTimeout as pause } from 'node:timers/promises';
import { findFetchStates, type Asset, type FetchState } from '../assets/asset.store';
import { FETCH_TIMEOUT_MS, MAX_REDIRECTS, retryDelayMs, publicErrorCode, RETRY_POLICY, type FetchFailure } from '../domain/fetching';
import { ImageStorage } from '../images/image-storage';
import { FetchResults } from './fetch.results';
import { SandboxAddresses } from './sandbox-addresses';
import { Spool } from './spool';

/** Some hosts refuse requests without a user agent. Some send formats such as WebP without an Accept header. */
const HEADERS = { 'user-agent': 'tire-inspection-fetch/1.0', accept: 'image/jpeg, image/png, */*;q=0.1' };

@Injectable()
export class FetchService {
  private readonly log = logger('assets.fetch');
  private readonly tried = counter(METRICS.fetchAttempts, "Attempts to fetch an image from a partner's address, by outcome");
  private readonly states = new Together<FetchImage, FetchState>((works) => findFetchStates(this.database, works));

  constructor(
    @Inject(OUTBOUND) private readonly outbound: Outbound,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly database: Database,
    private readonly images: ImageStorage,
    private readonly results: FetchResults,
    private readonly sandbox: SandboxAddresses,
  ) {}

  /**
   * Publishes a result whatever the partner's host does, and returns the error code of a failure. For an image that is stored already
   * it publishes again and fetches nothing. An image whose report is discarded meanwhile is removed; if the process dies before that,
   * the sweeper removes it.
   */
  async fetch(work: FetchImage, signal: AbortSignal): Promise<AnalysisErrorCode | undefined> {
    const { isDiscarded, storedSha256 } = await this.states.add(ofReport(work), work);
    if (isDiscarded) return undefined;
    if (storedSha256) return void (await this.results.publishStored(work, storedSha256));
    const outcome = work.sandbox === undefined ? await this.attempts(work, signal) : await this.sandbox.answer(work, work.sandbox);
    if (!('kind' in outcome)) {
      if (!(await this.results.recordStored(work, outcome))) await this.images.remove(outcome);
      return undefined;
    }
    const errorCode = outcome.kind === 'on purpose' ? outcome.errorCode : publicErrorCode(outcome);
    await this.results.publishFailed(work, errorCode);
    return errorCode;
  }

  private async attempts(work: FetchImage, signal: AbortSignal): Promise<Asset | FetchFailure> {
    const startedMs = this.clock.now().getTime();
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.attempt(work);
      this.tried.add(1, { [ATTRIBUTES.outcome]: 'kind' in outcome ? publicErrorCode(outcome) : 'stored' });
      if (!('kind' in outcome)) return outcome;
      const delayMs = retryDelayMs(RETRY_POLICY, outcome, attempt, this.clock.now().getTime() - startedMs);
      this.log.info(
        { report_id: work.reportId, slot_id: work.slotId, attempt, failure: outcome, retry_ms: delayMs },
        'Fetching an image failed',
      );
      if (delayMs === undefined) return outcome;
      await pause(delayMs, undefined, { signal });
    }
  }

  private async attempt({ url, projectId, reportId, slotId, assetId }: FetchImage): Promise<Asset | FetchFailure> {
    const spool = new Spool();
    try {
      const { status } = await this.outbound.request(url, {
        headers: HEADERS,
        maxRedirects: MAX_REDIRECTS,
        timeoutMs: FETCH_TIMEOUT_MS,
        maxBytes: IMAGE_BYTES_MAX,
        take: (body, announcedBytes) => spool.fill(body, announcedBytes),
        keepFor: projectId,
      });
      if (status < 200 || status > 299) return { kind: 'status', httpStatus: status };
      const stored = await this.images.verifyAndStore({ projectId, reportId, slotId, assetId }, 'url', spool);
      return typeof stored === 'string' ? { kind: 'content', fault: stored } : stored;
    } catch (error) {
      if (error instanceof OutboundError) return { kind: 'outbound', reason: error.reason };
      throw error;
    } finally {
      await spool.close();
    }
  }
}
