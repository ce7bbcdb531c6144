import { GRPC_SERVICES, type ledgerApi } from '@tire/contracts/grpc';
import { LEDGER, type PromiseClient, startService } from '@tire/platform';
import { eventually, freePort, testClock } from '@tire/test-harness';
import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from 'pg';
import { issueKey } from '../keys/api-key';
import { startGateway, type Reply } from '../testing/gateway';

type Gateway = Awaited<ReturnType<typeof startGateway>>;

const startAlone = (environment: Record<string, number>, clock = testClock()) => startGateway({ environment, clock });

const refused = ({ status, error, headers }: Reply) => [status, error?.type, error?.code, error?.retryable, headers.get('retry-after')];
const REFUSED = (retryAfter: string) => [429, 'rate_limit_error', 'rate_limited', true, retryAfter];

/** These paths need no key and have no limit. */
async function expectOpenToAll({ origin, operations }: Gateway): Promise<void> {
  for (const address of [
    ...['/health/live', '/health/ready', '/metrics'].map((path) => operations + path),
    `${origin}/api/v1/openapi.json`,
  ])
    expect([address, (await fetch(address)).status]).toEqual([address, 200]);
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

const head = (method: string, path: string, headers: Record<string, string>) =>
  [`${method} ${path} HTTP/1.1`, 'Host: gateway', ...Object.entries(headers).map((entry) => entry.join(': ')), '', ''].join('\r\n');

async function firstAnswer(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString();
}

describe('the rate limit of a key', () => {
  const clock = testClock();
  let gateway: Gateway;
  let key: string;

  beforeAll(async () => {
    gateway = await startAlone({ RATE_LIMIT_PER_SECOND: 0.1, RATE_LIMIT_BURST: 5 }, clock);
  });
  beforeEach(async () => {
    key = await gateway.keyWith(['report:*']);
  });
  afterAll(() => gateway?.stop());

  const call = (by = key) => gateway.call('GET', '/reports/none', { key: by });
  const spendAll = async () => Promise.all(Array.from({ length: 5 }, () => call()));

  it('admits a burst, then refuses with Retry-After, then admits at the sustained rate', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => call()));
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(5);
    const refusals = answers.filter(({ status }) => status === 429);
    expect(refusals).toHaveLength(3);
    for (const refusal of refusals) {
      expect(refused(refusal)).toEqual(REFUSED('10'));
      expect([refusal.headers.get('ratelimit-remaining'), refusal.headers.get('ratelimit-reset')]).toEqual(['0', '50']);
      expect(refusal.headers.get('x-request-id')).toBeTruthy();
    }
    clock.advanceMs(9_500);
    expect(refused(await call())).toEqual(REFUSED('1'));
    clock.advanceMs(500);
    expect([(await call()).status, (await call()).status]).toEqual([404, 429]);
  });

  it('is returned in the headers of every response', async () => {
    const hints = [];
    for (let calls = 0; calls < 3; calls += 1) {
      const { headers } = await call();
      hints.push([headers.get('ratelimit-remaining'), headers.get('ratelimit-reset'), headers.get('retry-after')]);
    }
    expect(hints).toEqual([
      ['4', '10', null],
      ['3', '20', null],
      ['2', '30', null],
    ]);
  });

  it('is separate for each key', async () => {
    await spendAll();
    expect((await call()).status).toBe(429);
    expect((await call(await gateway.keyWith(['report:*']))).status).toBe(404);
  });

  it('is at most twice that of one key for all keys of a project', async () => {
    const statuses: number[] = [];
    const keys = await gateway.keysWith(['report:*'], 4);
    for (const each of keys) for (let calls = 0; calls < 5; calls += 1) statuses.push((await call(each)).status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(10);
    expect(statuses.slice(10)).toEqual(Array(10).fill(429));
    clock.advanceMs(5_000);
    expect([(await call(keys[3])).status, (await call(keys[3])).status]).toEqual([404, 429]);
  });

  it('counts requests with a missing scope, and not requests without a key', async () => {
    const reader = await gateway.keyWith(['report:read']);
    const answers = [];
    for (let calls = 0; calls < 6; calls += 1)
      answers.push((await gateway.call('POST', '/reports', { key: reader, body: '{broken' })).status);
    expect(answers).toEqual([403, 403, 403, 403, 403, 429]);
    for (let calls = 0; calls < 10; calls += 1) expect((await call('')).status).toBe(401);
  });

  it('refuses a request before its body is sent, and keeps the connection open', async () => {
    await spendAll();
    const socket = await connected(gateway.port);
    const authorization = `Bearer ${key}`;
    socket.write(head('POST', '/api/v1/reports', { authorization, 'content-length': '200000' }));
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1.1 429 /);
    socket.write('x'.repeat(200_000));
    socket.write(head('GET', '/api/v1/openapi.json', {}));
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });

  it('does not apply to health, metrics and documentation', async () => {
    await spendAll();
    await expectOpenToAll(gateway);
  });

  it('limits look-ups of unknown keys by the address of the client, and refuses more of them with Retry-After', async () => {
    expect((await call()).status).toBe(404);
    const unknown = (address: string) =>
      gateway.call('GET', '/reports/none', { key: issueKey('live').key, headers: { 'x-forwarded-for': address } });
    const answers = await Promise.all(Array.from({ length: 250 }, () => unknown('192.0.2.7')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(200);
    expect(refused(answers.find(({ status }) => status === 429)!)).toEqual(REFUSED('1'));
    expect((await unknown('192.0.2.8')).status).toBe(401);
    expect((await call()).status).toBe(404);
  });
});

