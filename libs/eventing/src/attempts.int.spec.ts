import { eventually, spawnTypeScript, startNats, startStallingProxy, type StallingProxy, type TestNats } from '@tire/test-harness';
import { once } from 'node:events';
import { join } from 'node:path';
import { Attempts } from './attempts';
import { Broker } from './broker';

let nats: TestNats;
let broker: Broker;
let attempts: Attempts;

beforeAll(async () => {
  nats = await startNats();
  broker = new Broker({ serviceName: 'attempts-spec', natsUrl: nats.url });
  attempts = new Attempts(broker);
  broker.start();
  await eventually(async () => broker.connection !== undefined);
});
afterAll(async () => {
  await broker.close();
  await nats.stop();
});

const broke = async (key: string): Promise<number> => {
  const attempt = await attempts.begin(key);
  await attempt.end('broke');
  return attempt.number;
};

it('counts the attempts of each piece of work that broke', async () => {
  expect([await broke('a'), await broke('a'), await broke('b')]).toEqual([1, 2, 1]);
});

it('does not count an attempt that ended through no fault of the work', async () => {
  await (await attempts.begin('c')).end('unharmed');
  expect(await broke('c')).toBe(1);
  await (await attempts.begin('c')).end('unharmed');
  expect(await broke('c')).toBe(2);
});

it('counts half of an attempt whose process others ended', async () => {
  for (const number of [1, 1.5, 2]) {
    const attempt = await attempts.begin('g');
    expect(attempt.number).toBe(number);
    await attempt.end('killed');
  }
  expect([await broke('g'), await broke('g')]).toEqual([2.5, 3.5]);
});

it('begins no second attempt while one runs, and counts none', async () => {
  await broke('d');
  const running = await attempts.begin('d');
  await expect(attempts.begin('d')).rejects.toMatchObject({ name: 'NotNow' });
  await expect(new Attempts(broker).begin('d')).rejects.toMatchObject({ name: 'NotNow' });
  await running.end('unharmed');
  expect(await broke('d')).toBe(2);
});

it('begins one of several attempts at the same time', async () => {
  const begun = await Promise.allSettled(Array.from({ length: 8 }, () => attempts.begin('e')));
  const numbers = begun.flatMap((end) => (end.status === 'fulfilled' ? [end.value.number] : []));
  const refusals = begun.flatMap((end) => (end.status === 'rejected' ? [(end.reason as Error).name] : []));
  expect(numbers).toEqual([1]);
  expect(new Set(refusals)).toEqual(new Set(['NotNow']));
  for (const end of begun) if (end.status === 'fulfilled') await end.value.end('unharmed');
});

it('renews the entry of a running attempt', async () => {
  const running = await new Attempts(broker, { renewMs: 20, silentMs: 60_000 }).begin('f');
  const kv = await broker.connection!.jetstream().views.kv('tire_attempts', { bindOnly: true });
  const { revision } = (await kv.get('f'))!;
  await eventually(async () => (await kv.get('f'))!.revision > revision + 2);
  await running.end('unharmed');
  expect(await broke('f')).toBe(1);
});

it('counts an attempt whose process was killed, once it is silent', async () => {
  const worker = spawnTypeScript(join(__dirname, 'testing/attempt.fixture.ts'), [nats.url, 'killed']);
  await once(worker, 'message');
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  await expect(attempts.begin('killed')).rejects.toMatchObject({ name: 'NotNow' });
  const soon = new Attempts(broker, { renewMs: 10_000, silentMs: 100 });
  const next = await eventually(() => soon.begin('killed').catch(() => undefined));
  await next.end('broke');
  expect(next.number).toBe(2);
});

it.each([
  ['new work', 'i', 0],
  ['work that broke before', 'j', 1],
])('takes back an attempt whose beginning was stored although its answer got lost: %s', async (_, key, before) => {
  if (before > 0) await broke(key);
  const kv = await broker.connection!.jetstream().views.kv('tire_attempts', { bindOnly: true });
  const prototype = Object.getPrototypeOf(kv) as typeof kv;
  const put = prototype.put;
  const spy = jest.spyOn(prototype, 'put');
  // The first put finds the entry of work that was begun before.
  if (before > 0) spy.mockImplementationOnce(put);
  spy.mockImplementationOnce(async function (this: typeof kv, ...args) {
    await put.apply(this, args);
    throw new Error('no answer');
  });
  await expect(attempts.begin(key)).rejects.toThrow('no answer');
  spy.mockRestore();
  // An entry without its end would block for a minute and then count.
  const next = await eventually(() => attempts.begin(key).catch(() => undefined), { timeoutMs: 100_000 });
  await next.end('unharmed');
  expect(next.number).toBe(before + 1);
});

it('reads no entry of new work', async () => {
  const kv = await broker.connection!.jetstream().views.kv('tire_attempts', { bindOnly: true });
  const get = jest.spyOn(Object.getPrototypeOf(kv) as typeof kv, 'get');
  const reads = (key: string) => get.mock.calls.filter(([read]) => read === key).length;
  expect([await broke('k'), reads('k')]).toEqual([1, 0]);
  expect([await broke('k'), reads('k')]).toEqual([2, 1]);
  get.mockRestore();
});

it('ends an attempt that renewed its entry', async () => {
  const running = await new Attempts(broker, { renewMs: 20, silentMs: 60_000 }).begin('l');
  const kv = await broker.connection!.jetstream().views.kv('tire_attempts', { bindOnly: true });
  const { revision } = (await kv.get('l'))!;
  await eventually(async () => (await kv.get('l'))!.revision > revision);
  await running.end('broke');
  expect(await broke('l')).toBe(2);
});

describe('while the broker is stopped', () => {
  let proxy: StallingProxy;
  let paused: Broker;

  beforeAll(async () => {
    proxy = await startStallingProxy(nats.port);
    paused = new Broker({ serviceName: 'attempts-spec', natsUrl: `nats://127.0.0.1:${proxy.port}` });
    paused.start();
    await eventually(() => paused.connection !== undefined);
  });
  afterAll(async () => {
    await paused.close();
    await proxy.stop();
  });

  it('the end of an attempt waits, so that the attempt does not count', async () => {
    const begun = await new Attempts(paused).begin('h');
    proxy.stall();
    await eventually(() => paused.connection === undefined);
    await begun.end('unharmed');
    await expect(attempts.begin('h')).rejects.toMatchObject({ name: 'NotNow' });
    proxy.resume();
    // An entry without its end would block for a minute and then count.
    const next = await eventually(() => attempts.begin('h').catch(() => undefined), { timeoutMs: 100_000 });
    await next.end('broke');
    expect(next.number).toBe(1);
  });
});

it('throws without a connection', async () => {
  const away = new Attempts(new Broker({ serviceName: 'attempts-spec', natsUrl: 'nats://127.0.0.1:1' }));
  await expect(away.begin('a')).rejects.toMatchObject({ name: 'BrokerUnavailable' });
});
