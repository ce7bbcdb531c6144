import { eventually, spawnTypeScript, startNats, type TestNats } from '@tire/test-harness';
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

it('counts attempts of each piece of work, until it is done', async () => {
  expect([await attempts.begin('a'), await attempts.begin('a'), await attempts.begin('b')]).toEqual([1, 2, 1]);
  await attempts.end('a');
  expect(await attempts.begin('a')).toBe(1);
});

it('forgets an attempt that ended through no fault of the work', async () => {
  await attempts.undo('c', await attempts.begin('c'));
  await attempts.begin('c');
  await attempts.undo('c', await attempts.begin('c'));
  expect(await attempts.begin('c')).toBe(2);
});

it('counts an attempt whose process was killed', async () => {
  const worker = spawnTypeScript(join(__dirname, 'testing/attempt.fixture.ts'), [nats.url, 'killed']);
  await once(worker, 'message');
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  expect(await attempts.begin('killed')).toBe(2);
});

it('throws without a connection', async () => {
  const away = new Attempts(new Broker({ serviceName: 'attempts-spec', natsUrl: 'nats://127.0.0.1:1' }));
  await expect(away.begin('a')).rejects.toMatchObject({ name: 'BrokerUnavailable' });
});
