import { GRPC_SERVICES } from '@tire/contracts/grpc';
import { startService } from '@tire/platform';
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

async function startAlone(environment: Record<string, number>, clock = testClock()): Promise<Gateway> {
  const nobody = `127.0.0.1:${await freePort()}`;
  const addresses = { LEDGER_GRPC_URL: nobody, CONTENT_GRPC_URL: nobody, SHARE_GRPC_URL: nobody };
  return startGateway(await freePort(), addresses, { environment, clock });
}

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

  it('limits look-ups of unknown keys, and refuses more of them with Retry-After', async () => {
    expect((await call()).status).toBe(404);
    clock.advanceMs(60_000);
    const answers: Reply[] = [];
    while (answers.length < 1_100) answers.push(...(await Promise.all(Array.from({ length: 100 }, () => call(issueKey('live').key)))));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(1_000);
    expect(refused(answers.at(-1)!)).toEqual(REFUSED('1'));
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

describe('requests in flight', () => {
  const LIMIT = 20;
  /** A loaded machine answers this number before the deadline of the held calls, which is 5 s. */
  const REQUESTS = 3 * LIMIT;
  let ledger: Awaited<ReturnType<typeof startService>>;
  let gateway: Gateway;
  let key: string;

  beforeAll(async () => {
    const config = { HTTP_HOST: '127.0.0.1', HTTP_PORT: 0, GRPC_HOST: '127.0.0.1', GRPC_PORT: await freePort() };
    const module = () => ({ module: HoldingModule, controllers: [HoldingLedger] });
    ledger = await startService({ name: 'ledger', module, grpc: [GRPC_SERVICES.ledger] }, config);
    const nobody = `127.0.0.1:${await freePort()}`;
    const addresses = { LEDGER_GRPC_URL: `127.0.0.1:${config.GRPC_PORT}`, CONTENT_GRPC_URL: nobody, SHARE_GRPC_URL: nobody };
    gateway = await startGateway(await freePort(), addresses, { environment: { REQUESTS_IN_FLIGHT_MAX: LIMIT } });
    key = await gateway.keyWith(['report:*']);
  });
  afterEach(() => HoldingLedger.release());
  afterAll(async () => {
    await gateway?.stop();
    await ledger?.close();
  });

  const create = () => gateway.call('POST', '/reports', { key, body: {} });
  const held = (count: number) => eventually(() => HoldingLedger.held.length === count, { message: `There are not ${count} held` });
  const room = () => eventually(async () => (await gateway.call('GET', '/reports/none', { key })).status === 404, { message: 'No room' });

  it('are limited: further requests are refused at once, and admitted ones finish', async () => {
    const refusals: Reply[] = [];
    const answers = Array.from({ length: REQUESTS }, async () => {
      const answer = await create();
      if (answer.status === 429) refusals.push(answer);
      return answer;
    });
    await held(LIMIT);
    await eventually(() => refusals.length === REQUESTS - LIMIT, { message: 'Requests pile up' });
    for (const refusal of refusals) expect(refused(refusal)).toEqual(REFUSED('1'));
    await expectOpenToAll(gateway);
    HoldingLedger.release();
    const admitted = (await Promise.all(answers)).filter(({ status }) => status !== 429);
    expect(admitted.map(({ status }) => status)).toEqual(Array(LIMIT).fill(201));
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
    const abandoned = Array.from({ length: LIMIT }, () => fetch(`${gateway.origin}/api/v1/reports`, init).catch(() => 'gone'));
    await held(LIMIT);
    leaving.abort();
    expect(await Promise.all(abandoned)).toEqual(Array(LIMIT).fill('gone'));
    expect(refused(await create())).toEqual(REFUSED('1'));
    HoldingLedger.release();
    await room();
  });

  it('are released when the client disconnects during the body', async () => {
    const sockets = await Promise.all(Array.from({ length: LIMIT }, () => connected(gateway.port)));
    const request = head('POST', '/api/v1/reports', { authorization: `Bearer ${key}`, 'content-length': '1000' });
    for (const socket of sockets) socket.write(`${request}{"template":`);
    const full = async () => (await gateway.call('GET', '/reports/none', { key })).status === 429;
    await eventually(full, { message: 'The requests have not arrived' });
    for (const socket of sockets) socket.destroy();
    await room();
  });

  it('are released when the client disconnects during the look-up of its key', async () => {
    const unknownYet = await gateway.keyWith(['report:*']);
    const lock = new Client({ connectionString: gateway.ownerUrl });
    await lock.connect();
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE api_keys');
    const sockets = await Promise.all(Array.from({ length: LIMIT }, () => connected(gateway.port)));
    const request = head('POST', '/api/v1/reports', { authorization: `Bearer ${unknownYet}`, 'content-length': '1000' });
    for (const socket of sockets) socket.write(`${request}{"template":`);
    const status = async () => (await gateway.call('GET', '/reports/none', { key: '' })).status;
    await eventually(async () => (await status()) === 429, { message: 'The requests have not arrived' });
    await Promise.all(sockets.map((socket) => once(socket.destroy(), 'close')));
    // Sent after the sockets are closed, so that the gateway has seen the disconnects.
    expect(await status()).toBe(429);
    await lock.query('ROLLBACK');
    await lock.end();
    await room();
  });
});

describe('a late event loop', () => {
  let gateway: Gateway;
  let authorization: string;

  beforeAll(async () => {
    gateway = await startAlone({ SHED_LOOP_LAG_MS: 50 });
    authorization = `Bearer ${await gateway.keyWith(['report:*'])}`;
  });
  afterAll(() => gateway?.stop());

  const block = (durationMs: number): void => {
    const untilMs = performance.now() + durationMs;
    while (performance.now() < untilMs);
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
    const answer = await askedDuringBlocks('/api/v1/reports/none', [100, 100, 100, 100]);
    expect(answer).toMatch(/^HTTP\/1.1 429 /);
    expect(answer.toLowerCase()).toContain('\r\nretry-after: 1\r\n');
    expect(answer).toContain('"code":"rate_limited"');
    await eventually(async () => (await fetch(`${gateway.origin}/api/v1/reports/none`, { headers: { authorization } })).status === 404);
  });

  it('refuses nothing after a single pause of any length', async () => {
    expect(await askedDuringBlocks('/api/v1/reports/none', [1_000])).toMatch(/^HTTP\/1.1 404 /);
  });

  it.each(['/docs', '/api/v1/openapi.json'])('does not block %s', async (path) => {
    expect(await askedDuringBlocks(path, [100, 100, 100, 100])).toMatch(/^HTTP\/1.1 200 /);
  });
});
