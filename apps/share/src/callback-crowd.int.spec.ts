import type { ChildProcess } from 'node:child_process';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EVENTS } from '@tire/contracts';
import { EventingModule, Publisher } from '@tire/eventing';
import { newId } from '@tire/kernel';
import { startService } from '@tire/platform';
import { createTestDatabase, eventually, spawnTypeScript, startNats, type TestDatabase, type TestNats } from '@tire/test-harness';
import { join } from 'node:path';
import { Client } from 'pg';
import { MIGRATIONS } from './migrations';
import type { CrowdNews } from './testing/crowd.fixture';
import { analysisEnded, contentReady, environment } from './testing/service.fixture';
import { newWebhookSecret } from './webhook-secrets.store';

// As a test it is small, and its bound is for a machine that does other things; npm run bench:callbacks says what is wanted.
const RECEIVERS = Number(process.env['CALLBACK_BENCH_RECEIVERS'] ?? 40);
const P99_MS_MAX = Number(process.env['CALLBACK_BENCH_P99_MS'] ?? 5_000);
const DEADLINE_MS = 120_000;

describe('a crowd of receivers, half of them black holes', () => {
  let database: TestDatabase;
  let nats: TestNats;
  let sender: NestFastifyApplication;
  let owner: Client;
  const processes: ChildProcess[] = [];
  const calledMs = new Map<string, number>();
  let port = 0;
  let holesMax = 0;

  beforeAll(async () => {
    [database, nats] = await Promise.all([createTestDatabase({ name: 'share_crowd', migrations: MIGRATIONS }), startNats()]);
    const crowd = spawnTypeScript(join(__dirname, 'testing/crowd.fixture.ts'));
    processes.push(crowd);
    crowd.on('message', (news: CrowdNews) => {
      port = news.port ?? port;
      holesMax = news.holesMax ?? holesMax;
      if (news.called) calledMs.set(news.called.path, news.called.atMs);
    });
    const eventing = EventingModule.forRoot({ serviceName: 'share-crowd-spec', natsUrl: nats.url, outbox: false });
    sender = await startService({ name: 'sender', module: () => eventing }, { HTTP_HOST: '127.0.0.1', HTTP_PORT: 0 });
    owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query(`SELECT set_config('app.scope', 'system', false)`);
    await eventually(() => port > 0);
  });
  afterAll(async () => {
    for (const child of processes) child.kill('SIGKILL');
    await owner?.end();
    await sender?.close();
    await nats?.stop();
    await database?.drop();
  });

  const originOf = (kind: 'healthy' | 'hole', index: number) =>
    `http://127.${kind === 'healthy' ? 1 : 2}.${Math.floor(index / 250)}.${1 + (index % 250)}:${port}`;
  const counted = async (sql: string) => (await owner.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`)).rows[0]!.n;

  /** One project and one origin for each receiver; a healthy one and a black hole in turn. */
  const reports = () =>
    Array.from({ length: RECEIVERS * 2 }, (_, place) => {
      const kind = place % 2 === 0 ? 'healthy' : 'hole';
      const origin = originOf(kind, Math.floor(place / 2));
      return { kind, origin, ended: analysisEnded({ projectId: newId(), callbackUrl: `${origin}/${kind}/${place}` }) } as const;
    });

  async function startShareFor(origins: readonly string[]): Promise<void> {
    const peers = { address: '127.0.0.1:1', imagesOrigin: 'https://images.example.com' };
    const env = environment({ database, nats, peersPort: 1 }, peers, { origin: origins.join() });
    processes.push(spawnTypeScript(join(__dirname, 'main.ts'), [], { ...env, DATABASE_POOL_SIZE: '10' }));
  }

  it(
    `${RECEIVERS} healthy ones are called at once while as many hang`,
    async () => {
      const all = reports();
      const secrets = all.map(() => newWebhookSecret());
      await owner.query(
        `INSERT INTO webhook_secrets (id, project_id, secret, created_at) SELECT gen_random_uuid(), p, s, now() FROM unnest($1::uuid[], $2::text[]) AS g (p, s)`,
        [all.map(({ ended }) => ended.projectId), secrets],
      );
      await startShareFor(all.map(({ origin }) => origin));
      const publisher = sender.get(Publisher);
      await eventually(() => publisher.publish(EVENTS.analysisEnded, all[0]!.ended, { id: newId() }).then(() => true));
      await Promise.all(all.map(({ ended }) => publisher.publish(EVENTS.analysisEnded, ended, { id: newId() })));
      await eventually(async () => (await counted(`publications WHERE status = 'unpublished'`)) === all.length, { timeoutMs: DEADLINE_MS });

      const beganMs = Date.now();
      await Promise.all(all.map(({ ended }) => publisher.publish(EVENTS.contentGenerated, contentReady(ended), { id: newId() })));
      await eventually(() => calledMs.size === RECEIVERS, { timeoutMs: DEADLINE_MS, message: 'Not every healthy receiver was called' });
      const lastMs = Math.max(...calledMs.values());

      const { rows } = await owner.query<{ path: string; queuedAt: Date }>(
        `SELECT substring(url from '/healthy/.*') AS path, queued_at AS "queuedAt" FROM callbacks WHERE url LIKE '%/healthy/%'`,
      );
      const delaysMs = rows.map(({ path, queuedAt }) => calledMs.get(path)! - queuedAt.getTime()).toSorted((a, b) => a - b);
      const at = (part: number) => delaysMs[Math.min(delaysMs.length - 1, Math.floor(delaysMs.length * part))]!;
      process.stdout.write(
        `Callbacks, ${RECEIVERS} healthy receivers and ${RECEIVERS} black holes, from completion to the call: p50 ${at(0.5)} ms, ` +
          `p99 ${at(0.99)} ms, max ${at(1)} ms; the last one ${lastMs - beganMs} ms after the first word of ${all.length} completions; ` +
          `${holesMax} black holes held a call at once\n`,
      );
      expect(delaysMs).toHaveLength(RECEIVERS);
      expect(at(0.99)).toBeLessThan(P99_MS_MAX);
      await eventually(() => holesMax > RECEIVERS / 2, { message: 'The black holes were not called' });
    },
    DEADLINE_MS * 2,
  );
});