it('the rate limit can be switched off', async () => {
  const gateway = await startAlone({ RATE_LIMIT_PER_SECOND: 0, RATE_LIMIT_BURST: 1 });
  try {
    const key = await gateway.keyWith(['report:*']);
    const answers = await Promise.all(Array.from({ length: 50 }, () => gateway.call('GET', '/reports/none', { key })));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(404));
    expect(answers[0]?.headers.get('ratelimit-remaining')).toBeNull();
  } finally {
    await gateway.stop();
  }
});

/** A ledger that holds every creation until its release. */
@Controller()
class HoldingLedger {
  static held: (() => void)[] = [];

  static release(): void {
    for (const answer of this.held.splice(0)) answer();
  }

  @GrpcMethod('LedgerService', 'CreateReport')
  async createReport(): Promise<{ httpStatus: number; responseJson: Buffer }> {
    await new Promise<void>((resolve) => HoldingLedger.held.push(resolve));
    return { httpStatus: 201, responseJson: Buffer.from('{}') };
  }
}

class HoldingModule {}

describe('requests at the same time', () => {
  const LIMIT = 20;
  /** The places that one key gets while no other key has any. One more would be more than half of what is left. */
  const OF_KEY = 7;
  let ledger: Awaited<ReturnType<typeof startService>>;
  let gateway: Gateway;
  let key: string;
  let otherKey: string;

  beforeAll(async () => {
    const config = { HTTP_HOST: '127.0.0.1', HTTP_PORT: 0, GRPC_HOST: '127.0.0.1', GRPC_PORT: await freePort() };
    const module = () => ({ module: HoldingModule, controllers: [HoldingLedger] });
    ledger = await startService({ name: 'ledger', module, grpc: [GRPC_SERVICES.ledger] }, config);
    const nobody = `127.0.0.1:${await freePort()}`;
    const others = { CONTENT_GRPC_URL: nobody, SHARE_GRPC_URL: nobody, ASSETS_GRPC_URL: nobody };
    const addresses = { LEDGER_GRPC_URL: `127.0.0.1:${config.GRPC_PORT}`, ...others };
    gateway = await startGateway({ addresses, environment: { REQUESTS_IN_FLIGHT_MAX: LIMIT } });
    const client = gateway.app.get<PromiseClient<ledgerApi.LedgerServiceClient>>(LEDGER, { strict: false });
    const creates = client.createReport.bind(client);
    // A creation is held for longer than its usual deadline where the machine is busy.
    jest.spyOn(client, 'createReport').mockImplementation((request) => creates(request, { deadlineMs: 100_000 }));
    [key, otherKey] = [await gateway.keyWith(['report:*']), await gateway.keyWith(['report:*'])];
  });
  afterEach(() => HoldingLedger.release());
  afterAll(async () => {
    await gateway?.stop();
    await ledger?.close();
  });

  const create = (by = key) => gateway.call('POST', '/reports', { key: by, body: {} });
  const held = (count: number) => eventually(() => HoldingLedger.held.length === count, { message: `There are not ${count} held` });
  const room = () => eventually(async () => (await gateway.call('GET', '/reports/none', { key })).status === 404, { message: 'No room' });

  const halfBody = (path: string, headers: Record<string, string>) =>
    `${head('POST', path, { 'content-type': 'application/json', 'content-length': '1000', ...headers })}{"template":`;

  /** Opens connections that send half a body. Waits until so many of them are refused. */
  async function slow(count: number, refusals: number, request: string): Promise<Socket[]> {
    const sockets = await Promise.all(Array.from({ length: count }, () => connected(gateway.port)));
    const refusedSockets = new Set<Socket>();
    for (const socket of sockets) {
      socket.on('data', (data: Buffer) => void (data.toString().startsWith('HTTP/1.1 429 ') && refusedSockets.add(socket)));
      socket.write(request);
    }
    await eventually(() => refusedSockets.size === refusals, { message: 'Not so many are refused' });
    return sockets;
  }

  const closed = (sockets: readonly Socket[]) => Promise.all(sockets.map((socket) => once(socket.destroy(), 'close')));

  it('of one key are limited: further ones are refused at once, those of another organization are admitted, and admitted ones finish', async () => {
    const refusals: Reply[] = [];
    const answers = Array.from({ length: 3 * LIMIT }, async () => {
      const answer = await create();
      if (answer.status === 429) refusals.push(answer);
      return answer;
    });
    await held(OF_KEY);
    await eventually(() => refusals.length === 3 * LIMIT - OF_KEY, { message: 'Requests pile up' });
    for (const refusal of refusals) expect(refused(refusal)).toEqual(REFUSED('1'));
    const ofOther = create(otherKey);
    await held(OF_KEY + 1);
    await expectOpenToAll(gateway);
    HoldingLedger.release();
    const admitted = (await Promise.all(answers)).filter(({ status }) => status !== 429);
    expect(admitted.map(({ status }) => status)).toEqual(Array(OF_KEY).fill(201));
    expect((await ofOther).status).toBe(201);
    await room();
  });

  it('are counted until their work is done, even if the client disconnects', async () => {
    const leaving = new AbortController();
    const init = {
      method: 'POST',
      body: '{}',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: leaving.signal,
    };
    const abandoned = Array.from({ length: OF_KEY }, () => fetch(`${gateway.origin}/api/v1/reports`, init).catch(() => 'gone'));
    await held(OF_KEY);
    leaving.abort();
    expect(await Promise.all(abandoned)).toEqual(Array(OF_KEY).fill('gone'));
    expect(refused(await create())).toEqual(REFUSED('1'));
    HoldingLedger.release();
    await room();
  });

  it('whose bodies arrive slowly take nothing from others, nor from requests of the same key without a body', async () => {
    const request = halfBody('/api/v1/reports', { authorization: `Bearer ${key}` });
    const sockets = await slow(2 * LIMIT, 2 * LIMIT - OF_KEY, request);
    expect(refused(await create())).toEqual(REFUSED('1'));
    expect((await gateway.call('GET', '/reports/none', { key })).status).toBe(404);
    const others = Array.from({ length: 4 }, () => create(otherKey));
    await held(4);
    HoldingLedger.release();
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    await closed(sockets);
    // The places of those that disconnected are free again.
    const releasing = setInterval(() => HoldingLedger.release(), 20);
    await eventually(async () => (await Promise.all(Array.from({ length: OF_KEY }, () => create()))).every(({ status }) => status === 201));
    clearInterval(releasing);
  });

  it('without a session are limited by the address of the client while their bodies arrive', async () => {
    const signIn = (address: string) => halfBody('/console/api/session', { origin: gateway.origin, 'x-forwarded-for': address });
    const sockets = await slow(2 * LIMIT, 2 * LIMIT - OF_KEY, signIn('192.0.2.1'));
    const [other] = await slow(1, 0, signIn('192.0.2.2'));
    const answer = firstAnswer(other!);
    other!.write(' '.repeat(1_000 - '{"template":'.length));
    expect(await answer).toMatch(/^HTTP\/1.1 422 /);
    await closed([...sockets, other!]);
  });

  it('without a route are limited in the same way', async () => {
    const request = halfBody('/nowhere', { 'x-forwarded-for': '192.0.2.3' });
    await closed(await slow(2 * LIMIT, 2 * LIMIT - OF_KEY, request));
  });

  it('hold nothing after a disconnect during the look-up of their key', async () => {
    const unknownYet = await gateway.keyWith(['report:*']);
    const lock = new Client({ connectionString: gateway.ownerUrl });
    await lock.connect();
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE api_keys');
    const request = halfBody('/api/v1/reports', { authorization: `Bearer ${unknownYet}` });
    await closed(await slow(LIMIT, 0, request));
    // Sent after the sockets are closed, so that the gateway has seen the disconnects.
    expect((await gateway.call('GET', '/reports/none', { key: '' })).status).toBe(401);
    await lock.query('ROLLBACK');
    await lock.end();
    const answers = Array.from({ length: OF_KEY }, () => create(unknownYet));
    await held(OF_KEY);
    HoldingLedger.release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(OF_KEY).fill(201));
  });
});

