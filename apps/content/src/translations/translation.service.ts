import { Inject, Injectable } from '@nestjs/common';
import type { contentApi, ledgerApi } from '@tire/contracts/grpc';
import { DomainError, isUuid } from '@tire/kernel';
import { Database, LEDGER, type PromiseClient, PUBLIC_API_URL } from '@tire/platform';
import { LRUCache } from 'lru-cache';
import { canonicalJson } from '../domain/document/canonical-json';
import { generateContent } from '../domain/document/generate';
import { languagesOf } from '../domain/versions/registry';
import { findIssued, type IssuedContent } from '../revisions/outcome.store';
import { readSnapshot } from '../revisions/snapshot';

/** About 200 documents. A page and its PDF read a translation one after the other, and a page again after a minute. */
const KEPT_BYTES_MAX = 8 * 1_024 * 1_024;
/** The bytes of a discarded report leave this process soon. They are never served, because each request looks for the revision first. */
const KEPT_MS_MAX = 10 * 60_000;

/**
 * A content revision in another language. The document is a function of the snapshot, the versions and the language, so nothing is stored:
 * the revision of the report stays the only one that is served to callers.
 */
@Injectable()
export class TranslationService {
  private readonly kept = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: (bytes) => bytes.length,
    ttl: KEPT_MS_MAX,
    ttlAutopurge: true,
  });

  constructor(
    private readonly database: Database,
    @Inject(LEDGER) private readonly ledger: Pick<PromiseClient<ledgerApi.LedgerServiceClient>, 'getAnalysisRevision'>,
    @Inject(PUBLIC_API_URL) private readonly publicApiUrl: string,
  ) {}

  async translate(request: contentApi.GetTranslationRequest): Promise<contentApi.GetTranslationResponse> {
    const { projectId, reportId, contentRevision, locale } = request;
    if (![projectId, reportId, contentRevision].every(isUuid)) throw new DomainError('not_found');
    const issued = await this.database.withProject(projectId, (tx) => findIssued(tx, reportId, contentRevision));
    if (!issued || !languagesOf(issued.generator).includes(locale)) throw new DomainError('not_found');
    const key = `${contentRevision} ${locale}`;
    const kept = this.kept.get(key);
    if (kept) return { contentJson: kept };
    const contentJson = await this.generate(issued, reportId, locale);
    // Not on a hit, which would prolong the ten minutes.
    this.kept.set(key, contentJson);
    return { contentJson };
  }

  private async generate(
    { projectId, analysisRevision, contentRevision }: IssuedContent,
    reportId: string,
    locale: string,
  ): Promise<Buffer> {
    const { snapshotJson } = await this.ledger.getAnalysisRevision({ projectId, reportId, analysisRevision });
    const snapshot = readSnapshot(snapshotJson);
    const translated = { ...snapshot, content_profile: { ...snapshot.content_profile, locale } };
    return canonicalJson(generateContent(translated, contentRevision, this.publicApiUrl).content);
  }
}
