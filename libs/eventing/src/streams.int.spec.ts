import { startNats, type TestNats } from '@tire/test-harness';
import { connect, DiscardPolicy, type JetStreamManager, nanos, type NatsConnection, RetentionPolicy } from 'nats';
import { differences, ensureStream, losingLimits } from './streams';

const NO_LIMITS = { max_msgs: -1, max_bytes: -1, max_msgs_per_subject: -1, max_age: 0 };

describe('the limits of a stream that may lose messages', () => {
  it.each<[string, object, object, string[]]>([
    ['none', {}, {}, []],
    ['a number of messages', { max_msgs: 1_000 }, {}, ['max_msgs']],
    ['bytes and an age', { max_bytes: 1_000, max_age: nanos(1_000) }, {}, ['max_bytes', 'max_age']],
    ['an age that the code sets', { max_age: nanos(1_000) }, { max_age: nanos(1_000) }, []],
  ])('%s', (_what, given, required, limits) => {
    expect(losingLimits({ ...NO_LIMITS, ...given }, required)).toEqual(limits);
  });
});

it.each([
  [{ a: 1, b: [2], own: 'x' }, { a: 1, b: [2] }, []],
  [{ a: 1, b: [2] }, { a: 2, b: [3] }, ['a', 'b']],
  [{}, { a: 1 }, ['a']],
])('%j beside %j', (given, required, names) => {
  expect(differences(given, required)).toEqual(names);
});

describe('a stream that someone changed', () => {
  let nats: TestNats;
  let connection: NatsConnection;
  let manager: JetStreamManager;

  beforeAll(async () => {
    nats = await startNats();
    connection = await connect({ servers: nats.url });
    manager = await connection.jetstreamManager();
  });

  afterAll(async () => {
    await connection?.close();
    await nats?.stop();
  });

  it('gets the settings of the code back and keeps the limits of the operator', async () => {
    await ensureStream(manager, 'FACTS_SHARE');
    const { config } = await manager.streams.info('FACTS_SHARE');
    await manager.streams.update('FACTS_SHARE', { ...config, max_age: nanos(3_600_000), max_msgs: 500 });
    await ensureStream(manager, 'FACTS_SHARE');
    expect((await manager.streams.info('FACTS_SHARE')).config).toMatchObject({
      max_age: config.max_age,
      max_msgs: 500,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
    });
  });
});
