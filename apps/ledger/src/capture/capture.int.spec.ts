import { CreateReportResponse, type Report } from '@tire/contracts/api';
import { CaptureSession } from '@tire/contracts/capture';
import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { startMeasuring, type Measuring } from '../testing/measuring.fixture';
import { creationRequest, refusalOf, treadMeasurement, type World } from '../testing/world';

const SLOT = 'tire.tread.front_left';
const HOUR_MS = 3_600_000;
const OVERDUE_MS = 60_000;
const ORDER = { expiresInHours: 2, language: 'en', returnUrl: 'https://shop.example/done' };

type Found = NonNullable<Awaited<ReturnType<World['ledger']['findCapture']>>['key']>;

describe('capture links', () => {
  let measuring: Measuring;
  let world: World;

  beforeAll(async () => {
    measuring = await startMeasuring({ overdueMs: OVERDUE_MS });
    ({ world } = measuring);
  });
  afterAll(() => measuring?.stop());

  const tokenIn = (url: string | undefined): string => /^https:\/\/api\.example\/c\/([\w-]{43})$/.exec(url ?? '')?.[1] ?? '';

  async function created(over: Parameters<typeof creationRequest>[0] = {}) {
    const request = creationRequest({ images: [], templateKey: 'tire_4t_0s', sourceChannel: 'mobile_web', capture: ORDER, ...over });
    const { responseJson } = await world.ledger.createReport(request);
    const response = CreateReportResponse.parse(JSON.parse(String(responseJson)));
    return { request, response, projectId: request.projectId, reportId: response.report_id, token: tokenIn(response.capture_url) };
  }
  const find = async (token: string): Promise<Found> => (await world.ledger.findCapture({ token })).key!;
  const session = async (key: Found) => {
    const { sessionJson } = await world.ledger.getCapture({ key });
    return CaptureSession.omit({ partner: true }).parse(JSON.parse(String(sessionJson)));
  };
  const register = ({ projectId, reportId, tokenDigest }: Found, slotId = SLOT, replace = false) =>
    world.ledger.registerImages({
      projectId,
      reportId,
      images: [{ slotId, assetId: newId() }],
      replace,
      captureDigest: tokenDigest,
    });
  const targets = ({ projectId, reportId, tokenDigest }: Found) =>
    world.ledger.issueUploadTargets({ projectId, reportId, slotIds: [SLOT], captureDigest: tokenDigest });
  const captureOf = async ({ projectId, reportId }: { projectId: string; reportId: string }): Promise<Report['capture']> =>
    (await world.report(projectId, reportId)).capture;

  /** Everything that a link may do. */
  const refusals = async (key: Found) =>
    Promise.all([targets(key), register(key), world.ledger.finishCapture({ key })].map((call) => refusalOf(call).then(({ code }) => code)));

  async function measured(key: Found, slotId = SLOT, outcome: Parameters<World['publishFinished']>[1] = TREAD): Promise<void> {
    await register(key, slotId);
    const work = await world.received.analyzeTread.last(key.reportId, (message) => message.slotId === slotId);
    await world.publishFinished(work, outcome);
    await eventually(async () => (await session(key)).slots.find(({ slot_id }) => slot_id === slotId)!.status !== 'pending');
  }
  const TREAD = { $case: 'tread' as const, value: treadMeasurement() };

  it('are issued with a report, once, and stored as a digest', async () => {
    const { response, request, reportId, token } = await created({ idempotencyKey: 'key-1' });
    expect(token).toHaveLength(43);
    const again = CreateReportResponse.parse(JSON.parse(String((await world.ledger.createReport(request)).responseJson)));
    expect(again).toEqual(response);
    const [row] = await world.asOwner('SELECT to_jsonb(reports)::text AS text FROM reports WHERE report_id = $1', [reportId]);
    expect(row!['text']).not.toContain(token);
    const rows = await world.asOwner(`SELECT encode(response_json, 'escape') AS text FROM idempotency_records WHERE report_id = $1`, [
      reportId,
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0]!['text']).not.toContain(token);
  });

  it('are not in the answer for an existing report of the inspection', async () => {
    const { request, reportId, token } = await created({ externalInspectionId: 'inspection-1' });
    const again = CreateReportResponse.parse(JSON.parse(String((await world.ledger.createReport(request)).responseJson)));
    expect([again.report_id, again.capture_url]).toEqual([reportId, undefined]);
    expect((await find(token)).reportId).toBe(reportId);
  });

  it('need a report whose images are uploaded to be measured', async () => {
    expect(await refusalOf(world.ledger.createReport(creationRequest({ capture: ORDER })))).toEqual({
      code: 'validation_error',
      param: 'capture',
    });
    const { projectId } = creationRequest();
    const byAddress = await world.create(creationRequest({ projectId }));
    const issue = world.ledger.issueCapture({ projectId, ...byAddress, order: ORDER });
    expect((await refusalOf(issue)).code).toBe('validation_error');
  });

  it('open one report: what is missing, what was measured is not told', async () => {
    const { projectId, reportId, token } = await created();
    expect(await captureOf({ projectId, reportId })).toMatchObject({ state: 'issued', images: 0, opened_at: null });
    const key = await find(token);
    const first = await session(key);
    expect(first).toMatchObject({
      report_id: reportId,
      state: 'open',
      ended_reason: null,
      language: 'en',
      return_url: ORDER.returnUrl,
      share_url: null,
      template: { key: 'tire_4t_0s', minimum_success_count: { tread: 4, sidewall: 0 } },
    });
    expect(first.slots.map(({ status }) => status)).toEqual(['empty', 'empty', 'empty', 'empty']);
    expect(await captureOf({ projectId, reportId })).toMatchObject({ state: 'opened', images: 0 });
    await measured(key);
    await measured(key, 'tire.tread.front_right', { $case: 'errorCode', value: 'tread_not_found' });
    const { slots } = await session(key);
    expect(slots.map(({ status, error_code, recognized }) => [status, error_code, recognized])).toEqual([
      ['success', null, true],
      ['failed', 'tread_not_found', null],
      ['empty', null, null],
      ['empty', null, null],
    ]);
    expect(JSON.stringify(slots)).not.toMatch(/depth|confidence|groove/);
    expect(await captureOf({ projectId, reportId })).toMatchObject({ state: 'opened', images: 2 });
  });

  it('of another report change nothing here', async () => {
    const [one, other] = [await created(), await created()];
    const [key, foreign] = [await find(one.token), await find(other.token)];
    const mixed = { ...key, tokenDigest: foreign.tokenDigest };
    expect(await refusals(mixed)).toEqual(['not_found', 'not_found', 'not_found']);
    expect((await refusalOf(world.ledger.getCapture({ key: mixed }))).code).toBe('not_found');
    const elsewhere = { ...key, projectId: other.projectId };
    expect(await refusals(elsewhere)).toEqual(['not_found', 'not_found', 'not_found']);
  });

  it('end when they are replaced, revoked, or out of time', async () => {
    const { projectId, reportId, token } = await created();
    const first = await find(token);
    const { captureUrl } = await world.ledger.issueCapture({ projectId, reportId, order: { expiresInHours: 1, language: '' } });
    expect((await refusalOf(world.ledger.findCapture({ token }))).code).toBe('not_found');
    expect(await refusals(first)).toEqual(['not_found', 'not_found', 'not_found']);
    const second = await find(tokenIn(captureUrl));
    expect(await session(second)).toMatchObject({ state: 'open', language: 'ko', return_url: null });
    world.clock.advanceMs(HOUR_MS);
    expect(await session(second)).toMatchObject({ state: 'ended', ended_reason: 'expired' });
    expect(await refusals(second)).toEqual(['capture_ended', 'capture_ended', 'capture_ended']);
    expect(await captureOf({ projectId, reportId })).toMatchObject({ state: 'expired' });
    const third = await world.ledger.issueCapture({ projectId, reportId, order: ORDER });
    const key = await find(tokenIn(third.captureUrl));
    const { revokedAt } = await world.ledger.revokeCapture({ projectId, reportId });
    expect((await world.ledger.revokeCapture({ projectId, reportId })).revokedAt).toBe(revokedAt);
    expect(await session(key)).toMatchObject({ state: 'ended', ended_reason: 'revoked', slots: [], return_url: null, share_url: null });
    expect(await refusals(key)).toEqual(['capture_ended', 'capture_ended', 'capture_ended']);
    expect(await captureOf({ projectId, reportId })).toMatchObject({ state: 'revoked' });
  });

  it('end when the report is published, and then lead to its page', async () => {
    const { projectId, reportId, response, token } = await created();
    const key = await find(token);
    await measured(key);
    await world.ledger.applyPublication({
      projectId,
      reportId,
      version: 2,
      publicationStatus: 'published',
      publishedAt: world.clock.now().toISOString(),
      shareToken: response.share_url.split('/').at(-1),
    });
    // The last photograph may be a bad one: it can be taken again for a quarter of an hour.
    expect(await session(key)).toMatchObject({ state: 'open', ended_reason: null, share_url: response.share_url });
    world.clock.advanceMs(HOUR_MS / 4);
    expect(await session(key)).toMatchObject({ state: 'ended', ended_reason: 'published', share_url: response.share_url });
    // Its holder may still say that all photographs are taken: the last one has published the report.
    expect(await refusals(key)).toEqual(['capture_ended', 'capture_ended', 'none']);
  });

  it('are gone with their report', async () => {
    const { projectId, reportId, token } = await created();
    const key = await find(token);
    await world.asOwner('UPDATE reports SET discarded_at = now() WHERE report_id = $1', [reportId]);
    expect((await refusalOf(world.ledger.findCapture({ token }))).code).toBe('not_found');
    expect((await refusalOf(world.ledger.getCapture({ key }))).code).toBe('not_found');
    expect((await refusalOf(register(key))).code).toBe('report_discarded');
    expect((await refusalOf(world.ledger.issueCapture({ projectId, reportId, order: ORDER }))).code).toBe('report_discarded');
  });

  it('are finished once, and one fact is published', async () => {
    const { token, reportId, projectId } = await created();
    const key = await find(token);
    await Promise.all([world.ledger.finishCapture({ key }), world.ledger.finishCapture({ key })]);
    const { finished_at: finishedAt } = await session(key);
    expect(finishedAt).not.toBeNull();
    // Photographs are accepted until the link ends.
    await measured(key);
    expect(await captureOf({ projectId, reportId })).toMatchObject({ state: 'finished', finished_at: finishedAt });
    await world.received.captureFinished.of(reportId, 1);
    await world.settled();
    expect(await world.received.captureFinished.of(reportId, 1)).toEqual([{ projectId, reportId, finishedAt }]);
  });

  it('are announced again until the share service has noted it, also after the broker lost everything', async () => {
    const { token, reportId, projectId } = await created();
    const key = await find(token);
    await world.ledger.finishCapture({ key });
    const { finished_at: finishedAt } = await session(key);
    await world.received.captureFinished.of(reportId, 1);
    await world.loseBroker();
    world.clock.advanceMs(OVERDUE_MS + 1);
    await world.reconciler.sweep();
    expect(await world.received.captureFinished.of(reportId, 2)).toEqual(Array(2).fill({ projectId, reportId, finishedAt }));
    await world.publishJudged(projectId, reportId, 1, { captureFinishedAt: finishedAt! });
    const noted = 'SELECT publication_capture_finished_at AS at FROM reports WHERE report_id = $1';
    await eventually(async () => (await world.asOwner(noted, [reportId]))[0]!['at'] !== null);
    world.clock.advanceMs(4 * OVERDUE_MS);
    await world.reconciler.sweep();
    await world.settled();
    expect(world.received.captureFinished.count(reportId)).toBe(2);
  });

  it('register an image only over the one that their page knows', async () => {
    const { token } = await created();
    const { projectId, reportId, tokenDigest: captureDigest } = await find(token);
    const [first, second, third] = [newId(), newId(), newId()];
    const registering = (assetId: string, replacesAssetId: string) =>
      world.ledger.registerImages({
        projectId,
        reportId,
        images: [{ slotId: SLOT, assetId, replacesAssetId }],
        replace: false,
        captureDigest,
      });
    const held = async () => (await session(await find(token))).slots.find(({ slot_id }) => slot_id === SLOT)!.asset_id;
    expect(await held()).toBeNull();
    await registering(first, '');
    // The slot is still measured, so an API key would not need `replace`.
    expect(await refusalOf(registering(second, ''))).toEqual({ code: 'slot_already_succeeded', param: 'images[0].slot' });
    await registering(second, first);
    // A repetition whose answer was lost changes nothing, whatever it replaced.
    await registering(second, first);
    expect((await refusalOf(registering(third, first))).code).toBe('slot_already_succeeded');
    expect(await held()).toBe(second);
  });

  it('an unknown token, and a report without a link, are not found', async () => {
    expect((await refusalOf(world.ledger.findCapture({ token: 'x'.repeat(43) }))).code).toBe('not_found');
    const { projectId, images: _, ...request } = creationRequest({ templateKey: 'tire_4t_0s' });
    const { reportId } = await world.create({ ...request, projectId, images: [] });
    expect((await refusalOf(world.ledger.revokeCapture({ projectId, reportId }))).code).toBe('not_found');
    expect(await captureOf({ projectId, reportId })).toBeNull();
  });
});
