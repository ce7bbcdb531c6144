import { CreateReportResponse, Report } from '@tire/contracts/api';
import { type ledgerApi } from '@tire/contracts/grpc';
import { type DomainError, newId } from '@tire/kernel';
import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { creationRequest, refusalOf, startWorld, type World } from '../testing/world';

/** A slow machine must not replace the refusal by the end of the call. */
const IN_ANY_TIME = { deadlineMs: 120_000 };

let world: World;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world?.stop());

const parsed = ({ responseJson }: ledgerApi.CreateReportResponse) => CreateReportResponse.parse(JSON.parse(responseJson.toString()));

describe('creation from submitted addresses', () => {
  it('answers 202, requests every image, and shows the report at once', async () => {
    const request = creationRequest({ plateNumber: '12가 3456', metadataJson: '{"branch":"강남","z":1,"a":[null]}' });
    const answer = await world.ledger.createReport(request);
    const { report_id, status, share_url, upload_targets } = parsed(answer);
    expect([answer.httpStatus, status, upload_targets]).toEqual([202, 'processing', undefined]);
    const report = await world.report(request.projectId, report_id);
    expect(report).toMatchObject({
      report_id,
      analysis_status: 'processing',
      publication_status: 'unpublished',
      summary_status: 'pending',
      vehicle: { plate_number: '12가 3456' },
      client_context: { metadata: { branch: '강남', z: 1, a: [null] } },
      links: { self: `https://api.example/api/v1/reports/${report_id}`, share: share_url },
    });
    const fetches = await world.received.fetchImage.of(report_id, request.images.length);
    expect(fetches.map(({ url }) => url).sort()).toEqual(request.images.map(({ url }) => url).sort());
    const { projectId } = request;
    const { registration } = await world.ledger.getPublicationState({ projectId, reportId: report_id, forChange: false });
    expect(share_url).toBe(`https://share.example/r/${registration!.shareToken}`);
    expect(await world.ledger.findShareToken({ shareToken: registration!.shareToken })).toEqual({ projectId, reportId: report_id });
  });

  it.each<[string, Partial<ledgerApi.CreateReportRequest>, string]>([
    ['an unknown template', { templateKey: 'tire_9t' }, 'template'],
    ['another profile', { contentProfile: { key: 'tire-standard', version: '9.0', locale: 'ko-KR' } }, 'content_profile'],
    ['metadata that is no object', { metadataJson: '[1]' }, 'metadata'],
    [
      'a slot outside the template',
      { templateKey: 'tire_4t_0s', images: [{ slotId: 'tire.sidewall.front_left', url: 'https://images.example/a.jpg' }] },
      'images[0].slot.image_type',
    ],
  ])('refuses %s and stores nothing', async (_, over, param) => {
    const request = creationRequest({ externalInspectionId: newId(), ...over });
    expect(await refusalOf(world.ledger.createReport(request))).toEqual({ code: 'validation_error', param });
    expect(await world.countReports(request.projectId)).toBe(0);
  });

  const withUrls = (...urls: string[]) => creationRequest().images.map((image, index) => ({ ...image, url: urls[index] ?? image.url }));
  const PRIVATE = 'https://10.1.2.3/a.jpg';

  it('names every address that no look-up can make public, and stores nothing', async () => {
    const request = creationRequest({
      images: withUrls('https://[::1]/a.jpg', 'https://images.example/a.jpg', PRIVATE, 'https://LOCALHOST./'),
    });
    const message = 'images[0].source.url: must be a public address.';
    await expect(world.ledger.createReport(request)).rejects.toMatchObject({
      code: 'validation_error',
      param: 'images[0].source.url',
      message,
      faults: [{ param: 'images[0].source.url', message }, { param: 'images[2].source.url' }, { param: 'images[3].source.url' }],
    });
    expect(await world.countReports(request.projectId)).toBe(0);
  });

  it('gives a repeated request its first answer, although an address of it is refused by now', async () => {
    const request = creationRequest({ idempotencyKey: newId() });
    const first = await world.ledger.createReport(request);
    expect(await world.ledger.createReport({ ...request, images: withUrls(PRIVATE) })).toEqual(first);
  });

  it('names the faults of the profile and of the slots together', async () => {
    const images = [{ slotId: 'tire.sidewall.front_left', url: 'https://images.example/a.jpg' }];
    const contentProfile = { key: '', version: '9.0', locale: '' };
    const refused = world.ledger.createReport(creationRequest({ templateKey: 'tire_4t_0s', contentProfile, images }));
    await expect(refused).rejects.toMatchObject({
      param: 'content_profile',
      message: 'content_profile: must be tire-standard, 1.0, in ko-KR or en-US.',
      faults: [{ param: 'content_profile' }, { param: 'images[0].slot.image_type' }],
    });
  });
});

