import { Content } from '@tire/contracts/api';
import type { contentApi, ledgerApi } from '@tire/contracts/grpc';
import { DomainError, errorOfCode } from '@tire/kernel';
import { batched, CONTENT, LEDGER, type PromiseClient, PUBLIC_API_URL } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { HttpResponse } from '../edge/response';
import { contentFrame } from '../domain/content-frame';
import { matchesEtag } from '../domain/if-none-match';

/** A document has about 20 KB: some 3,000 of them. */
const CACHE_MAX_BYTES = 64 * 1024 * 1024;
const RETRY_AFTER_SECONDS = '5';
const { status: STATUS, report_context: CONTEXT } = Content.shape;

interface CachedRevision {
  readonly bytes: Buffer;
  readonly etag: string;
}

@Injectable()
export class ContentService {
  private readonly revisions = new LRUCache<string, CachedRevision>({
    maxSize: CACHE_MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
  });

  private readonly pointerOf: (key: ledgerApi.ReportKey) => Promise<ledgerApi.ContentPointerAnswer>;

  constructor(
    @Inject(LEDGER) ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CONTENT) private readonly content: PromiseClient<contentApi.ContentServiceClient>,
    @Inject(PUBLIC_API_URL) private readonly publicApiUrl: string,
  ) {
    this.pointerOf = batched(async (keys, options) => (await ledger.getContentPointers({ keys }, options)).answers, {
      call: { callee: 'ledger', rpc: 'GetContentPointers' },
      groupOf: ({ projectId }) => projectId,
    });
  }

  /** The alias: the ledger has the current revision. The bytes of a revision never change, so they may come from memory. */
  async current(projectId: string, reportId: string, ifNoneMatch: string | undefined): Promise<HttpResponse<202 | 304>> {
    const pointer = await this.pointer(projectId, reportId);
    const status = STATUS.parse(pointer.status);
    if (status === 'ready') {
      const { contentRevision, etag } = pointer;
      if (!contentRevision || !etag) throw new Error(`Content of ${reportId} is ready without a revision`);
      const headers = this.headers(reportId, contentRevision, etag);
      if (matchesEtag(ifNoneMatch, etag)) return unchanged(headers);
      const { bytes } = await this.revision(projectId, reportId, contentRevision);
      return new HttpResponse(bytes, headers);
    }
    const body = JSON.stringify(contentFrame({ ...factsOf(reportId, pointer), status }, this.publicApiUrl));
    if (status === 'failed') return new HttpResponse(body, PRIVATE);
    return new HttpResponse(body, { ...PRIVATE, 'retry-after': RETRY_AFTER_SECONDS }, { status: 202 });
  }

  /** One fixed revision, as long as its report exists. */
  async fixed(projectId: string, reportId: string, contentRevision: string, ifNoneMatch: string | undefined): Promise<HttpResponse<304>> {
    await this.pointer(projectId, reportId);
    const { bytes, etag } = await this.revision(projectId, reportId, contentRevision);
    const headers = this.headers(reportId, contentRevision, etag);
    return matchesEtag(ifNoneMatch, etag) ? unchanged(headers) : new HttpResponse(bytes, headers);
  }

  private async pointer(projectId: string, reportId: string): Promise<ledgerApi.ContentPointer> {
    const { pointer, errorCode } = await this.pointerOf({ projectId, reportId });
    if (pointer) return pointer;
    throw errorOfCode(errorCode);
  }

  private async revision(projectId: string, reportId: string, contentRevision: string): Promise<CachedRevision> {
    const key = `${projectId}/${reportId}/${contentRevision}`;
    const cached = this.revisions.get(key);
    if (cached) return cached;
    const { contentJson, etag } = await this.content.getContentRevision({ projectId, reportId, contentRevision });
    const revision = { bytes: contentJson, etag };
    this.revisions.set(key, revision);
    return revision;
  }

  private headers(reportId: string, contentRevision: string, etag: string): Record<string, string> {
    return { ...PRIVATE, etag, 'content-location': `${this.publicApiUrl}/reports/${reportId}/content/${contentRevision}` };
  }
}

const unchanged = (headers: Record<string, string>): HttpResponse<304> => new HttpResponse(null, headers, { status: 304 });

/** Only the partner's own client may cache it, and must revalidate it: a discarded report must not remain in a cache. */
const PRIVATE = { 'cache-control': 'private, no-cache' };

function factsOf(reportId: string, pointer: ledgerApi.ContentPointer) {
  const { contentProfile, generator } = pointer;
  if (!contentProfile || !generator) throw new DomainError('internal_error', { cause: new Error(`Content of ${reportId} has no profile`) });
  return {
    reportId,
    errorCode: pointer.errorCode ?? null,
    analysisRevision: pointer.analysisRevision ?? null,
    contentProfile,
    generator: {
      ruleset_version: generator.rulesetVersion,
      copy_version: generator.copyVersion,
      projection_version: generator.projectionVersion,
    },
    plateNumber: pointer.plateNumber ?? null,
    templateKey: CONTEXT.shape.template_key.parse(pointer.templateKey),
    createdAt: pointer.createdAt,
  };
}