describe('a late event loop', () => {
  let gateway: Gateway;
  let authorization: string;
  /** Each is longer than the lag, which is more than a busy machine delays a loop three times in a row. */
  const LATE_REPEATEDLY = [300, 300, 300, 300];

  beforeAll(async () => {
    gateway = await startAlone({ SHED_LOOP_LAG_MS: 200 });
    authorization = `Bearer ${await gateway.keyWith(['report:*'])}`;
  });
  afterAll(() => gateway?.stop());

  const block = (durationMs: number): void => {
    for (const beganMs = performance.now(); performance.now() < beganMs + durationMs;);
  };

  /** The request arrives while the loop is blocked for the last time. */
  async function askedDuringBlocks(path: string, blocksMs: readonly number[]): Promise<string> {
    const socket = await connected(gateway.port);
    for (const [index, durationMs] of blocksMs.entries()) {
      if (index === blocksMs.length - 1) socket.write(head('GET', path, { authorization, connection: 'close' }));
      block(durationMs);
      await nextTurn();
    }
    return firstAnswer(socket);
  }

  it('refuses requests while it is late repeatedly, and admits them when it is on time again', async () => {
    const answer = await askedDuringBlocks('/api/v1/reports/none', LATE_REPEATEDLY);
    expect(answer).toMatch(/^HTTP\/1.1 429 /);
    expect(answer.toLowerCase()).toContain('\r\nretry-after: 1\r\n');
    expect(answer).toContain('"code":"rate_limited"');
    await eventually(async () => (await fetch(`${gateway.origin}/api/v1/reports/none`, { headers: { authorization } })).status === 404);
  });

  it('refuses nothing after a single pause of any length', async () => {
    expect(await askedDuringBlocks('/api/v1/reports/none', [1_000])).toMatch(/^HTTP\/1.1 404 /);
  });

  it.each(['/docs/reference', '/api/v1/openapi.json'])('does not block %s', async (path) => {
    expect(await askedDuringBlocks(path, LATE_REPEATEDLY)).toMatch(/^HTTP\/1.1 200 /);
  });
});
