import { EVENTS, brokerUsers, STREAMS } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { createTestDatabase, eventually, startNats, type TestDatabase, type TestNats } from '@tire/test-harness';
import { connect, type NatsConnection } from 'nats';
import { Consumers, Publisher } from '.';
import { fetchImage, MIGRATIONS, startService, type TestService } from './testing/service.fixture';

const passwordOf = (name: string): string => `p-${name}`;

describe('the users of the broker', () => {
  let nats: TestNats;
  let database: TestDatabase;
  const services: TestService[] = [];
  const connections: NatsConnection[] = [];

  const start = async (serviceName: string) => {
    const addresses = { natsUrl: nats.url, databaseUrl: database.url };
    const service = await startService({ ...addresses, serviceName, natsPassword: passwordOf(serviceName) });
    services.push(service);
    return service;
  };
  const as = async (user: string) => {
    const connection = await connect({ servers: nats.url, user, pass: passwordOf(user), inboxPrefix: `_INBOX_${user}` });
    connections.push(connection);
    return connection;
  };
  /** Null, or why the broker refuses it. */
  const refusalOf = (attempt: Promise<unknown>): Promise<string | null> =>
    attempt.then(
      () => null,
      (error: { code?: string }) => error.code ?? 'unknown',
    );

  beforeAll(async () => {
    nats = await startNats({ configuration: brokerUsers((name) => JSON.stringify(passwordOf(name))) });
    database = await createTestDatabase({ name: 'broker_users', migrations: MIGRATIONS });
  });

  afterAll(async () => {
    await Promise.all(services.map(({ app }) => app.close()));
    await Promise.all(connections.map((connection) => connection.close()));
    await nats?.stop();
    await database?.drop();
  });

  it('let work and facts through in either order of start, and only the ledger creates the streams', async () => {
    const assets = await start('assets');
    const taken: string[] = [];
    const known: string[] = [];
    assets.app.get(Consumers).consume({
      type: EVENTS.fetchImage,
      durable: 'assets-fetch',
      handle: async ({ assetId, ...rest }) => {
        taken.push(assetId);
        await assets.app.get(Publisher).publish(EVENTS.imageFetched, { ...rest, assetId, errorCode: '' }, { id: newId() });
      },
    });
    const ledger = await start('ledger');
    ledger.app.get(Consumers).consume({
      type: EVENTS.imageFetched,
      durable: 'ledger-image-fetched',
      handle: async ({ assetId }) => void known.push(assetId),
    });
    const work = fetchImage();
    await eventually(() =>
      ledger.app
        .get(Publisher)
        .publish(EVENTS.fetchImage, work, { id: newId() })
        .then(() => true),
    );
    await eventually(() => taken.includes(work.assetId) && known.includes(work.assetId));
    const manager = await (await as('operator')).jetstreamManager();
    const names = (await manager.streams.list().next()).map(({ config }) => config.name);
    expect(names.sort()).toEqual(Object.keys(STREAMS).sort());
  });

  it.each([
    ['publishes work for inference', (share: NatsConnection) => share.request('analysis.tread', '')],
    ['publishes a fact of another service', (share: NatsConnection) => share.request('reports.analysis_ended', '')],
    ['reads the messages of another service', (share: NatsConnection) => share.request('$JS.API.STREAM.MSG.GET.WORK_TREAD', '{"seq":1}')],
    ['takes the work of inference', (share: NatsConnection) => share.request('$JS.API.CONSUMER.MSG.NEXT.WORK_TREAD.inference-tread', '1')],
    [
      'makes a consumer of another stream',
      (share: NatsConnection) => share.request('$JS.API.CONSUMER.CREATE.FACTS_ASSETS.share-x.assets.fetched', '{}'),
    ],
    [
      'makes another consumer of its own stream',
      (share: NatsConnection) => share.request('$JS.API.CONSUMER.CREATE.FACTS_REPORTS.share-x.reports.>', '{}'),
    ],
    ['acknowledges for another service', (share: NatsConnection) => share.request('$JS.ACK.WORK_FETCH.assets-fetch.1.1.1.1.1', '+ACK')],
    ['changes its own stream', (share: NatsConnection) => share.request('$JS.API.STREAM.UPDATE.FACTS_SHARE', '{}')],
    ['deletes a stream', (share: NatsConnection) => share.request('$JS.API.STREAM.DELETE.FACTS_REPORTS', '')],
  ])('refuse that the share service %s', async (_what, ask) => {
    expect(await refusalOf(ask(await as('share')))).toBe('PERMISSIONS_VIOLATION');
  });

  it.each(['analysis.tread', 'reports.>', '>', '_INBOX.>', '_INBOX_ledger.>', '$JS.API.>'])(
    'refuse that the share service subscribes %s',
    async (subject) => {
      const share = await as('share');
      const refused = new Promise((resolve) => share.subscribe(subject, { callback: (error) => resolve(error?.code) }));
      expect(await refused).toBe('PERMISSIONS_VIOLATION');
    },
  );

  it('refuse a connection without a user, and with the password of another user', async () => {
    expect(await refusalOf(connect({ servers: nats.url }))).toBe('AUTHORIZATION_VIOLATION');
    expect(await refusalOf(connect({ servers: nats.url, user: 'ledger', pass: passwordOf('share') }))).toBe('AUTHORIZATION_VIOLATION');
  });
});
