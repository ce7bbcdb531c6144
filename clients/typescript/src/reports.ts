import type { Call, Http } from './http.ts';
import { ImageFileError } from './errors.ts';
import { openAll, uploadAll, type ImageFiles, type UploadOptions } from './uploads.ts';
import { isReached, poll, type Until, type WaitOptions } from './waiting.ts';
import {
  slotId,
  slotOf,
  type AnalyzeResponse,
  type CaptureOrder,
  type Content,
  type CreateReportRequest,
  type CreateReportResponse,
  type DiscardResponse,
  type IssuedCapture,
  type MutationOptions,
  type PublishResponse,
  type RegisteredImage,
  type RegisterImagesResponse,
  type Report,
  type ReportFilters,
  type ReportPage,
  type ReportSummary,
  type RevokedCapture,
  type RequestOptions,
  type ShareRecord,
  type SlotId,
  type UploadTarget,
  type UploadTargetsResponse,
} from './types.ts';

export interface CreateFromFilesRequest extends Omit<CreateReportRequest, 'images'> {
  /** By slot: `{ 'tire.tread.front_left': 'front-left.jpg' }`. */
  readonly files: ImageFiles;
}

export interface CreatedFromFiles {
  readonly report_id: string;
  readonly share_url: string;
  readonly registered: RegisterImagesResponse | null;
  /** Slots that had an image already: the report of this external_inspection_id exists, and its images stay. */
  readonly skipped: readonly SlotId[];
}

const listed = (ids: readonly SlotId[]) => ids.map((id) => ({ module_type: 'tire' as const, slot: slotOf(id) }));
const registered = ({ asset_id, module_type, slot }: UploadTarget): RegisteredImage => ({ asset_id, module_type, slot });
const at = (id: string, rest = ''): string => `/reports/${encodeURIComponent(id)}${rest}`;