describe('idempotency', () => {
  it('gives the stored answer byte for byte, also when the report has moved on', async () => {
    const request = creationRequest({ idempotencyKey: newId() });
    const first = await world.ledger.createReport(request);
    await world.publishFetched(request.projectId, parsed(first).report_id, request.images[0]!.slotId);
    const second = await world.ledger.createReport(request);
    expect(second).toEqual(first);
    expect(await world.countReports(request.projectId)).toBe(1);
  });

  it('refuses another request under the same key', async () => {
    const request = creationRequest({ idempotencyKey: newId() });
    await world.ledger.createReport(request);
    const other = { ...request, plateNumber: 'other', requestDigest: createHash('sha256').update('other').digest() };
    expect(await refusalOf(world.ledger.createReport(other))).toMatchObject({ code: 'idempotency_conflict' });
  });

  it('keeps the keys of projects apart', async () => {
    const request = creationRequest({ idempotencyKey: newId() });
    const elsewhere = { ...request, projectId: newId() };
    const [first, second] = [await world.ledger.createReport(request), await world.ledger.createReport(elsewhere)];
    expect(parsed(second).report_id).not.toBe(parsed(first).report_id);
  });

  it('makes one report of fifty identical requests at once', async () => {
    const request = creationRequest({ idempotencyKey: newId() });
    const attempts = Array.from({ length: 50 }, () => world.ledger.createReport(request));
    const settled = await Promise.allSettled(attempts);
    const bodies = new Set<string>();
    for (const outcome of settled) {
      if (outcome.status === 'fulfilled') bodies.add(outcome.value.responseJson.toString());
      else expect((outcome.reason as DomainError).code).toBe('idempotency_in_progress');
    }
    expect(bodies.size).toBe(1);
    expect(await world.countReports(request.projectId)).toBe(1);
  });

  it('makes one report of an inspection that is created many times at once, with and without keys', async () => {
    const request = creationRequest({ externalInspectionId: newId() });
    const attempts = Array.from({ length: 30 }, (_, index) =>
      world.ledger.createReport({ ...request, idempotencyKey: index % 2 === 0 ? newId() : undefined }),
    );
    const ids = new Set((await Promise.all(attempts)).map((answer) => parsed(answer).report_id));
    expect(ids.size).toBe(1);
    expect(await world.countReports(request.projectId)).toBe(1);
  });

  it('holds no connection while another process creates a report of the inspection, and then answers with that report', async () => {
    const request = creationRequest({ externalInspectionId: newId() });
    const { reportId: other } = await world.create(creationRequest({ projectId: request.projectId }));
    const elsewhere = new Client({ connectionString: world.ownerUrl });
    await elsewhere.connect();
    await elsewhere.query('SELECT pg_advisory_lock(hashtextextended($1, 2))', [`${request.projectId} ${request.externalInspectionId}`]);
    // More than the pool has connections.
    const attempts = Array.from({ length: 40 }, () => refusalOf(world.ledger.createReport(request, IN_ANY_TIME)));
    const settled = Promise.all(attempts);
    for (let reads = 0; reads < 5; reads += 1) await world.report(request.projectId, other);
    const refusals = await settled;
    await elsewhere.end();
    expect(refusals).toEqual(Array(40).fill({ code: 'idempotency_in_progress', param: 'external_inspection_id' }));
    const first = parsed(await world.ledger.createReport(request));
    expect(parsed(await world.ledger.createReport(request)).report_id).toBe(first.report_id);
  });

  it('refuses the same inspection for another vehicle, and stores the answer under a new key', async () => {
    const request = creationRequest({ externalInspectionId: newId(), externalVehicleId: 'V-1' });
    const first = parsed(await world.ledger.createReport(request));
    const other = world.ledger.createReport({ ...request, externalVehicleId: 'V-2' });
    await expect(other).rejects.toMatchObject({
      code: 'idempotency_conflict',
      param: 'external_inspection_id',
      faults: [{ param: 'external_vehicle_id' }],
      reportId: first.report_id,
    });
    const keyed = { ...request, idempotencyKey: newId() };
    const second = await world.ledger.createReport(keyed);
    expect(parsed(second).report_id).toBe(first.report_id);
    expect(await world.ledger.createReport(keyed)).toEqual(second);
  });

  it('answers one of different concurrent requests with one key, and makes no report for the others', async () => {
    const request = creationRequest({ externalInspectionId: newId() });
    await world.ledger.createReport(request);
    const idempotencyKey = newId();
    const attempts = Array.from({ length: 30 }, (_, index) => {
      const externalInspectionId = index % 2 === 0 ? request.externalInspectionId : newId();
      const requestDigest = createHash('sha256').update(`race ${index}`).digest();
      return world.ledger.createReport({ ...request, externalInspectionId, idempotencyKey, requestDigest });
    });
    const settled = await Promise.allSettled(attempts);
    const answered = settled.flatMap((outcome) => (outcome.status === 'fulfilled' ? [parsed(outcome.value).report_id] : []));
    expect(answered).toHaveLength(1);
    for (const outcome of settled) {
      if (outcome.status === 'rejected') expect((outcome.reason as DomainError).code).toMatch(/^idempotency_(conflict|in_progress)$/);
    }
    const first = parsed(await world.ledger.createReport(request)).report_id;
    expect(await world.countReports(request.projectId)).toBe(answered[0] === first ? 1 : 2);
  });
});

