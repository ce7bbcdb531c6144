import { newId } from '@tire/kernel';
import { createTestDatabase, eventually, freePort, startNats } from '@tire/test-harness';
import { CallbackStore } from './callback.store';
import { MIGRATIONS } from './migrations';
import { type RunningShare, startShare } from './testing/service.fixture';
import { newWebhookSecret } from './webhook-secrets.store';

const CALLBACKS_AT_ONCE = 64;
// One that nothing is known of holds two.
const RECEIVERS = 60;
const ENDED_ONE_BY_ONE = 20;
const LOOK_EVERY_MS = 1_000;
const PATIENCE = { timeoutMs: 60_000 };

describe.each([
  ['tried before', 1, CALLBACKS_AT_ONCE / 2],
  ['never tried', 0, CALLBACKS_AT_ONCE],
])('more callbacks that were %s than may be under way, to receivers that hang', (_, attemptsBefore, underWayMax) => {
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

  /** Each receiver of a project of its own, with two callbacks that are due. */
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

  it('are looked for no more often because of it, and get the room of whatever ends', async () => {
    const looks = jest.spyOn(share.app.get(CallbackStore), 'dueReceivers');
    share.receiver.answers.set('/hangs', [{ status: 503, hangs: true }]);
    await queue();
    const { hanging } = share.receiver;
    await eventually(() => hanging.length >= underWayMax, PATIENCE);
    expect(await counted('callbacks WHERE claimed_until > now()')).toBe(underWayMax);

    const [beganMs, before] = [performance.now(), looks.mock.calls.length];
    for (let ended = 1; ended <= ENDED_ONE_BY_ONE; ended += 1) {
      hanging.shift()!.writeHead(503).end();
      await eventually(async () => (await counted('callback_attempts')) >= ended, PATIENCE);
    }
    const looksOfItsOwn = (performance.now() - beganMs) / LOOK_EVERY_MS;
    expect(looks.mock.calls.length - before).toBeLessThanOrEqual(looksOfItsOwn + 1);
    await eventually(() => share.receiver.callsTo('/hangs').length >= underWayMax + ENDED_ONE_BY_ONE, PATIENCE);
  }, 120_000);
});