export class Reports {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Customer URL mode with `images`; without them the answer has upload targets, and `createFromFiles` does the rest. */
  async create(
    request: CreateReportRequest,
    { idempotencyKey = crypto.randomUUID(), signal }: MutationOptions = {},
  ): Promise<CreateReportResponse> {
    // Checked here, because fetch refuses such a header like a connection that fails.
    if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey)) throw new TypeError('idempotencyKey must have 1 to 255 printable ASCII characters.');
    const headers = { 'idempotency-key': idempotencyKey };
    return this.#http.json({ method: 'POST', path: '/reports', body: request, headers }, { signal });
  }

  /**
   * Creates a report, uploads its images and registers them, which starts the analysis. After a crash call it again with the same
   * `external_inspection_id`: it goes on where it was.
   */
  async createFromFiles(
    { files, ...request }: CreateFromFilesRequest,
    { concurrency, ...options }: MutationOptions & UploadOptions = {},
  ): Promise<CreatedFromFiles> {
    const images = await openAll(files);
    for (const id of images.keys())
      if (request.template === 'tire_4t_0s' && slotOf(id).image_type === 'sidewall')
        throw new ImageFileError(id, 'tire_4t_0s has no sidewalls.');
    const { report_id, share_url, upload_targets = [] } = await this.create(request, options);
    const taken = await this.#slotsTaken(report_id, upload_targets, options);
    const wanted = upload_targets.filter(({ slot }) => images.has(slotId(slot)) && !taken.has(slotId(slot)));
    const skipped = [...images.keys()].filter((id) => !wanted.some(({ slot }) => slotId(slot) === id));
    const uploaded = await uploadAll(this.#http, wanted, images, this.#renewal(report_id, options), { ...options, concurrency });
    const answer = uploaded.length > 0 ? await this.registerImages(report_id, uploaded.map(registered), options) : null;
    return { report_id, share_url, registered: answer, skipped };
  }

  /** New photographs for slots that failed or were taken badly; the slots are analyzed again. */
  async replaceFiles(id: string, files: ImageFiles, options: UploadOptions = {}): Promise<RegisterImagesResponse> {
    const images = await openAll(files);
    const { upload_targets } = await this.createUploadTargets(id, [...images.keys()], options);
    const uploaded = await uploadAll(this.#http, upload_targets, images, this.#renewal(id, options), options);
    return this.registerImages(id, uploaded.map(registered), { ...options, replace: true });
  }

  get(id: string, options?: RequestOptions): Promise<Report> {
    return this.#http.json({ method: 'GET', path: at(id) }, options);
  }

  waitFor(id: string, { until = 'finished', ...options }: WaitOptions & { readonly until?: Until } = {}): Promise<Report> {
    const what = typeof until === 'function' ? 'The awaited state' : `The state ${until}`;
    const read = (request: RequestOptions) => this.#http.call<Report>({ method: 'GET', path: at(id) }, request);
    return poll(`${what} of the report`, read, (report) => isReached(report, until), options);
  }

  /** One page; `cursor` is `next_cursor` of the page before. */
  listPage(filters: ReportFilters & { readonly cursor?: string } = {}, options?: RequestOptions): Promise<ReportPage> {
    return this.#http.json({ method: 'GET', path: '/reports', query: filters as Call['query'] }, options);
  }

  /** Every report that matches, newest first; each page is read when the iteration comes to it. */
  async *list(filters: ReportFilters = {}, options?: RequestOptions): AsyncGenerator<ReportSummary, void, undefined> {
    for (let cursor: string | undefined; ;) {
      const page = await this.listPage({ ...filters, cursor }, options);
      yield* page.reports;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  content(id: string, options?: RequestOptions): Promise<Content> {
    return this.#http.json({ method: 'GET', path: at(id, '/content') }, options);
  }

  contentRevision(id: string, revision: string, options?: RequestOptions): Promise<Content> {
    return this.#http.json({ method: 'GET', path: at(id, `/content/${encodeURIComponent(revision)}`) }, options);
  }

  /** Null if it is still that of the ETag, which an earlier call returned. */
  async contentUnless(
    etag: string | null,
    id: string,
    options?: RequestOptions,
  ): Promise<{ readonly content: Content; readonly etag: string | null } | null> {
    const headers: Record<string, string> = etag === null ? {} : { 'if-none-match': etag };
    const answer = await this.#http.call<Content>({ method: 'GET', path: at(id, '/content'), headers }, options);
    return answer.status === 304 ? null : { content: answer.body, etag: answer.headers.get('etag') };
  }

  /** Waits while the content is pending. Its status is `ready` or `failed` then. */
  waitForContent(id: string, options: WaitOptions = {}): Promise<Content> {
    const read = (request: RequestOptions) => this.#http.call<Content>({ method: 'GET', path: at(id, '/content') }, request);
    return poll('The content of the report', read, ({ status }) => status !== 'pending', options);
  }

  async createUploadTargets(id: string, slots: readonly SlotId[], options?: RequestOptions): Promise<UploadTargetsResponse> {
    return this.#http.json({ method: 'POST', path: at(id, '/upload-targets'), body: { slots: listed(slots) } }, options);
  }

  /** An asset that is registered already stays, so a repetition starts no second analysis. */
  registerImages(
    id: string,
    images: readonly RegisteredImage[],
    { replace, ...options }: RequestOptions & { readonly replace?: boolean } = {},
  ): Promise<RegisterImagesResponse> {
    const query = { replace: replace ? true : undefined };
    return this.#http.json({ method: 'POST', path: at(id, '/images'), query, body: { images } }, options);
  }

  /** The slots, or every failed one. */
  async analyze(id: string, slots?: readonly SlotId[], options?: RequestOptions): Promise<AnalyzeResponse> {
    const body = slots ? { slots: listed(slots) } : {};
    // A slot whose analysis has ended between two attempts would be analyzed twice.
    return this.#http.json({ method: 'POST', path: at(id, '/analyze'), body, once: true }, options);
  }

  publish(id: string, options?: RequestOptions): Promise<PublishResponse> {
    return this.#http.json({ method: 'POST', path: at(id, '/publish') }, options);
  }

  share(id: string, options?: RequestOptions): Promise<ShareRecord> {
    return this.#http.json({ method: 'GET', path: at(id, '/share') }, options);
  }

  /** A new link; the one before never opens again. */
  reissueShare(id: string, options?: RequestOptions): Promise<ShareRecord> {
    // Each execution ends the link of the one before.
    return this.#http.json({ method: 'POST', path: at(id, '/share'), once: true }, options);
  }

  revokeShare(id: string, options?: RequestOptions): Promise<ShareRecord> {
    return this.#http.json({ method: 'DELETE', path: at(id, '/share') }, options);
  }

  /** A link with which somebody takes the photographs with a phone; the one before opens nothing from then on. */
  issueCaptureLink(id: string, order: CaptureOrder = {}, options?: RequestOptions): Promise<IssuedCapture> {
    // Each execution ends the link of the one before, and only its answer has the new one.
    return this.#http.json({ method: 'POST', path: at(id, '/capture-link'), body: order, once: true }, options);
  }

  revokeCaptureLink(id: string, options?: RequestOptions): Promise<RevokedCapture> {
    return this.#http.json({ method: 'DELETE', path: at(id, '/capture-link') }, options);
  }

  /** Removes everything permanently. It repeats the request while the service answers that the removal is not complete. */
  discard(id: string, options?: RequestOptions): Promise<DiscardResponse> {
    return this.#http.json({ method: 'DELETE', path: at(id) }, options);
  }

  /** The stored answer to an old Idempotency-Key still has targets of slots that got their image long ago. */
  async #slotsTaken(id: string, targets: readonly UploadTarget[], { signal }: RequestOptions): Promise<Set<SlotId>> {
    if (!targets.some(({ expires_at }) => Date.parse(expires_at) <= Date.now())) return new Set();
    const { slots } = await this.get(id, { signal });
    return new Set(slots.filter(({ asset }) => asset !== null).map(({ slot }) => slotId(slot)));
  }

  #renewal(id: string, { signal }: RequestOptions): (target: UploadTarget) => Promise<UploadTarget> {
    return async ({ slot }) => (await this.createUploadTargets(id, [slotId(slot)], { signal })).upload_targets[0]!;
  }
}
