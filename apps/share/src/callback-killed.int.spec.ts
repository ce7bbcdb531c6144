import type { ChildProcess } from 'node:child_process';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EVENTS, type EventType } from '@tire/contracts';
import { EventingModule, Publisher } from '@tire/eventing';
import { newId } from '@tire/kernel';
import { startService } from '@tire/platform';
import { createTestDatabase, eventually, freePort, spawnTypeScript, startNats, type TestDatabase, type TestNats } from '@tire/test-harness';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { MIGRATIONS } from './migrations';
import { type Receiver, startReceiver } from './testing/receiver.fixture';
import { analysisEnded, contentReady, environment } from './testing/service.fixture';

const ROUNDS = 3;
// A start is seconds of CPU; beside other work on the machine it was a minute. Each test starts up to four.
const PATIENCE = { timeoutMs: 150_000 };
const TEST_MS = 600_000;
const REPORTS_A_ROUND = 20;
const REVISIONS = 2;

const SESSIONS = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'share'`;

describe('callbacks of a service that is killed', () => {
  let database: TestDatabase;
  let nats: TestNats;
  let receiver: Receiver;
  let sender: NestFastifyApplication;
  let owner: Client;
  let running: ChildProcess | undefined;
  let httpPort: number;

  beforeAll(async () => {
    [database, nats, receiver, httpPort] = await Promise.all([
      createTestDatabase({ name: 'share_killed', migrations: MIGRATIONS }),
      startNats(),
      startReceiver(),
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
    await Promise.all([receiver?.close(), nats?.stop()]);
    await database?.drop();
  });

  const start = () => {
    const peers = { address: '127.0.0.1:1', imagesOrigin: 'https://images.example.com' };
    const env = { ...environment({ database, nats, peersPort: 1 }, peers, receiver), HTTP_PORT: String(httpPort) };
    running = spawnTypeScript(join(__dirname, 'main.ts'), [], env);
  };
  const kill = async () => {
    const ended = once(running!, 'exit');
    running!.kill('SIGKILL');
    await ended;
    // Postgres ends a statement whose sender is gone: a claim among them would be made after it was given back.
    await eventually(async () => (await owner.query(SESSIONS)).rowCount === 0, PATIENCE);
    // What the dead one had claimed is given back by the clock, in a minute.
    await owner.query(`UPDATE callbacks SET claimed_until = now(), next_attempt_at = now() WHERE claimed_until IS NOT NULL`);
  };

  const projectId = newId();
  const reportFor = (path: string) => {
    const ended = analysisEnded({ projectId, callbackUrl: `${receiver.origin}${path}` });
    // Of one moment, so that neither is old news when the other was heard of first.
    const now = Date.now();
    const revisions = Array.from({ length: REVISIONS }, () => contentReady(ended, { analysisRevision: newId(now) }));
    return { ended, revisions };
  };
  type Made = ReturnType<typeof reportFor>;
  /** With ids of its own each time, as when the record asks again for what did not come back. */
  const announce = async ({ ended, revisions }: Made) => {
    const publish = <T>(type: EventType<T>, message: T) => {
      const id = newId();
      return eventually(async () => (await sender.get(Publisher).publish(type, message, { id }), true), PATIENCE);
    };
    await publish(EVENTS.analysisEnded, ended);
    for (const revision of revisions) await publish(EVENTS.contentGenerated, revision);
  };

  it(
    'are sent again under the same id when it dies before it has written down the answer',
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
    'come at least once for each analysis revision and never under a second id, wherever it dies',
    async () => {
      const all: Made[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const made = Array.from({ length: REPORTS_A_ROUND }, (_, index) => reportFor(`/flow/${round}/${index}`));
        all.push(...made);
        const before = receiver.calls.length;
        start();
        await Promise.all(made.map(announce));
        // In the midst of it: facts that are not acknowledged, callbacks that are queued, sent, and not written down.
        await eventually(() => receiver.calls.length >= before + 1 + round * 7, PATIENCE);
        await kill();
      }
      start();
      await Promise.all(all.map(announce));
      const expected = all.length * REVISIONS;
      // Not the calls: one that is repeated after a kill would stand for one that has not come yet.
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
    'are counted: how many wait, since when, and how attempts ended',
    async () => {
      receiver.answers.set('/busy', [{ status: 503 }]);
      const { ended, revisions } = reportFor('/busy');
      await announce({ ended, revisions: revisions.slice(0, 1) });
      const value = (text: string, pattern: string) => Number(new RegExp(`^${pattern} (\\S+)`, 'm').exec(text)?.[1]);
      const text = await eventually(async () => {
        const metrics = await (await fetch(`http://127.0.0.1:${httpPort}/metrics`)).text();
        // An attempt is due some milliseconds before it is under way, and counted before it is settled.
        const overdueS = value(metrics, 'tire_callbacks_overdue_seconds(?:{[^}]*})?');
        return /tire_callback_attempts_total\{[^}]*5xx/.test(metrics) && overdueS === 0 && metrics;
      }, PATIENCE);
      expect(value(text, 'tire_callbacks_pending(?:{[^}]*})?')).toBe(1);
      expect(value(text, 'tire_callbacks_oldest_age_seconds(?:{[^}]*})?')).toBeGreaterThan(0);
      expect(value(text, 'tire_callback_attempts_total{[^}]*tire_outcome="delivered"[^}]*}')).toBeGreaterThan(0);
      expect(value(text, 'tire_callback_attempts_total{[^}]*tire_outcome="retry"[^}]*}')).toBe(1);
    },
    TEST_MS,
  );
});
