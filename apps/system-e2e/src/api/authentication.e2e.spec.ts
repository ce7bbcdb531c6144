import type { CreateReportResponse } from '@tire/contracts/api';
import { eventually } from '@tire/test-harness';
import { Api, type Call } from './api';
import { sound } from './calls';
import { endpointOf, MUTATIONS, ON_A_REPORT, OPERATIONS, READS, statusOfNothing, type Operation } from './operations';
import { uploadImages, reportThat, targetOf, tread, TREADS, uploaded } from '../reports/reports';
import { stackUnderTest } from '../stack-under-test';
import { administer, apiOf, apiWith, newKey, newProject, systemReady, UNKNOWN_ID } from '../world';

const SCOPES = ['report:read', 'report:write', 'report:publish', 'report:discard'];
const withBody = OPERATIONS.filter((operation) => endpointOf(operation).body);
const WRITES: Operation[] = ['createReport', ...MUTATIONS];

/** A request that every later check refuses, so that the response shows which check came first. */
const hopeless = (operation: Operation, report = UNKNOWN_ID): Call => ({
  report,
  contentRevision: UNKNOWN_ID,
  ...(withBody.includes(operation) ? { raw: '{"slots": 7, "images": ' } : {}),
});

let project: string;

beforeAll(async () => {
  await systemReady();
  project = await newProject('live');
});

