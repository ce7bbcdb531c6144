import { trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { EVENTS, type FetchImage } from '@tire/contracts/events';
import { eventually, spawnTypeScript } from '@tire/test-harness';
import { join } from 'node:path';
import { Broker, BrokerUnavailable } from './broker';
import { fetchImage } from './testing/service.fixture';
import { Suite } from './testing/suite.fixture';

describe('the outbox and its relay', () => {
  let suite: Suite;

  beforeEach(async () => void (suite = await Suite.start()));
  afterEach(() => suite.stop());

  const emptied = () => eventually(async () => (await suite.count('outbox')) === 0, { message: 'The outbox is not empty' });
  const messagesIn = async (stream: string) => (await (await suite.manager()).streams.info(stream)).state.messages;

  it('publishes the messages of a commit, and none of a rollback', async () => {
    const handled: FetchImage[] = [];
    const { database, outbox } = await suite.service({
      type: EVENTS.fetchImage,
      durable: 'assets',
      handle: async (message) => void handled.push(message),
    });
    const undone = database.asSystem(async (tx) => {
      await outbox.add(tx, EVENTS.fetchImage, fetchImage('undone'));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await database.asSystem((tx) => outbox.add(tx, EVENTS.fetchImage, fetchImage('done')));
    await eventually(() => handled.length > 0);
    expect(handled.map(({ assetId }) => assetId)).toEqual(['done']);
    await emptied();
  });

  it('keeps one row for a message that is added again while it waits', async () => {
    await suite.nats.stop();
    const { database, outbox } = await suite.service();
    await database.asSystem((tx) => outbox.add(tx, EVENTS.fetchImage, fetchImage(), { id: 'same' }));
    await database.asSystem((tx) => outbox.add(tx, EVENTS.fetchImage, fetchImage(), { id: 'same' }));
    expect(await suite.count('outbox')).toBe(1);
  });

  it('propagates the trace from the sender of a message to its handler', async () => {
    const provider = new NodeTracerProvider();
    provider.register();
    const seen: (string | undefined)[] = [];
    const { database, outbox } = await suite.service({
      type: EVENTS.fetchImage,
      durable: 'assets',
      handle: async () => void seen.push(trace.getActiveSpan()?.spanContext().traceId),
    });
    const traceId = await trace.getTracer('test').startActiveSpan('request', async (span) => {
      await database.asSystem((tx) => outbox.add(tx, EVENTS.fetchImage, fetchImage()));
      span.end();
      return span.spanContext().traceId;
    });
    await eventually(() => seen.length > 0);
    expect(seen).toEqual([traceId]);
    await provider.shutdown();
    trace.disable();
  });

  it('publishes a message again if the relay is killed between publishing and deleting the row; the stream has it once', async () => {
    const { sql } = suite;
    await sql.query(
      `INSERT INTO outbox (id, project_id, stream, subject, payload, headers) VALUES ('once', gen_random_uuid(), 'WORK_FETCH', 'assets.fetch', '', '{}')`,
    );
    // Reading and locking rows pass; deleting them waits for this transaction.
    await sql.query('BEGIN; LOCK TABLE outbox IN SHARE MODE');
    const relay = spawnTypeScript(join(__dirname, 'testing/killed-service.fixture.ts'), [suite.nats.url, suite.database.ownerUrl]);
    const ended = new Promise((resolve) => relay.once('exit', resolve));
    await eventually(async () => (await messagesIn('WORK_FETCH')) === 1, { message: 'Nothing was published' });
    relay.kill('SIGKILL');
    await ended;
    // Ends the database sessions of the killed relay, so that none of its statements can run later.
    await sql.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
    );
    await sql.query('COMMIT');
    expect(await suite.count('outbox')).toBe(1);
    await suite.service();
    await emptied();
    expect(await messagesIn('WORK_FETCH')).toBe(1);
  });

  it('supports two concurrent relays without loss or repetition', async () => {
    const total = 1_000;
    await suite.sql.query(
      `INSERT INTO outbox (id, project_id, stream, subject, payload, headers)
       SELECT 'message-' || n, md5((n % 150)::text)::uuid, 'WORK_FETCH', 'assets.fetch', '', '{}' FROM generate_series(1, ${total}) AS n`,
    );
    await Promise.all([suite.service(), suite.service()]);
    await emptied();
    expect(await messagesIn('WORK_FETCH')).toBe(total);
  });

  it('waits for an unavailable broker without a limit, and counts no attempt', async () => {
    await suite.nats.stop('SIGKILL');
    const { database, outbox, health } = await suite.service();
    const connected = () =>
      health
        .information()[0]![1]()
        .then(
          () => true,
          () => false,
        );
    await database.asSystem((tx) => outbox.add(tx, EVENTS.fetchImage, fetchImage()));
    expect([await connected(), await health.isReady()]).toEqual([false, true]);
    await suite.nats.restart();
    await emptied();
    expect(await connected()).toBe(true);
    await suite.nats.stop('SIGKILL');
    await eventually(async () => !(await connected()), { message: 'Still connected to a broker that is gone' });
    expect(await health.isReady()).toBe(true);
    await database.asSystem((tx) => outbox.add(tx, EVENTS.fetchImage, fetchImage()));
    const { rows } = await suite.sql.query('SELECT attempts, last_error FROM outbox');
    expect(rows).toEqual([{ attempts: 0, last_error: null }]);
    await suite.nats.restart();
    await emptied();
    expect(await messagesIn('WORK_FETCH')).toBe(2);
  });

  it('keeps a message that the broker does not answer, and publishes it later', async () => {
    const { app, database, outbox } = await suite.service();
    const broker = app.get(Broker, { strict: false });
    await eventually(() => broker.connection !== undefined);
    const publish = jest.spyOn(broker, 'publish').mockRejectedValueOnce(new BrokerUnavailable('no answer'));
    await database.asSystem((tx) => outbox.add(tx, EVENTS.fetchImage, fetchImage()));
    await emptied();
    // On a busy machine the broker may answer late once more.
    expect(publish.mock.calls.length).toBeGreaterThan(1);
    expect(await messagesIn('WORK_FETCH')).toBe(1);
  });

  it('moves a message that the broker refuses to the dead letters, and still publishes the others', async () => {
    const { database, outbox } = await suite.service();
    const tooBig = { ...fetchImage(), url: 'x'.repeat(2_000_000) };
    await database.asSystem(async (tx) => {
      await outbox.add(tx, EVENTS.fetchImage, tooBig, { id: 'too-big' });
      await outbox.add(tx, EVENTS.fetchImage, fetchImage(), { id: 'fits' });
    });
    await eventually(async () => {
      const { rows } = await suite.sql.query<{ id: string; last_error: string }>('SELECT id, last_error FROM outbox WHERE attempts > 0');
      return rows.length === 1 && rows[0]!.id === 'too-big' && rows[0]!.last_error.includes('MAX_PAYLOAD');
    });
    await eventually(async () => (await messagesIn('WORK_FETCH')) === 1);
    await suite.sql.query('UPDATE outbox SET attempts = 7, next_attempt_at = now()');
    await emptied();
    const { rows } = await suite.sql.query(
      'SELECT consumer, message_id, subject, attempts, length(payload) > 2000000 AS whole FROM dead_letters',
    );
    expect(rows).toEqual([{ consumer: '', message_id: 'too-big', subject: 'assets.fetch', attempts: 8, whole: true }]);
  });
});
