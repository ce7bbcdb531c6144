import { inspect } from 'node:util';
import { TireInspection } from './client.ts';
import * as errors from './errors.ts';
import { JPEG, KEY, refusal, SmallService } from './testing/small-service.ts';

const { ApiError, ConnectionError, ReportOutcomeError, WaitTimeoutError } = errors;
const ID = '01978a34-5c00-7000-8000-000000000001';
const READ = `GET /reports/${ID}`;
const report = (analysis_status: string, publication_status = 'unpublished') => ({
  status: 200,
  body: { schema_version: 'report.v1', report_id: ID, analysis_status, publication_status },
});

describe('requests', () => {
  let service: SmallService;
  let client: TireInspection;

  beforeEach(async () => {
    service = await SmallService.start();
    client = new TireInspection({ apiKey: KEY, baseUrl: `${service.baseUrl}/`, retryDelayMs: 1 });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.stop();
  });

  /** From now on each pause of the client ends at once, and its milliseconds are noted. */
  const pauses = (): number[] => {
    const noted: number[] = [];
    jest.spyOn(globalThis, 'setTimeout').mockImplementation((run: () => void, ms?: number) => {
      noted.push(ms!);
      return setImmediate(run) as never;
    });
    return noted;
  };

  const failure = (call: Promise<unknown>): Promise<InstanceType<typeof ApiError>> =>
    call.then(
      () => Promise.reject(new Error('It did not fail')),
      (error: unknown) => error as InstanceType<typeof ApiError>,
    );

  it.each([
    ['unauthorized', 401, 'UnauthorizedError'],
    ['forbidden', 403, 'ForbiddenError'],
    ['not_found', 404, 'NotFoundError'],
    ['idempotency_conflict', 409, 'IdempotencyConflictError'],
    ['idempotency_in_progress', 409, 'IdempotencyInProgressError'],
    ['slot_already_succeeded', 409, 'SlotAlreadySucceededError'],
    ['report_discarded', 409, 'ReportDiscardedError'],
    ['report_purge_pending', 409, 'ReportPurgePendingError'],
    ['content_unavailable_for_legacy', 409, 'ContentUnavailableForLegacyError'],
    ['publish_requirements_unmet', 409, 'PublishRequirementsUnmetError'],
    ['validation_error', 422, 'ValidationError'],
    ['rate_limited', 429, 'RateLimitedError'],
    ['discard_incomplete', 503, 'DiscardIncompleteError'],
    ['internal_error', 500, 'InternalError'],
    ['a_later_code', 409, 'ApiError'],
    ['toString', 409, 'ApiError'],
  ] as const)('the code %s has a class', async (code, status, name) => {
    service.replies.set(READ, [refusal(status, code, { param: 'x', report_id: ID })]);
    const error = await failure(client.reports.get(ID));
    expect(error).toBeInstanceOf(ApiError);
    expect(error.constructor).toBe(errors[name]);
    expect(error).toMatchObject({ name, code, status, param: 'x', reportId: ID, requestId: 'request-1', message: `It is ${code}.` });
    expect(error.errors).toEqual([{ param: 'x', message: `It is ${code}.` }]);
    expect(service.requests).toHaveLength(1);
  });

  it('repeats a retryable request as often as its options allow', async () => {
    const later = refusal(503, 'internal_error', { retryable: true });
    service.replies.set(READ, [later, refusal(409, 'report_purge_pending', { retryable: true }), report('complete')]);
    expect((await client.reports.get(ID)).analysis_status).toBe('complete');
    expect(service.requests).toHaveLength(3);
    service.replies.set(READ, [later]);
    const once = new TireInspection({ apiKey: KEY, baseUrl: service.baseUrl, retryDelayMs: 1, maxRetries: 1 });
    expect(await failure(once.reports.get(ID))).toMatchObject({ code: 'internal_error' });
    expect(service.requests).toHaveLength(5);
  });

  it('waits for as long as Retry-After says, and leaves a long wait to the caller', async () => {
    service.replies.set(READ, [refusal(429, 'rate_limited', { retryable: true }, { 'retry-after': '1' }), report('complete')]);
    const paused = pauses();
    await client.reports.get(ID);
    expect(paused).toEqual([1_000]);
    service.replies.set(READ, [refusal(429, 'rate_limited', { retryable: true }, { 'retry-after': '3600' })]);
    expect(await failure(client.reports.get(ID))).toMatchObject({ code: 'rate_limited', retryAfterMs: 3_600_000 });
  });

  it('an answer of something in between is an error without a code of the service', async () => {
    const html = { 'content-type': 'text/html' };
    service.replies.set(READ, [{ status: 502, body: '<html>', headers: html }, report('complete')]);
    expect((await client.reports.get(ID)).report_id).toBe(ID);
    service.replies.set(READ, [{ status: 403, body: '<html>', headers: html }]);
    expect(await failure(client.reports.get(ID))).toMatchObject({ name: 'ApiError', code: 'http_403', retryable: false });
    service.replies.set(READ, [{ status: 200, body: '<html>login</html>', headers: html }]);
    expect(await failure(client.reports.get(ID))).toBeInstanceOf(ConnectionError);
  });

  it('follows no redirect, so that the key stays here', async () => {
    const stranger = await SmallService.start();
    try {
      service.replies.set(READ, [{ status: 307, headers: { location: `${stranger.baseUrl}/reports/${ID}` } }]);
      expect(await failure(client.reports.get(ID))).toBeInstanceOf(ConnectionError);
      expect(stranger.requests).toEqual([]);
    } finally {
      await stranger.stop();
    }
  });

  it('no error shows the key or a signed address', async () => {
    const shown: string[] = [];
    const note = async (call: Promise<unknown>) => void shown.push(inspect(await failure(call), { depth: 10, showHidden: true }));
    service.replies.set(READ, [refusal(401, 'unauthorized')]);
    await note(client.reports.get(ID));
    service.troubles.set(
      /^PUT/,
      Array.from({ length: 50 }, () => 'lost'),
    );
    await note(client.reports.createFromFiles({ files: { 'tire.tread.front_left': JPEG } }));
    service.troubles.set(/^PUT/, [{ status: 404 }]);
    await note(client.reports.createFromFiles({ files: { 'tire.tread.front_left': JPEG } }));
    await service.stop();
    await note(client.reports.get(ID));
    await note(Promise.resolve().then(() => new TireInspection({ apiKey: `${KEY}\n`, baseUrl: service.baseUrl })));
    shown.push(inspect(client, { depth: 10, showHidden: true }), JSON.stringify(client));
    for (const text of shown) expect(text).not.toMatch(/svc_test_|secret-signature/);
    expect(shown).toHaveLength(7);
    expect(shown[3]).toContain('ECONNREFUSED');
  });

  it('a signal ends a request, a pause and a wait with its reason', async () => {
    const reason = new Error('The customer has left');
    const ended = new AbortController();
    service.replies.set(READ, [refusal(429, 'rate_limited', { retryable: true }, { 'retry-after': '60' })]);
    const pausing = failure(client.reports.get(ID, { signal: ended.signal }));
    const waiting = failure(client.reports.waitFor(ID, { signal: ended.signal }));
    while (service.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    ended.abort(reason);
    expect(await Promise.all([pausing, waiting])).toEqual([reason, reason]);
    expect(await failure(client.reports.create({}, { signal: ended.signal }))).toBe(reason);
    expect(service.requests).toHaveLength(2);
  });

  it('an attempt without an answer ends at its time limit and is repeated', async () => {
    const impatient = new TireInspection({
      apiKey: KEY,
      baseUrl: service.baseUrl,
      retryDelayMs: 1,
      timeoutMs: 40,
      maxRetries: 1,
      fetch: (_, init) =>
        new Promise((_resolve, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error))),
    });
    expect(await failure(impatient.reports.get(ID))).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining('in time'),
    });
  });

  it('keys are refused in a browser', () => {
    Object.assign(globalThis, { document: {} });
    try {
      expect(() => new TireInspection({ apiKey: KEY, baseUrl: service.baseUrl })).toThrow('browser');
    } finally {
      Reflect.deleteProperty(globalThis, 'document');
    }
  });

  describe('waitFor', () => {
    it.each([
      ['finished', [report('processing'), report('partial')], 'partial'],
      ['complete', [report('awaiting_images'), report('processing'), report('complete')], 'complete'],
      ['published', [report('complete'), report('complete', 'published')], 'published'],
    ] as const)('reads until the report is %s', async (until, replies, last) => {
      service.replies.set(READ, [...replies]);
      const found = await client.reports.waitFor(ID, { until, pollMs: 1 });
      expect([found.analysis_status, found.publication_status]).toContain(last);
      expect(service.requests).toHaveLength(replies.length);
    });

    it('or until a condition of the caller holds', async () => {
      service.replies.set(READ, [report('processing'), report('failed')]);
      const found = await client.reports.waitFor(ID, { until: ({ analysis_status }) => analysis_status === 'failed', pollMs: 1 });
      expect(found.analysis_status).toBe('failed');
    });

    it.each([
      ['complete', report('partial')],
      ['published', report('failed')],
      ['published', report('complete', 'revoked')],
    ] as const)('ends when a report cannot become %s any more', async (until, reply) => {
      service.replies.set(READ, [report('processing'), reply]);
      const error = await failure(client.reports.waitFor(ID, { until, pollMs: 1 }));
      expect(error).toBeInstanceOf(ReportOutcomeError);
      expect(error).toMatchObject({ report: reply.body });
    });

    it('ends at its deadline with the report as it was read last', async () => {
      const deadline = new AbortController();
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (ms === 7_000 ? deadline.signal : timeout(ms)));
      service.replies.set(READ, [report('processing')]);
      const until = () => {
        deadline.abort();
        return false;
      };
      const error = await failure(client.reports.waitFor(ID, { timeoutMs: 7_000, until }));
      expect(error).toBeInstanceOf(WaitTimeoutError);
      expect(error).toMatchObject({ report: { analysis_status: 'processing' } });
    });

    it('waits for content for as long as Retry-After says', async () => {
      service.replies.set(`${READ}/content`, [
        { status: 202, body: { status: 'pending' }, headers: { 'retry-after': '1' } },
        { status: 200, body: { status: 'ready' } },
      ]);
      const paused = pauses();
      expect(await client.reports.waitForContent(ID, { pollMs: 1 })).toEqual({ status: 'ready' });
      expect(paused).toEqual([1_000]);
    });
  });
});
