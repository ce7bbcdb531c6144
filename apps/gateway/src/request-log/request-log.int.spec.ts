import { IssuedApiKey, Project, RequestList } from '@tire/contracts/console';
import { newId } from '@tire/kernel';
import { eventually, testClock, type TestClock } from '@tire/test-harness';
import { Client } from 'pg';
import { LOG_SLOTS } from '../domain/log-slots';
import { Browser, invited, newOrganization } from '../testing/browser';
import { startGateway } from '../testing/gateway';

const DAY_MS = 86_400_000;
const REPORT_ID = newId();

describe('the request log', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let clock: TestClock;
  let owner: Browser;
  let email: string;
  let organizationId: string;
  let projectId: string;

  beforeAll(async () => {
    clock = testClock(new Date());
    gateway = await startGateway({ clock });
    ({ organizationId, email } = await newOrganization(gateway.databaseUrl));
    owner = new Browser(gateway.origin, '192.0.2.1');
    await owner.signIn(email);
    const created = await owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name: 'Live', mode: 'live' } });
    projectId = Project.parse(created.json).project_id;
  });
  afterAll(() => gateway?.stop());

  const newKey = async () =>
    IssuedApiKey.parse((await owner.call('POST', `/projects/${projectId}/keys`, { body: { name: 'x', scopes: ['report:read'] } })).json);
  const list = async (query = '') => RequestList.parse((await owner.call('GET', `/projects/${projectId}/requests${query}`)).json);
  // Polls rarely: the test clock does not advance, so the rate limit of the user never refills.
  const listedOnce = <T>(probe: () => Promise<T | false>) => eventually(probe, { pollMs: 200 });
  const written = (keyId: string, count: number) =>
    listedOnce(async () => {
      const { requests } = await list(`?limit=100&key_id=${keyId}`);
      return requests.length >= count && requests;
    });

  it('contains requests and statuses of a key, without bodies, queries and keys', async () => {
    const { key, value } = await newKey();
    const id = newId();
    await gateway.call('GET', `/reports/${id}?secret=1`, { key: value, headers: { 'x-request-id': 'mine-7' } });
    clock.advanceMs(10);
    await gateway.call('POST', '/reports', { key: value, body: { plate_number: '12가3456' } });
    await gateway.call('GET', `/reports/${id}`, { key: '' });
    const requests = await written(key.key_id, 2);
    expect(requests.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['POST', '/api/v1/reports', 403],
      ['GET', `/api/v1/reports/${id}`, 503],
    ]);
    expect(requests[1]).toMatchObject({ key_id: key.key_id, request_id: 'mine-7' });
    expect(requests[0]?.at).toBe(clock.now().toISOString());
    const { text } = await owner.call('GET', `/projects/${projectId}/requests`);
    // Ids may hold the digits alone.
    for (const secret of ['secret', '가3456', value]) expect(text).not.toContain(secret);
  });

  it.each(['/vehicles/12%EA%B0%803456', '/vehicles/12%2F3456/more', '/%76ehicles/3456?a=3456'])(
    'contains no text of the partner that stands in the path %s',
    async (path) => {
      const { key, value } = await newKey();
      await gateway.call('GET', path, { key: value });
      await gateway.call('PUT', path, { key: value });
      const requests = await written(key.key_id, 2);
      expect(requests.map((request) => request.path)).toEqual(Array(2).fill('/api/v1/vehicles/{external_vehicle_id}'));
    },
  );

  it.each([
    ['/reports/12%EA%B0%803456', '/reports/{report_id}'],
    ['/reports/12%2F3456', '/reports/{report_id}'],
    [`/reports/${REPORT_ID}/content/3456`, `/reports/${REPORT_ID}/content/{content_revision}`],
    ['/reports/%33456/images?a=3456', '/reports/{report_id}/images'],
  ])('contains no value of the path %s that is no id', async (path, logged) => {
    const { key, value } = await newKey();
    await gateway.call('GET', path, { key: value });
    await gateway.call('PUT', path, { key: value });
    const requests = await written(key.key_id, 2);
    expect(requests.map((request) => request.path)).toEqual(Array(2).fill(`/api/v1${logged}`));
  });

  it.each(['/vehicle/12%EA%B0%803456', '//vehicles/3456', '/reports/x/12%EA%B0%803456', '/Vehicles/3456', '/'])(
    'contains nothing of the path %s, which no operation has',
    async (path) => {
      const { key, value } = await newKey();
      await gateway.call('GET', path, { key: value });
      await gateway.call('PUT', path, { key: value });
      const requests = await written(key.key_id, 2);
      expect(requests.map((request) => [request.path, request.status])).toEqual(Array(2).fill(['/api/v1/…', 404]));
    },
  );

  it('is paged, for one key or for all', async () => {
    const [one, other] = [await newKey(), await newKey()];
    for (let index = 0; index < 3; index += 1)
      for (const { value } of [one, other]) {
        clock.advanceMs(10);
        await gateway.call('GET', `/reports/${newId()}`, { key: value });
      }
    await written(other.key.key_id, 3);
    const first = await list(`?key_id=${one.key.key_id}&limit=2`);
    const second = await list(`?key_id=${one.key.key_id}&limit=2&cursor=${first.next_cursor}`);
    expect([first.requests.length, second.requests.length, second.next_cursor]).toEqual([2, 1, null]);
    expect(new Set((await list('?limit=6')).requests.map(({ key_id }) => key_id))).toEqual(new Set([one.key.key_id, other.key.key_id]));
    for (const query of ['?key_id=x', '?cursor=x', '?limit=0'])
      expect((await owner.call('GET', `/projects/${projectId}/requests${query}`)).error?.code).toBe('validation_error');
  });

  it('stores at most a hundred requests a second per key', async () => {
    const { key, value } = await newKey();
    for (let batch = 0; batch < 6; batch += 1)
      await Promise.all(Array.from({ length: 20 }, () => gateway.call('GET', `/reports/${newId()}`, { key: value })));
    await written(key.key_id, 100);
    clock.advanceMs(1_000);
    const ofNextSecond = newId();
    await gateway.call('GET', `/reports/${ofNextSecond}`, { key: value });
    const all = await listedOnce(async () => {
      const { requests, next_cursor } = await list(`?limit=100&key_id=${key.key_id}`);
      return (
        requests[0]?.path.endsWith(ofNextSecond) && [...requests, ...(await list(`?key_id=${key.key_id}&cursor=${next_cursor}`)).requests]
      );
    });
    expect(all).toHaveLength(101);
  });

  it('is not available to other organizations or to support', async () => {
    const [stranger, support] = [new Browser(gateway.origin, '192.0.2.2'), new Browser(gateway.origin, '192.0.2.3')];
    await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
    await invited(owner, support, organizationId, 'support', `${newId()}@shop.example`);
    expect((await stranger.call('GET', `/projects/${projectId}/requests`)).status).toBe(404);
    expect((await support.call('GET', `/projects/${projectId}/requests`)).status).toBe(403);
  });

  it('keeps 30 days, with one partition per day that can be truncated', async () => {
    const { key, value } = await newKey();
    await gateway.call('GET', `/reports/${newId()}`, { key: value });
    await written(key.key_id, 1);
    clock.advanceMs(30 * DAY_MS + 1_000);
    await owner.signIn(email);
    expect((await list(`?key_id=${key.key_id}`)).requests).toEqual([]);
    const client = new Client({ connectionString: gateway.databaseUrl });
    await client.connect();
    try {
      for (let slot = 0; slot < LOG_SLOTS; slot += 1) await client.query(`TRUNCATE request_log_${slot}`);
      await expect(client.query('SELECT * FROM request_log_0')).rejects.toThrow('permission denied');
    } finally {
      await client.end();
    }
  });
});