describe('projects', () => {
  it("another project's report is not found, nor is an invalid id", async () => {
    const request = creationRequest();
    const { report_id: reportId } = parsed(await world.ledger.createReport(request));
    for (const named of [
      { projectId: newId(), reportId },
      { projectId: request.projectId, reportId: 'x' },
      { projectId: request.projectId, reportId: newId() },
    ]) {
      expect((await world.ledger.getReports({ keys: [named], acceptsPart: true })).answers).toMatchObject([{ errorCode: 'not_found' }]);
      expect((await world.ledger.getContentPointers({ keys: [named] })).answers).toMatchObject([{ errorCode: 'not_found' }]);
      const calls = [
        world.ledger.getPublicationState({ ...named, forChange: false }),
        world.ledger.getPublicationState({ ...named, forChange: true }),
        world.ledger.getMutability(named),
        world.ledger.issueUploadTargets({ ...named, slotIds: [] }),
        world.ledger.analyzeSlots({ ...named, slotIds: [] }),
        world.ledger.discardReport(named),
        world.ledger.getAnalysisRevision({ ...named, analysisRevision: newId() }),
        world.ledger.registerImages({ ...named, replace: false, images: [{ slotId: 'tire.tread.front_left', assetId: newId() }] }),
      ];
      for (const refusal of await Promise.all(calls.map(refusalOf))) expect(refusal).toMatchObject({ code: 'not_found' });
    }
  });

  it('answers the first keys of a batch whose documents are too large for one message', async () => {
    const small = creationRequest();
    const { reportId } = await world.create(small);
    const large = creationRequest({ metadataJson: JSON.stringify({ text: 'x'.repeat(200_000) }) });
    const largeIds = await Promise.all(Array.from({ length: 14 }, async () => (await world.create(large)).reportId));
    const keys = [{ projectId: small.projectId, reportId }, ...largeIds.map((id) => ({ projectId: large.projectId, reportId: id }))];
    const { answers } = await world.ledger.getReports({ keys, acceptsPart: true });
    expect(answers).toHaveLength(3);
    expect(answers.map(({ reportJson }) => Report.parse(JSON.parse(reportJson.toString())).report_id)).toEqual(
      keys.slice(0, 3).map((key) => key.reportId),
    );
    // A gateway of the version before expects as many results as keys.
    expect((await world.ledger.getReports({ keys, acceptsPart: false })).answers).toHaveLength(keys.length);
    const huge = await world.create({ ...large, metadataJson: JSON.stringify({ text: 'x'.repeat(3_000_000) }) });
    expect((await world.ledger.getReports({ keys: [{ projectId: large.projectId, ...huge }], acceptsPart: true })).answers).toHaveLength(1);
  });

  it('serves a valid report.v1 without further fields', async () => {
    const request = creationRequest();
    const { report_id: reportId } = parsed(await world.ledger.createReport(request));
    const { answers } = await world.ledger.getReports({ keys: [{ projectId: request.projectId, reportId }], acceptsPart: true });
    const document: unknown = JSON.parse(answers[0]!.reportJson.toString());
    expect(Report.parse(document)).toEqual(document);
  });

  it('keeps branch, VIN and mileage; an archived branch takes no new report, and a repeated creation gets its first answer', async () => {
    const [projectId, branchId] = [newId(), newId()];
    const request = creationRequest({ projectId, branchId, vin: 'kmhxx00xxxx000001', mileageKm: 48_210, idempotencyKey: 'branch' });
    const { reportId } = await world.create(request);
    const { branch_id, vehicle } = await world.report(projectId, reportId);
    expect([branch_id, vehicle]).toEqual([branchId, { plate_number: null, vin: 'KMHXX00XXXX000001', mileage_km: 48_210 }]);
    expect((await world.create({ ...request, isBranchArchived: true })).reportId).toBe(reportId);
    const refused = world.ledger.createReport(creationRequest({ projectId, branchId, isBranchArchived: true }));
    expect(await refusalOf(refused)).toEqual({ code: 'validation_error', param: 'branch_id' });
    expect(await world.countReports(projectId)).toBe(1);
  });
});
