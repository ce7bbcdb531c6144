import { EVENTS, type FetchImage } from '@tire/contracts/events';
import { eventually, spawnTypeScript } from '@tire/test-harness';
import { newId } from '@tire/kernel';
import { AckPolicy, nanos } from 'nats';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { requestContext } from '@tire/platform';
import { Broker } from './broker';
import { Consumers } from './consumers';
import { EventingModule } from './eventing.module';
import { Publisher } from './publisher';
import { NotNow, type HandlingContext } from './delivery';
import { fetchImage } from './testing/service.fixture';
import { Suite } from './testing/suite.fixture';

const WORK = { type: EVENTS.fetchImage, durable: 'assets' };

/** An event that the test triggers. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('consumers', () => {
  let suite: Suite;

  beforeEach(async () => void (suite = await Suite.start()));
  afterEach(() => suite.stop());

  const workLeft = async () => (await (await suite.manager()).streams.info('WORK_FETCH')).state.messages;
  const allDone = () => eventually(async () => (await workLeft()) === 0, { message: 'Work is left' });

  it('pass a message that was published twice to the handler once', async () => {
    const handled: string[] = [];
    const { publisher } = await suite.service({ ...WORK, handle: async (_, { id }) => void handled.push(id) });
    await eventually(() => publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'first' }).then(() => true));
    await publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'first' });
    await publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'second' });
    await allDone();
    expect(handled).toEqual(['first', 'second']);
  });

  it('handle a message in its own context, which log lines and calls carry', async () => {
    const contexts: unknown[] = [];
    const { publisher } = await suite.service({ ...WORK, handle: async () => void contexts.push(requestContext.getStore()) });
    await eventually(() => publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'first' }).then(() => true));
    await allDone();
    expect(contexts).toMatchObject([{ requestId: 'first', projectId: expect.any(String), reportId: expect.any(String) }]);
  });

  it('continue with later messages if one fails, and deliver the failed one again after them', async () => {
    const handled: string[] = [];
    const { publisher } = await suite.service({
      ...WORK,
      concurrency: 1,
      handle: async (_, { id }) => {
        // It may come again before the second one is published.
        if (id === 'first' && !handled.includes('second')) throw new Error('not now');
        handled.push(id);
      },
    });
    await eventually(() => publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'first' }).then(() => true));
    await publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'second' });
    await allDone();
    expect(handled).toEqual(['second', 'first']);
  });

  it('give up a message after its deliveries, and retry giving up until it succeeds', async () => {
    const handled: number[] = [];
    const exhausted: string[] = [];
    const { publisher } = await suite.service({
      ...WORK,
      maxDeliver: 2,
      handle: async (_, { deliveryCount }) => {
        handled.push(deliveryCount);
        throw new Error(`failure ${deliveryCount}`);
      },
      onExhausted: async ({ assetId }, cause) => {
        exhausted.push(`${assetId}: ${(cause as Error).message}`);
        if (exhausted.length === 1) throw new Error('database away');
      },
    });
    await eventually(() => publisher.publish(EVENTS.fetchImage, fetchImage('a'), { id: 'hopeless' }).then(() => true));
    await allDone();
    expect(handled).toEqual([1, 2]);
    expect(exhausted).toEqual(['a: failure 2', 'a: no success in 2 deliveries; the last error in this process: Error: failure 2']);
    const { rows } = await suite.sql.query('SELECT consumer, message_id, subject, attempts FROM dead_letters');
    expect(rows).toEqual([{ consumer: 'assets', message_id: 'hopeless', subject: 'assets.fetch', attempts: 3 }]);
  });

  it('delay messages without capacity as often as necessary, without using up their deliveries', async () => {
    const ids = new Set<string>();
    const given: string[] = [];
    const first: number[] = [];
    let [handled, failed] = [0, 0];
    const { publisher } = await suite.service({
      ...WORK,
      maxDeliver: 4,
      handle: async (_, { id, isFirst }) => {
        ids.add(id);
        if (isFirst) first.push(handled);
        if ((handled += 1) <= 20) throw new NotNow(1);
        failed += 1;
        if (failed === 1) throw new Error('not now');
      },
      onExhausted: async (_, cause) => void given.push(String(cause)),
    });
    await eventually(() => publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'patient' }).then(() => true));
    await allDone();
    expect({ handled, failed, ids: [...ids], given, first }).toEqual({ handled: 22, failed: 2, ids: ['patient'], given: [], first: [0] });
  });

  it('deliver new messages beside thousands of delayed ones', async () => {
    const others = 3_000;
    let refused = 0;
    let served = false;
    const { publisher } = await suite.service({
      ...WORK,
      concurrency: 100,
      handle: async ({ assetId }) => {
        if (assetId === 'new') return void (served = true);
        refused += 1;
        throw new NotNow(60_000);
      },
    });
    await eventually(() => publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'one of many' }).then(() => true));
    // The broker of a busy machine may answer too late. A message that is published again is stored once, by its id.
    const published = (id: string, assetId?: string) =>
      eventually(() => publisher.publish(EVENTS.fetchImage, fetchImage(assetId), { id }).then(() => true));
    await Promise.all(Array.from({ length: others - 1 }, (_, n) => published(`${n}`)));
    await published('new', 'new');
    await eventually(() => served);
    expect(refused).toBe(others);
  });

  it('give up a message whose last delivery was to a killed process', async () => {
    const exhausted: string[] = [];
    const path = join(__dirname, 'testing/killed-service.fixture.ts');
    const worker = spawnTypeScript(path, [suite.nats.url, suite.database.url, WORK.durable]);
    const handling = new Promise((resolve) => worker.on('message', (word) => word === 'handling' && resolve(word)));
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const { publisher } = await suite.service();
    await eventually(() => publisher.publish(EVENTS.fetchImage, fetchImage('a'), { id: 'deadly' }).then(() => true));
    await handling;
    worker.kill('SIGKILL');
    await ended;
    await suite.service({
      ...WORK,
      ackWaitMs: 1_000,
      maxDeliver: 1,
      handle: async () => void exhausted.push('handled again'),
      onExhausted: async ({ assetId }, cause) => void exhausted.push(`${assetId}: ${String(cause)}`),
    });
    await allDone();
    expect(exhausted).toEqual([expect.stringMatching(/^a: .*: no success in 1 deliveries; no error in this process/)]);
    expect(await suite.count('dead_letters')).toBe(1);
  });

  it('move a message that cannot be decoded to the dead letters at once', async () => {
    const handled: FetchImage[] = [];
    await suite.service({ ...WORK, handle: async (message) => void handled.push(message) });
    const connection = await suite.connect();
    await eventually(() =>
      connection
        .jetstream()
        .publish('assets.fetch', Buffer.from([0x0a, 0xff]))
        .then(() => true),
    );
    await allDone();
    const { rows } = await suite.sql.query(`SELECT message_id, attempts, encode(payload, 'hex') AS payload FROM dead_letters`);
    expect(rows).toEqual([{ message_id: 'WORK_FETCH:1', attempts: 1, payload: '0aff' }]);
    expect(handled).toEqual([]);
  });

  it('keep a message for as long as its handler runs', async () => {
    const deliveries: number[] = [];
    const finish = gate();
    const { publisher } = await suite.service({
      type: EVENTS.imageFetched,
      durable: 'ledger',
      ackWaitMs: 6_000,
      handle: async (_, { deliveryCount }) => {
        deliveries.push(deliveryCount);
        await finish.opened;
      },
    });
    const fact = { projectId: newId(), reportId: newId(), slotId: 'tire.tread.front_left', assetId: newId(), errorCode: '' };
    await eventually(() => publisher.publish(EVENTS.imageFetched, fact, { id: 'long' }).then(() => true));
    await eventually(() => deliveries.length === 1);
    // Another consumer of the same message that sends nothing gets it again: more than one wait has passed.
    const manager = await suite.manager();
    await manager.consumers.add('FACTS_ASSETS', { durable_name: 'silent', ack_policy: AckPolicy.Explicit, ack_wait: nanos(6_500) });
    const silent = await (await suite.connect()).jetstream().consumers.get('FACTS_ASSETS', 'silent');
    for (const count of [1, 2]) {
      const message = await silent.next({ expires: 60_000 });
      expect(message?.info.deliveryCount).toBe(count);
    }
    finish.open();
    await eventually(async () => (await manager.consumers.info('FACTS_ASSETS', 'ledger')).num_ack_pending === 0);
    expect(deliveries).toEqual([1]);
  });

  it.each([
    ['is restarted', () => suite.nats.restart()],
    ['is killed and restarted', () => suite.nats.stop('SIGKILL').then(() => suite.nats.restart())],
    ['restarts with an empty store', () => suite.nats.wipe()],
  ])('continue after the broker %s', async (_, trouble) => {
    const handled: string[] = [];
    const { database, outbox } = await suite.service({ ...WORK, handle: async (_message, { id }) => void handled.push(id) });
    const tell = (id: string) => database.asSystem((tx) => outbox.add(tx, EVENTS.fetchImage, fetchImage(), { id }));
    await tell('before');
    await eventually(() => handled.includes('before'));
    await trouble();
    await tell('after');
    await eventually(() => handled.includes('after'), { message: 'Nothing is consumed any more' });
    // A broker that ends before it has stored the acknowledgement delivers the first message again.
    expect([...new Set(handled)]).toEqual(['before', 'after']);
  });

  it('request messages again after a loss of the connection at which every place was taken', async () => {
    const finish = gate();
    const handled: string[] = [];
    const { app, publisher } = await suite.service({
      ...WORK,
      concurrency: 1,
      handle: async (_, { id }) => {
        handled.push(id);
        if (id === 'long') await finish.opened;
      },
    });
    await eventually(() => publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'long' }).then(() => true));
    await eventually(() => handled.length === 1);
    const broker = app.get(Broker);
    const pullsAgain = new Promise<void>((resolve) =>
      broker.onChange((connection) => {
        if (!connection) return;
        const subscribe = connection.subscribe.bind(connection);
        jest.spyOn(connection, 'subscribe').mockImplementation((...args) => {
          resolve();
          return subscribe(...args);
        });
      }),
    );
    await suite.nats.restart();
    await pullsAgain;
    finish.open();
    await publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'next' });
    await eventually(() => handled.includes('next'), { message: 'No message is requested any more' });
  });

  it('start without a broker and consume when it is available', async () => {
    await suite.nats.stop();
    const handled: string[] = [];
    const { database, outbox } = await suite.service({ ...WORK, handle: async (_, { id }) => void handled.push(id) });
    await database.asSystem((tx) => outbox.add(tx, EVENTS.fetchImage, fetchImage(), { id: 'patient' }));
    await suite.nats.restart();
    await eventually(() => handled.includes('patient'));
  });

  it('finish the messages in flight when the service ends, and accept no more', async () => {
    const started = gate();
    const finish = gate();
    const handled: string[] = [];
    const { app, consumers, publisher } = await suite.service({
      ...WORK,
      concurrency: 1,
      handle: async (_, { id }) => {
        started.open();
        await finish.opened;
        handled.push(id);
      },
    });
    await eventually(() => publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'in hand' }).then(() => true));
    await publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'left' });
    await started.opened;
    const drained = consumers.drain();
    finish.open();
    await drained;
    await app.close();
    expect(handled).toEqual(['in hand']);
    expect(await workLeft()).toBe(1);
    await suite.service({ ...WORK, handle: async (_, { id, deliveryCount }) => void handled.push(`${id} ${deliveryCount}`) });
    await allDone();
    expect(handled).toEqual(['in hand', 'left 1']);
  });

  it('work in a service without a database', async () => {
    const handled: string[] = [];
    const app = await NestFactory.createApplicationContext(
      EventingModule.forRoot({ serviceName: 'inference', natsUrl: suite.nats.url, outbox: false }),
      { logger: false },
    );
    app.get(Consumers).consume({
      ...WORK,
      maxDeliver: 1,
      handle: async (_, { id }) => {
        handled.push(id);
        if (id === 'hopeless') throw new Error('hopeless');
      },
      onExhausted: async ({ assetId }) => void handled.push(`given up: ${assetId}`),
    });
    const publisher = app.get(Publisher);
    await eventually(() => publisher.publish(EVENTS.fetchImage, fetchImage('a'), { id: 'hopeless' }).then(() => true));
    await publisher.publish(EVENTS.fetchImage, fetchImage(), { id: 'fine' });
    await allDone();
    await app.close();
    expect(handled.sort()).toEqual(['fine', 'given up: a', 'hopeless']);
  });

  it('share the messages of one durable name between processes', async () => {
    const total = 200;
    const handled: string[] = [];
    const worker = { ...WORK, handle: async (_: FetchImage, { id }: HandlingContext) => void handled.push(id) };
    await suite.sql.query(
      `INSERT INTO outbox (id, project_id, stream, subject, payload, headers)
       SELECT 'message-' || n, gen_random_uuid(), 'WORK_FETCH', 'assets.fetch', '', '{}' FROM generate_series(1, ${total}) AS n`,
    );
    await Promise.all([suite.service(worker), suite.service(worker)]);
    await eventually(() => handled.length >= total);
    await allDone();
    expect(new Set(handled).size).toBe(total);
    expect(handled).toHaveLength(total);
  });
});
