import type { ChildProcess } from 'node:child_process';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EVENTS, type EventType } from '@tire/contracts/events';
import { EventingModule, Publisher } from '@tire/eventing';
import { newId } from '@tire/kernel';
import { startService } from '@tire/platform';
import { createTestDatabase, eventually, freePort, spawnTypeScript, startNats, type TestDatabase, type TestNats } from '@tire/test-harness';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { MIGRATIONS } from '../migrations';
import { type Peers, startPeers } from '../testing/peers.fixture';
import { type Receiver, startReceiver } from '../testing/receiver.fixture';
import { analysisEnded, contentReady, environment, stateOf } from '../testing/service.fixture';

const ROUNDS = 3;
// A start takes seconds of CPU, and a minute on a busy machine. Each test starts up to four processes.
const PATIENCE = { timeoutMs: 150_000 };
const TEST_MS = 600_000;
const REPORTS_A_ROUND = 20;
const REVISIONS = 2;

const SESSIONS = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'share'`;

describe('callbacks of a service that is killed', () => {
  let database: TestDatabase;
  let nats: TestNats;
  let receiver: Receiver;
  let peers: Peers;
  let sender: NestFastifyApplication;
  let owner: Client;
  let running: ChildProcess | undefined;
  let operationsPort: number;

  beforeAll(async () => {
    [database, nats, receiver, peers, operationsPort] = await Promise.all([
      createTestDatabase({ name: 'share_killed', migrations: MIGRATIONS }),
      startNats(),
      startReceiver(),
      freePort().then((port) => startPeers(port)),
      freePort(),
    ]);
    const eventing = EventingModule.forRoot({ serviceName: 'share-killed-spec', natsUrl: nats.url, outbox: false });
    sender = await startService({ name: 'sender', module: () => eventing }, { HTTP_HOST: '127.0.0.1', HTTP_PORT: 0 });
    owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query(`SELECT set_config('app.scope', 'system', false)`);
  });
  afterAll(async () => {
    running?.kill('SIGKILL');
    await owner?.end();
    await sender?.close();
    await Promise.all([receiver?.close(), peers?.close(), nats?.stop()]);
    await database?.drop();
  });

  const start = () => {
    const env = { ...environment({ database, nats }, peers, receiver), OPERATIONS_PORT: String(operationsPort) };
    running = spawnTypeScript(join(__dirname, '../main.ts'), [], env);
  };
  const kill = async () => {
    const ended = once(running!, 'exit');
    running!.kill('SIGKILL');
    await ended;
    // Waits until Postgres has ended the statements of the dead process. A claim among them would otherwise come after the release below.
    await eventually(async () => (await owner.query(SESSIONS)).rowCount === 0, PATIENCE);
    // The claims of the dead process expire in a minute. This releases them now.
    await owner.query(`UPDATE callbacks SET claimed_until = now(), next_attempt_at = now() WHERE claimed_until IS NOT NULL`);
  };

  const projectId = newId();
  const reportFor = (path: string) => {
    const ended = analysisEnded({ projectId, callbackUrl: `${receiver.origin}${path}` });
    peers.reports.set(ended.reportId, stateOf(ended));
    // Both at the same time, so that neither is older than the other.
    const now = Date.now();
    const revisions = Array.from({ length: REVISIONS }, () => contentReady(ended, { analysisRevision: newId(now) }));
    return { ended, revisions };
  };
  type Made = ReturnType<typeof reportFor>;
  /** With new ids each time, as when the ledger repeats a request without a result. */
  const announce = async ({ ended, revisions }: Made) => {
    const publish = <T>(type: EventType<T>, message: T) => {
      const id = newId();
      return eventually(async () => (await sender.get(Publisher).publish(type, message, { id }), true), PATIENCE);
    };
    await publish(EVENTS.analysisEnded, ended);
    for (const revision of revisions) await publish(EVENTS.contentGenerated, revision);
  };

  it(
    'are sent again with the same id if the service is killed before it stores the response',
    async () => {
      receiver.answers.set('/hangs', [{ status: 200, hangs: true }, { status: 204 }]);
      start();
      const { ended, revisions } = reportFor('/hangs');
      await announce({ ended, revisions: revisions.slice(0, 1) });
      await eventually(() => receiver.callsTo('/hangs')[0], PATIENCE);
      await kill();
      start();
      const [first, second] = await eventually(() => receiver.callsTo('/hangs').length >= 2 && receiver.callsTo('/hangs'), PATIENCE);
      expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
      expect(second!.body).toBe(first!.body);
      await eventually(async () => (await owner.query(`SELECT 1 FROM callbacks WHERE state = 'delivered'`)).rowCount === 1, PATIENCE);
      await kill();
    },
    TEST_MS,
  );

  it(
    'are sent at least once for each analysis revision and never with a second id, whenever the service is killed',
    async () => {
      const all: Made[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const made = Array.from({ length: REPORTS_A_ROUND }, (_, index) => reportFor(`/flow/${round}/${index}`));
        all.push(...made);
        const before = receiver.calls.length;
        start();
        await Promise.all(made.map(announce));
        // The kill hits events without acknowledgement, and callbacks that are queued, sent, or not recorded yet.
        await eventually(() => receiver.calls.length >= before + 1 + round * 7, PATIENCE);
        await kill();
      }
      start();
      await Promise.all(all.map(announce));
      const expected = all.length * REVISIONS;
      // Counts reports and not calls, because a kill may repeat a call.
      const delivered = `SELECT 1 FROM callbacks WHERE url LIKE '%/flow/%' AND state = 'delivered'`;
      await eventually(async () => (await owner.query(delivered)).rowCount === expected, PATIENCE);

      const idsOfRevision = new Map<string, Set<unknown>>();
      for (const { path, body, headers } of receiver.calls) {
        if (!path.startsWith('/flow/')) continue;
        const { data } = JSON.parse(body) as { data: { analysis_revision: string } };
        const ids = idsOfRevision.get(data.analysis_revision) ?? new Set();
        idsOfRevision.set(data.analysis_revision, ids.add(headers['webhook-id']));
      }
      expect([...idsOfRevision.keys()].toSorted()).toEqual(
        all.flatMap(({ revisions }) => revisions.map(({ analysisRevision }) => analysisRevision)).toSorted(),
      );
      expect([...idsOfRevision.values()].map(({ size }) => size)).toEqual(Array<number>(expected).fill(1));
    },
    TEST_MS,
  );

  it(
    'have metrics of their number, the age of the oldest, and the results of attempts',
    async () => {
      receiver.answers.set('/busy', [{ status: 503 }]);
      const { ended, revisions } = reportFor('/busy');
      await announce({ ended, revisions: revisions.slice(0, 1) });
      const value = (text: string, pattern: string) => Number(new RegExp(`^${pattern} (\\S+)`, 'm').exec(text)?.[1]);
      const text = await eventually(async () => {
        const metrics = await (await fetch(`http://127.0.0.1:${operationsPort}/metrics`)).text();
        // An attempt is due some milliseconds before it begins, and counted before it is recorded.
        const overdueS = value(metrics, 'tire_callbacks_overdue_seconds(?:{[^}]*})?');
        const failing = value(metrics, 'tire_callbacks_receivers_failing(?:{[^}]*})?');
        return /tire_callback_attempts_total\{[^}]*5xx/.test(metrics) && overdueS === 0 && failing === 1 && metrics;
      }, PATIENCE);
      expect(value(text, 'tire_callbacks_pending(?:{[^}]*})?')).toBe(1);
      expect(value(text, 'tire_callbacks_receiver_pending(?:{[^}]*})?')).toBe(1);
      expect(value(text, 'tire_callbacks_receivers_failing(?:{[^}]*})?')).toBe(1);
      expect(value(text, 'tire_callbacks_oldest_age_seconds(?:{[^}]*})?')).toBeGreaterThan(0);
      expect(value(text, 'tire_callback_attempts_total{[^}]*tire_outcome="delivered"[^}]*}')).toBeGreaterThan(0);
      expect(value(text, 'tire_callback_attempts_total{[^}]*tire_outcome="retry"[^}]*}')).toBeGreaterThanOrEqual(1);
    },
    TEST_MS,
  );
});
