import { LoggedRequests, ListenedCallbacks } from '@tire/contracts/api';
import { firstIdAt, newId } from '@tire/kernel';
import { createDataSource, Database } from '@tire/platform';
import { eventually, freePort } from '@tire/test-harness';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'pg';
import { haveEntries, newestPosition } from '../request-log/request-log.store';
import { startBehind } from '../testing/behind';
import { startGateway, type Reply } from '../testing/gateway';

type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** The longest wait. A test for what comes before its end fails only where it takes that long. */
const LONG_S = 25;

const waiting = (gateway: Gateway, count: number) =>
  eventually(() => gateway.waiting() === count, { message: `Not ${count} requests wait` });

const logged = ({ json }: Reply) => LoggedRequests.parse(json);

describe('requests that wait', () => {
  let gateway: Gateway;
  let key: string;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    key = await gateway.keyWith(['report:*'], 'test');
  });
  afterAll(() => gateway?.stop());

  const poll = (query: string, by = key) => gateway.call('GET', `/requests${query}`, { key: by });
  const begin = async (by = key) => logged(await poll('', by)).next_cursor;
  const request = (path: string, by = key) => gateway.call('GET', path, { key: by });

  it('end when an entry of their project is written, and show it as the console does', async () => {
    const after = await begin();
    const answer = poll(`?after=${after}&wait_s=${LONG_S}`);
    await waiting(gateway, 1);
    const other = await gateway.keyWith(['report:*'], 'test');
    await request(`/reports/${newId()}`, other);
    await request('/vehicles/12%EA%B0%803456?secret=1');
    const { requests } = logged(await answer);
    expect(requests.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['GET', '/api/v1/vehicles/{external_vehicle_id}', 503],
    ]);
  });

  it('end in time, with the same cursor, where nothing was written', async () => {
    const after = await begin();
    const { status, json } = await poll(`?after=${after}&wait_s=1`);
    expect([status, json]).toEqual([200, { requests: [], next_cursor: after }]);
  });

  it('take a position that begins with 0 as a decimal number', async () => {
    const [written, entry] = (await begin()).split('.');
    const answers = await Promise.all([`00${written}.${entry}`, `0940039432.${entry}`].map((after) => poll(`?after=${after}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('get each entry once, in parts that follow each other', async () => {
    let cursor = await begin();
    const ids = Array.from({ length: 12 }, () => newId());
    const seen: string[] = [];
    const sending = (async () => {
      for (const id of ids) await request(`/reports/${id}`);
    })();
    while (seen.length < ids.length) {
      const { requests, next_cursor } = logged(await poll(`?after=${cursor}&wait_s=${LONG_S}`));
      seen.push(...requests.map(({ path }) => path.split('/').at(-1)!));
      cursor = next_cursor;
    }
    await sending;
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  it('miss no entry of a transaction that ends later than one that began after it', async () => {
    const after = await begin();
    const [slow, fast] = [new Client({ connectionString: gateway.ownerUrl }), new Client({ connectionString: gateway.ownerUrl })];
    await Promise.all([slow, fast].map((client) => client.connect()));
    try {
      const { rows } = await fast.query<{ id: string }>(
        `SELECT set_config('app.scope', 'system', false), project_id AS id FROM projects LIMIT 0`,
      );
      expect(rows).toEqual([]);
      await Promise.all([slow, fast].map((client) => client.query(`SELECT set_config('app.scope', 'system', false)`)));
      const project = (await fast.query<{ id: string }>('SELECT project_id AS id FROM projects ORDER BY created_at DESC LIMIT 1')).rows[0]!
        .id;
      const insert = (client: Client, name: string) =>
        client.query(
          `INSERT INTO request_log (slot, entry_id, project_id, key_id, at, method, path, status, duration_ms, request_id)
           VALUES (0, $1, $2, $1, now(), 'GET', $3, 200, 1, 'x')`,
          [newId(), project, name],
        );
      await slow.query('BEGIN');
      await insert(slow, '/slow');
      await insert(fast, '/fast');
      const between = logged(await poll(`?after=${after}`));
      await slow.query('COMMIT');
      const later = logged(await poll(`?after=${between.next_cursor}&wait_s=${LONG_S}`));
      expect([between, later].map(({ requests }) => requests.map(({ path }) => path))).toEqual([[], ['/slow', '/fast']]);
    } finally {
      await Promise.all([slow, fast].map((client) => client.end()));
    }
  });

  it('go on at the newest entry where their cursor is ahead of the database', async () => {
    const ahead = `999999999999999999.${newId()}`;
    const { requests, next_cursor } = logged(await poll(`?after=${ahead}`));
    expect([requests, next_cursor]).not.toEqual([[], ahead]);
    const answer = poll(`?after=${ahead}&wait_s=${LONG_S}`);
    await waiting(gateway, 1);
    await request(`/reports/${newId()}`);
    expect(logged(await answer).requests).toHaveLength(1);
  });

  it('have no news of an entry that is too old to be read', async () => {
    const source = createDataSource({ url: gateway.databaseUrl, poolSize: 1, applicationName: 'old-entry' });
    await source.initialize();
    const client = new Client({ connectionString: gateway.ownerUrl });
    await client.connect();
    try {
      await client.query(`SELECT set_config('app.scope', 'system', false)`);
      const database = new Database(source);
      const projectId = newId();
      const reader = { ...(await newestPosition(database)), projectId };
      const [oldMs, newMs] = [Date.now() - 9 * 86_400_000, Date.now()];
      await client.query(
        `INSERT INTO request_log (slot, entry_id, project_id, key_id, at, method, path, status, duration_ms, request_id)
         VALUES (0, $1, $2, $1, now(), 'GET', '/old', 200, 1, 'x')`,
        [newId(oldMs), projectId],
      );
      const news = async (sinceMs: number) => (await haveEntries(database, [reader], firstIdAt(sinceMs)))[0];
      await eventually(async () => (await news(oldMs)) === true);
      expect(await news(newMs)).toBe(false);
    } finally {
      await Promise.all([source.destroy(), client.end()]);
    }
  });

  it('are not logged themselves unless they fail', async () => {
    const after = await begin();
    await poll(`?after=${after}&wait_s=99`);
    const { requests } = logged(await poll(`?after=${after}&wait_s=${LONG_S}`));
    expect(requests.map(({ path, status }) => [path, status])).toEqual([['/api/v1/requests', 422]]);
  });

  it('give back their places among working requests, and have a few of their own: 4 of a key, 8 of a project', async () => {
    // A key may work with one request at once.
    const narrow = await startGateway({ environment: { REQUESTS_IN_FLIGHT_MAX: 2 } });
    try {
      const [one, two, three] = (await narrow.keysWith(['report:*'], 3, 'test')) as [string, string, string];
      const other = await narrow.keyWith(['report:*'], 'test');
      const read = (by: string, query: string) => narrow.call('GET', `/requests${query}`, { key: by });
      const after = logged(await read(one, '')).next_cursor;
      const ending = new AbortController();
      const waits: Promise<unknown>[] = [];
      for (const by of [one, one, one, one, two, two, two, two]) {
        const headers = { authorization: `Bearer ${by}` };
        const url = `${narrow.origin}/api/v1/requests?after=${after}&wait_s=${LONG_S}`;
        waits.push(fetch(url, { headers, signal: ending.signal }).catch(() => undefined));
        await waiting(narrow, waits.length);
        if (waits.length !== 4) continue;
        const { status, error } = await read(one, `?after=${after}&wait_s=1`);
        expect([status, error?.code, error?.message]).toEqual([429, 'rate_limited', expect.stringContaining('4 and a project 8')]);
      }
      expect((await read(three, `?after=${after}&wait_s=1`)).status).toBe(429);
      expect([(await read(three, `?after=${after}`)).status, (await read(other, `?after=${after}&wait_s=1`)).status]).toEqual([200, 200]);
      ending.abort();
      await Promise.all(waits);
      await waiting(narrow, 0);
    } finally {
      await narrow.stop();
    }
  });

  it('end when their client closes the connection', async () => {
    const after = await begin();
    const socket = connect(gateway.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET /api/v1/requests?after=${after}&wait_s=${LONG_S} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    await waiting(gateway, 1);
    socket.destroy();
    await waiting(gateway, 0);
  });

  it('get nothing any more after their key was revoked', async () => {
    const [leaver, stayer] = (await gateway.keysWith(['report:*'], 2, 'test')) as [string, string];
    const after = await begin(leaver);
    const answer = poll(`?after=${after}&wait_s=${LONG_S}`, leaver);
    await waiting(gateway, 1);
    const client = new Client({ connectionString: gateway.ownerUrl });
    await client.connect();
    await client.query(`SELECT set_config('app.scope', 'system', false)`);
    await client.query('UPDATE api_keys SET revoked_at = now() WHERE last4 = $1', [leaver.slice(-4)]).finally(() => client.end());
    await eventually(async () => (await poll('', leaver)).status === 401);
    await request(`/reports/${newId()}`, stayer);
    const { status, error } = await answer;
    expect([status, error?.code]).toEqual([401, 'unauthorized']);
  });

  it.each([
    ['after=1', 'after'],
    ['after=99999999999999999999.00000000-0000-0000-0000-000000000000', 'after'],
    ['after=1.00000000-0000-0000-0000-000000000000&wait_s=26', 'wait_s'],
    ['wait_s=-1', 'wait_s'],
    ['wait_s=x', 'wait_s'],
    ['wait_s=', 'wait_s'],
    ['wait_s=1&wait_s=2', 'wait_s'],
    ['after=', 'after'],
    ['limit=1', 'limit'],
  ])('are refused with %s', async (query, param) => {
    const { status, error } = await poll(`?${query}`);
    expect([status, error?.code, error?.param]).toEqual([422, 'validation_error', param]);
  });

  it('need every scope for the log, because it shows what other keys do', async () => {
    const [reader] = await gateway.keysWith(['report:read', 'report:write', 'report:publish'], 1, 'test');
    const [all] = await gateway.keysWith(['report:read', 'report:write', 'report:publish', 'report:discard'], 1, 'test');
    expect([(await poll('', reader)).status, (await poll('', all)).status]).toEqual([403, 200]);
  });
});

it('requests that wait end when the process does, with an answer', async () => {
  const gateway = await startGateway();
  try {
    const key = await gateway.keyWith(['report:*'], 'test');
    const { next_cursor } = logged(await gateway.call('GET', '/requests', { key }));
    const began = performance.now();
    const answer = gateway.call('GET', `/requests?after=${next_cursor}&wait_s=${LONG_S}`, { key });
    await waiting(gateway, 1);
    const answered = answer.then((reply) => ({ ...reply, afterMs: performance.now() - began }));
    const [{ status, json, afterMs }] = await Promise.all([answered, gateway.close()]);
    expect([status, json]).toEqual([200, { requests: [], next_cursor }]);
    expect(afterMs).toBeLessThan(LONG_S * 1_000);
  } finally {
    await gateway.stop();
  }
});

describe('callbacks for a listener, with the other services as separate processes', () => {
  let behind: Awaited<ReturnType<typeof startBehind>>;
  let gateway: Gateway;

  beforeAll(async () => {
    const port = await freePort();
    behind = await startBehind(`http://127.0.0.1:${port}/api/v1`);
    gateway = await startGateway({ port, addresses: behind.addresses });
  }, 120_000);
  afterAll(async () => {
    await gateway?.stop();
    await behind?.stop();
  });

  const poll = (query: string, key: string) => gateway.call('GET', `/callbacks${query}`, { key });
  const listened = ({ json }: Reply) => ListenedCallbacks.parse(json);
  const complete = (key: string) => {
    const images = ['front_left', 'front_right', 'rear_left', 'rear_right'].map((position) => ({
      module_type: 'tire',
      slot: { position, image_type: 'tread' },
      source: { url: `https://images.example/measured/${position}.jpg` },
    }));
    return eventually(async () => {
      const { json } = await gateway.call('POST', '/reports', { key, body: { template: 'tire_4t_0s', images } });
      return (json as { report_id?: string }).report_id;
    });
  };

  it('come to a waiting request when a report of the test project is published, and to no other project', async () => {
    const [mine, others] = await Promise.all([gateway.keyWith(['report:*'], 'test'), gateway.keyWith(['report:read'], 'test')]);
    const begun = listened(await poll(`?wait_s=${LONG_S}`, mine));
    const { next_cursor: theirs } = listened(await poll('', others));
    const answer = poll(`?after=${begun.next_cursor}&wait_s=${LONG_S}`, mine);
    await waiting(gateway, 1);
    const report = await complete(mine);
    let last = listened(await answer);
    const all = [...last.callbacks];
    // On a busy machine a report may take longer than one wait.
    while (all.length < 2) {
      last = listened(await poll(`?after=${last.next_cursor}&wait_s=${LONG_S}`, mine));
      all.push(...last.callbacks);
    }
    expect(all.map(({ type, report_id }) => [type, report_id])).toEqual([
      ['report.completed', report],
      ['content.ready', report],
    ]);
    expect(JSON.parse(all[0]!.body)).toMatchObject({ type: 'report.completed', data: { report_id: report } });
    expect(listened(await poll(`?after=${theirs}&wait_s=1`, others)).callbacks).toEqual([]);
  });

  it('are refused for a live project, with words, and for a key that may not read', async () => {
    const [live, writer] = await Promise.all([gateway.keyWith(['report:*']), gateway.keyWith(['report:write'], 'test')]);
    const { status, error } = await poll('', live);
    expect([status, error?.code, error?.message]).toEqual([403, 'forbidden', expect.stringContaining('live project')]);
    expect((await poll('', writer)).status).toBe(403);
  });
});