describe('an invalid key', () => {
  const key = stackUnderTest().keys.live;
  const swapped = (text: string, index: number) => text.slice(0, index) + (text[index] === 'A' ? 'B' : 'A') + text.slice(index + 1);
  let revoked: string;

  beforeAll(async () => {
    const issued = await newKey(project, 'report:*');
    await administer('revoke-key', '--key', issued.id);
    revoked = issued.key;
  });

  const headers: [what: string, header: () => string | undefined][] = [
    ['no header', () => undefined],
    ['an empty header', () => ''],
    ['the scheme alone', () => 'Bearer '],
    ['no scheme', () => key],
    ['another scheme', () => `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
    ['two keys', () => `Bearer ${key} ${key}`],
    ['no key at all', () => 'Bearer null'],
    ['a part of a key', () => `Bearer ${key.slice(0, -1)}`],
    ['a wrong checksum', () => `Bearer ${swapped(key, key.length - 1)}`],
    ['a wrong secret', () => `Bearer ${swapped(key, 20)}`],
    ['the prefix of the other mode', () => `Bearer ${key.replace('svc_live_', 'svc_test_')}`],
    ['an unknown prefix', () => `Bearer ${key.replace('svc_live_', 'svc_prod_')}`],
    ['a key of ten thousand characters', () => `Bearer svc_live_${'A'.repeat(10_000)}`],
    ['a revoked key', () => `Bearer ${revoked}`],
  ];

  it.each(headers)('%s: every operation returns 401 unauthorized, even with other errors in the request', async (_, header) => {
    const caller = new Api(stackUnderTest().base_url, header());
    const answers = await Promise.all(OPERATIONS.map((operation) => caller.call(operation, hopeless(operation))));
    expect(answers.map(({ refusal }) => refusal)).toEqual(OPERATIONS.map(() => [401, 'unauthorized', null]));
    expect(answers[0]!.error).toMatchObject({ type: 'authentication_error', retryable: false });
  });

  it('a revocation takes effect, permanently', async () => {
    const { id, key: issued } = await newKey(project, 'report:*');
    const caller = apiWith(issued);
    const status = async () => (await caller.call('getReport', { report: UNKNOWN_ID })).status;
    expect(await status()).toBe(404);
    await administer('revoke-key', '--key', id);
    await eventually(async () => (await status()) === 401, { message: 'The revoked key still opens' });
    expect(new Set(await Promise.all(Array.from({ length: 20 }, status)))).toEqual(new Set([401]));
  });
});

describe('scopes', () => {
  const keyOf = new Map<string, string>();

  beforeAll(async () => {
    await Promise.all(SCOPES.map(async (scope) => keyOf.set(scope, (await newKey(project, scope)).key)));
  });

  it.each(SCOPES)('%s permits only its own operations', async (scope) => {
    const caller = apiWith(keyOf.get(scope)!);
    for (const operation of OPERATIONS) {
      const answer = await caller.call(operation, sound(operation));
      const mayBe = statusOfNothing(operation);
      expect([operation, answer.status]).toEqual([operation, endpointOf(operation).scope === scope ? mayBe : 403]);
      if (answer.status === 403) expect(answer.error).toMatchObject({ type: 'permission_error', code: 'forbidden', retryable: false });
    }
  });

  it('match the specification', () => {
    const holders = SCOPES.map((scope) => [scope, OPERATIONS.filter((operation) => endpointOf(operation).scope === scope).sort()]);
    expect(Object.fromEntries(holders)).toEqual({
      'report:read': ['getContent', 'getContentRevision', 'getReport', 'getShare', 'getVehicle', 'listReports', 'listenToCallbacks'],
      'report:write': [
        'analyzeSlots',
        'createReport',
        'createUploadTargets',
        'issueCapture',
        'registerImages',
        'replayCallbacks',
        'revokeCapture',
      ],
      'report:publish': ['publishReport', 'reissueShare', 'revokeShare'],
      'report:discard': ['discardReport'],
    });
  });

  it('every write refuses a read-only key before any other check', async () => {
    const answers = await Promise.all(WRITES.map((operation) => apiOf('read_only').call(operation, hopeless(operation))));
    expect(answers.map(({ refusal }) => refusal)).toEqual(WRITES.map(() => [403, 'forbidden', null]));
  });

  it('a read-only key can read everything', async () => {
    const owner = apiOf('live');
    const vehicle = `car-${Date.now()}`;
    const created = await uploaded(owner, { template: 'tire_4t_0s', external_vehicle_id: vehicle }, TREADS);
    const report = created.report_id;
    await reportThat(owner, report, ({ summary_status }) => summary_status === 'complete');
    const { content_revision } = (await owner.call('getContent', { report })).done;
    const answers = await Promise.all(
      READS.map((operation) => apiOf('read_only').call(operation, { report, vehicle, contentRevision: content_revision! })),
    );
    // Nobody listens to a live project.
    const statusOf = (operation: Operation) => (operation === 'listenToCallbacks' ? 403 : 200);
    expect(answers.map(({ operation, status }) => [operation, status])).toEqual(READS.map((operation) => [operation, statusOf(operation)]));
  });
});

describe('a report of another project', () => {
  const callers = { 'the other mode': apiOf('live'), 'another organization': apiOf('other') };
  const owner = apiOf('test');
  let created: CreateReportResponse;

  beforeAll(async () => {
    created = (await owner.create({ template: 'tire_4t_0s' })).done;
  });

  it.each(Object.entries(callers))('is not found by %s, with the same response as for an unknown report', async (_, caller) => {
    const before = await owner.report(created.report_id);
    for (const operation of ON_A_REPORT) {
      for (const request of [hopeless, sound]) {
        const [theirs, unknown] = await Promise.all([
          caller.call(operation, request(operation, created.report_id)),
          caller.call(operation, request(operation, UNKNOWN_ID)),
        ]);
        expect([operation, ...theirs.refusal]).toEqual([operation, 404, 'not_found', null]);
        expect([operation, theirs.status, theirs.text]).toEqual([operation, unknown.status, unknown.text]);
      }
    }
    expect(await owner.report(created.report_id)).toEqual(before);
  });

  it('is in no list of another project, and its vehicle is not found there', async () => {
    const named = { external_inspection_id: `order-${Date.now()}`, external_vehicle_id: `car-${Date.now()}`, plate_number: '77하 7777' };
    const { report_id } = (await owner.create({ template: 'tire_4t_0s', ...named })).done;
    const vehicle = named.external_vehicle_id;
    const queries = Object.entries(named).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    for (const query of queries) {
      const found = (await owner.call('listReports', { query })).done.reports.map((report) => report.report_id);
      expect([query, found.includes(report_id)]).toEqual([query, true]);
      for (const caller of Object.values(callers)) {
        const theirs = (await caller.call('listReports', { query })).done.reports.map((report) => report.report_id);
        expect([query, theirs.includes(report_id)]).toEqual([query, false]);
      }
    }
    expect((await owner.call('getVehicle', { vehicle })).done.inspections.map((inspection) => inspection.report_id)).toEqual([report_id]);
    for (const caller of Object.values(callers)) {
      const [theirs, nobodys] = await Promise.all([vehicle, UNKNOWN_ID].map((id) => caller.call('getVehicle', { vehicle: id })));
      expect([theirs!.refusal, theirs!.text]).toEqual([[404, 'not_found', null], nobodys!.text]);
    }
  });

  it('accepts the registration of an upload from its own project only', async () => {
    const target = targetOf(created.upload_targets!, tread('rear_left'));
    for (const caller of Object.values(callers)) {
      const own = (await caller.create({ template: 'tire_4t_0s' })).done;
      expect((await uploadImages(caller, own.report_id, [target])).refusal).toEqual([422, 'validation_error', 'asset_id']);
    }
    expect((await uploadImages(owner, created.report_id, [target])).status).toBe(202);
  });

  it('a content revision is readable under its own report only', async () => {
    const [first, second] = [await uploaded(owner, { template: 'tire_4t_0s' }, TREADS), await uploaded(owner, {}, [])];
    await reportThat(owner, first.report_id, ({ summary_status }) => summary_status === 'complete');
    const { content_revision } = (await owner.call('getContent', { report: first.report_id })).done;
    const contentRevision = content_revision!;
    expect((await owner.call('getContentRevision', { report: first.report_id, contentRevision })).status).toBe(200);
    expect((await owner.call('getContentRevision', { report: second.report_id, contentRevision })).refusal).toEqual([
      404,
      'not_found',
      null,
    ]);
  });
});

describe('the order of checks', () => {
  const api = apiOf('test');

  it('404 comes before 422', async () => {
    for (const operation of ON_A_REPORT) {
      for (const report of [UNKNOWN_ID, 'no-uuid', '%00', 'a'.repeat(2_000)]) {
        expect([operation, ...(await api.call(operation, hopeless(operation, report))).refusal]).toEqual([
          operation,
          404,
          'not_found',
          null,
        ]);
      }
    }
  });

  it('409 of a discarded report comes before 422, and its reads return 404', async () => {
    const report = (await api.create()).done.report_id;
    expect((await api.call('discardReport', { report })).status).toBe(200);
    for (const operation of ON_A_REPORT.filter((name) => name !== 'discardReport')) {
      const expected = READS.includes(operation) ? [404, 'not_found'] : [409, 'report_discarded'];
      for (const request of [hopeless, sound]) {
        expect([operation, ...(await api.call(operation, request(operation, report))).refusal]).toEqual([operation, ...expected, null]);
      }
    }
  });

  it('422 comes before any other 409', async () => {
    const created = await uploaded(api, { template: 'tire_4t_0s', external_inspection_id: `order-${Date.now()}` }, [tread('front_left')]);
    const report = created.report_id;
    await reportThat(api, report, ({ analysis_status }) => analysis_status !== 'processing');
    const again = { asset_id: UNKNOWN_ID, module_type: 'tire' };
    const sidewallToo = [tread('front_left'), { slot: { position: 'front_left', image_type: 'sidewall' } }].map((slot) => ({
      ...again,
      ...slot,
    }));
    expect((await api.call('registerImages', { report, body: { images: sidewallToo } })).refusal).toEqual([
      422,
      'validation_error',
      'images[1].slot.image_type',
    ]);
    const headers = { 'idempotency-key': `order-${Date.now()}` };
    expect((await api.create({}, headers)).status).toBe(201);
    expect((await api.create({ template: 'tire_9t' }, headers)).refusal).toEqual([422, 'validation_error', 'template']);
  });
});
