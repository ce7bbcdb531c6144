import { newId } from '@tire/kernel';
import { Database } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { sealedBody, SELECT_DUE_RECEIVERS } from './callback.store';
import { keys, type RunningShare, secretsFor, startOwnShare } from '../testing/service.fixture';

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

  beforeAll(async () => void (share = await startOwnShare({ callbacksAtOnce: CALLBACKS_AT_ONCE })));
  afterAll(() => share?.close());

  const counted = async (sql: string) => (await share.owner.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`)).rows[0]!.n;

  /** One project for each receiver, with two due callbacks. */
  async function queue(): Promise<void> {
    const projects = Array.from({ length: RECEIVERS }, () => newId());
    await share.owner.query(
      `INSERT INTO webhook_secrets (id, project_id, secret, created_at)
       SELECT i, p, s, now() FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS g (p, i, s)`,
      [projects, ...secretsFor(projects)],
    );
    const owners = [...projects, ...projects];
    const ids = owners.map(() => newId());
    await share.owner.query(
      `INSERT INTO callbacks (id, project_id, report_id, analysis_revision, url, body, trace_headers, attempt_count, queued_at, next_attempt_at)
       SELECT i, p, gen_random_uuid(), gen_random_uuid(), $3, b, '{}', $4, now(), now() FROM unnest($1::uuid[], $2::uuid[], $5::bytea[]) AS g (p, i, b)`,
      [owners, ids, `${share.receiver.origin}/hangs`, attemptsBefore, ids.map((id, index) => sealedBody(keys, owners[index]!, id, '{}'))],
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
