import { newId } from '@tire/kernel';
import { Database } from '@tire/platform';
import { createTestDatabase, eventually, freePort, startNats } from '@tire/test-harness';
import { SELECT_DUE_RECEIVERS } from './callback.store';
import { MIGRATIONS } from '../migrations';
import { type RunningShare, startShare } from '../testing/service.fixture';
import { newWebhookSecret } from '../webhooks/webhook-secret.store';

const CALLBACKS_AT_ONCE = 64;
// A receiver without history holds two attempts.
const RECEIVERS = 60;
const ENDED_ONE_BY_ONE = 20;
const SCAN_EVERY_MS = 1_000;
const PATIENCE = { timeoutMs: 60_000 };

describe.each([
  ['tried before', 1, CALLBACKS_AT_ONCE / 2],
  ['never tried', 0, CALLBACKS_AT_ONCE],
])('more callbacks that were %s than the limit in flight, to receivers that hang', (_, attemptsBefore, underWayMax) => {
  let share: RunningShare;

  beforeAll(async () => {
    const [database, nats, peersPort] = await Promise.all([
      createTestDatabase({ name: 'share_saturated', migrations: MIGRATIONS }),
      startNats(),
      freePort(),
    ]);
    share = await startShare({ database, nats, peersPort, callbacksAtOnce: CALLBACKS_AT_ONCE });
    await eventually(() => share.isReady());
  });
  afterAll(() => share?.close());

  const counted = async (sql: string) => (await share.owner.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`)).rows[0]!.n;

  /** One project for each receiver, with two due callbacks. */
  async function queue(): Promise<void> {
    const projects = Array.from({ length: RECEIVERS }, () => newId());
    const secrets = projects.map(() => newWebhookSecret());
    await share.owner.query(
      `INSERT INTO webhook_secrets (id, project_id, secret, created_at)
       SELECT gen_random_uuid(), p, s, now() FROM unnest($1::uuid[], $2::text[]) AS g (p, s)`,
      [projects, secrets],
    );
    await share.owner.query(
      `INSERT INTO callbacks (id, project_id, report_id, analysis_revision, url, body, trace_headers, attempt_count, queued_at, next_attempt_at)
       SELECT gen_random_uuid(), p, gen_random_uuid(), gen_random_uuid(), $2, '{}', '{}', $3, now(), now()
       FROM unnest($1::uuid[]) AS p, generate_series(1, 2)`,
      [projects, `${share.receiver.origin}/hangs`, attemptsBefore],
    );
  }

  it('do not cause more scans, and get the capacity of attempts that end', async () => {
    const queries = jest.spyOn(share.app.get(Database), 'systemQuery');
    const scans = () => queries.mock.calls.filter(([sql]) => sql === SELECT_DUE_RECEIVERS).length;
    share.receiver.answers.set('/hangs', [{ status: 503, hangs: true }]);
    await queue();
    const { hanging } = share.receiver;
    await eventually(() => hanging.length >= underWayMax, PATIENCE);
    expect(await counted('callbacks WHERE claimed_until > now()')).toBe(underWayMax);

    const [beganMs, before] = [performance.now(), scans()];
    for (let ended = 1; ended <= ENDED_ONE_BY_ONE; ended += 1) {
      hanging.shift()!.writeHead(503).end();
      await eventually(async () => (await counted('callback_attempts')) >= ended, PATIENCE);
    }
    const scansByTime = (performance.now() - beganMs) / SCAN_EVERY_MS;
    expect(scans() - before).toBeLessThanOrEqual(scansByTime + 1);
    await eventually(() => share.receiver.callsTo('/hangs').length >= underWayMax + ENDED_ONE_BY_ONE, PATIENCE);
  }, 120_000);
});
