import { randomUUID } from 'node:crypto';
import { takenOn } from './taken-on';
import { uploadImages, settled, targetOf, tread, uploaded } from '../reports/reports';
import { apiOf, systemReady } from '../world';

const api = apiOf('test');
const withKey = (key: string) => ({ 'idempotency-key': key });

beforeAll(systemReady);

describe('Idempotency-Key', () => {
  it('returns the stored response for the same body, byte for byte, in any state of the report', async () => {
    const key = withKey(randomUUID());
    const body = { template: 'tire_4t_0s', plate_number: '1', metadata: { a: 1 } };
    const first = await api.create(body, key);
    expect(first.status).toBe(201);
    const repeated = await api.create(body, key);
    expect([repeated.status, repeated.text]).toEqual([first.status, first.text]);
    const target = targetOf(first.done.upload_targets!, tread('front_left'));
    expect((await uploadImages(api, first.done.report_id, [target])).status).toBe(202);
    const later = await api.create(body, key);
    expect([later.status, later.text]).toEqual([first.status, first.text]);
  });

  it.each([
    ['another field', { plate_number: '2', template: 'tire_4t_0s' }],
    ['an additional field', { plate_number: '1', template: 'tire_4t_0s', metadata: {} }],
    ['a missing field', { plate_number: '1' }],
    ['another template', { plate_number: '1', template: 'tire_4t_4s' }],
  ])('returns a conflict for %s', async (_, body) => {
    const key = withKey(randomUUID());
    expect((await api.create({ plate_number: '1', template: 'tire_4t_0s' }, key)).status).toBe(201);
    const answer = await api.create(body, key);
    expect(answer.refusal).toEqual([409, 'idempotency_conflict', null]);
    expect(answer.error.retryable).toBe(false);
  });

  it('belongs to its project: the same key in another project creates another report', async () => {
    const key = withKey(randomUUID());
    const ids = await Promise.all(
      (['test', 'live', 'other'] as const).map(async (name) => (await apiOf(name).create({ plate_number: name }, key)).done.report_id),
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('without a key each request creates a report', async () => {
    const ids = await Promise.all([1, 2].map(async () => (await api.create({ plate_number: '1' })).done.report_id));
    expect(new Set(ids).size).toBe(2);
  });

  it.each([
    ['256 characters', 'k'.repeat(256)],
    ['a character that is not ASCII', 'clé'],
  ])('refuses %s', async (_, key) => {
    expect((await api.create({}, withKey(key))).refusal).toEqual([422, 'validation_error', 'Idempotency-Key']);
  });

  it('accepts 255 characters', async () => {
    expect((await api.create({}, withKey(randomUUID().padEnd(255, '~ ').trimEnd().padEnd(255, '!')))).status).toBe(201);
  });

  it('returns 409 report_discarded for a discarded report', async () => {
    const key = withKey(randomUUID());
    const { report_id } = (await api.create({ plate_number: '1' }, key)).done;
    expect((await api.call('discardReport', { report: report_id })).status).toBe(200);
    expect((await api.create({ plate_number: '1' }, key)).refusal.slice(0, 2)).toEqual([409, 'report_discarded']);
  });
});

describe('external_inspection_id', () => {
  it('returns the same report again, with new targets for the slots without an asset', async () => {
    const body = { external_inspection_id: randomUUID(), external_vehicle_id: 'v', template: 'tire_4t_0s' };
    const first = await uploaded(api, body, [tread('front_left')]);
    const again = await api.create(body);
    expect(again.status).toBe(201);
    const { report_id, share_url, upload_targets: targets = [] } = again.done;
    expect([report_id, share_url]).toEqual([first.report_id, first.share_url]);
    expect(targets.map(({ slot }) => slot.position).sort()).toEqual(['front_right', 'rear_left', 'rear_right']);
    const known = new Set(first.targets.map(({ asset_id }) => asset_id));
    expect(targets.filter(({ asset_id }) => known.has(asset_id))).toEqual([]);
    expect((await uploadImages(api, report_id, targets)).status).toBe(202);
    expect(await settled(api, report_id)).toMatchObject({ analysis_status: 'complete', publication_status: 'published' });
    expect((await api.create(body)).done).toMatchObject({ report_id, share_url });
  });

  it('keeps the older targets valid', async () => {
    const body = { external_inspection_id: randomUUID(), template: 'tire_4t_0s' };
    const [first, second] = [await uploaded(api, body, []), await uploaded(api, body, [])];
    expect((await uploadImages(api, first.report_id, [first.targets[0]!, second.targets[1]!])).status).toBe(202);
  });

  it.each([
    ['template', { template: 'tire_4t_4s', external_vehicle_id: 'v', plate_number: 'p' }],
    ['external vehicle', { template: 'tire_4t_0s', external_vehicle_id: 'w', plate_number: 'p' }],
    ['plate', { template: 'tire_4t_0s', external_vehicle_id: 'v', plate_number: 'q' }],
  ])('returns a conflict for another %s, and changes nothing', async (_, different) => {
    const external_inspection_id = randomUUID();
    const body = { external_inspection_id, template: 'tire_4t_0s', external_vehicle_id: 'v', plate_number: 'p' };
    const { report_id } = (await api.create(body)).done;
    expect((await api.create({ external_inspection_id, ...different })).refusal).toEqual([
      409,
      'idempotency_conflict',
      'external_inspection_id',
    ]);
    expect(await api.report(report_id)).toMatchObject({ template: { key: 'tire_4t_0s' }, vehicle: { plate_number: 'p' } });
  });

  it('returns the same report for a new Idempotency-Key, and for a repetition of that key', async () => {
    const body = { external_inspection_id: randomUUID(), template: 'tire_4t_0s' };
    const first = (await api.create(body, withKey(randomUUID()))).done;
    const key = withKey(randomUUID());
    const second = await api.create(body, key);
    expect(second.done.report_id).toBe(first.report_id);
    expect((await api.create(body, key)).text).toBe(second.text);
  });

  it('belongs to its project', async () => {
    const body = { external_inspection_id: randomUUID() };
    const ids = await Promise.all(
      (['test', 'live', 'other'] as const).map(async (name) => (await apiOf(name).create(body)).done.report_id),
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('creates one report for fifty concurrent requests', async () => {
    const body = { external_inspection_id: randomUUID(), template: 'tire_4t_0s' };
    const answers = await Promise.all(Array.from({ length: 50 }, () => takenOn(() => api.create(body))));
    const ids = answers.map((answer) => (answer.status === 409 ? answer.error.code : answer.done.report_id));
    expect(new Set(ids.filter((id) => id !== 'idempotency_in_progress')).size).toBe(1);
  });

  it('returns 409 report_discarded for a discarded report', async () => {
    const body = { external_inspection_id: randomUUID() };
    const { report_id } = (await api.create(body)).done;
    expect((await api.call('discardReport', { report: report_id })).status).toBe(200);
    expect((await api.create(body)).refusal.slice(0, 2)).toEqual([409, 'report_discarded']);
    expect((await api.create({ external_inspection_id: randomUUID() })).done.report_id).not.toBe(report_id);
  });
});
