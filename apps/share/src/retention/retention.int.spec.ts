import { newId } from '@tire/kernel';
import { testClock } from '@tire/test-harness';
import { ShareController } from '../publication/share.controller';
import { keys, startOwnShare, type RunningShare } from '../testing/service.fixture';
import { sealedBody } from '../callbacks/callback.store';
import { Retention } from './retention';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-20T10:00:00Z');

describe('callbacks that reached their age', () => {
  let share: RunningShare;
  let shares: ShareController;
  let retention: Retention;

  beforeAll(async () => {
    share = await startOwnShare({ clock: testClock(NOW) });
    shares = share.app.get(ShareController);
    retention = share.app.get(Retention);
  });
  afterAll(() => share?.close());

  /** With two attempts. */
  async function callback(projectId: string, days: number, state = 'delivered', reportId = newId()): Promise<string> {
    const at = new Date(NOW.getTime() - days * DAY_MS);
    const id = newId(at.getTime());
    await share.owner.query(
      `INSERT INTO callbacks (id, project_id, report_id, analysis_revision, url, body, trace_headers, state, attempt_count, queued_at, next_attempt_at)
       VALUES ($1, $2, $3, $4, 'https://partner.example/called', $5, '{}', $6, 2, $7, $8)`,
      [id, projectId, reportId, newId(), sealedBody(keys, projectId, id, '{}'), state, at, new Date(NOW.getTime() + DAY_MS)],
    );
    await share.owner.query(
      `INSERT INTO callback_attempts (callback_id, number, project_id, started_at, duration_ms) SELECT $1, n, $2, $3, 5 FROM generate_series(1, 2) n`,
      [id, projectId, at],
    );
    return id;
  }
  const left = async (ids: readonly string[]) => {
    const { rows } = await share.owner.query<{ id: string }>('SELECT id FROM callbacks WHERE id = ANY($1)', [ids]);
    return ids.map((id) => rows.some((row) => row.id === id));
  };

  it('go with their attempts; younger ones, pending ones, and those of held reports and of other projects stay', async () => {
    const [short, usual] = [newId(), newId()];
    await shares.chooseRetention({ projectId: short, kind: 'callbacks', days: 7 });
    const held = newId();
    share.peers.held.add(held);
    const ids = [
      await callback(short, 8),
      await callback(short, 8, 'abandoned'),
      await callback(short, 6),
      await callback(short, 8, 'pending'),
      await callback(short, 8, 'delivered', held),
      await callback(usual, 8),
      await callback(usual, 91),
    ];
    expect((await retention.lag()).get('callbacks')).toBeGreaterThan(0);
    await retention.sweep();
    expect(await left(ids)).toEqual([false, false, true, true, true, true, false]);
    const attempts = await share.owner.query('SELECT DISTINCT callback_id AS id FROM callback_attempts WHERE callback_id = ANY($1)', [ids]);
    expect(attempts.rows).toHaveLength(4);
    share.peers.held.delete(held);
    await retention.sweep();
    expect((await left(ids))[4]).toBe(false);
  });

  it('stay in the counts of usage, which have an age of their own', async () => {
    const projectId = newId();
    await callback(projectId, 100);
    await callback(projectId, 100, 'abandoned');
    await callback(projectId, 1);
    const [fromDay, toDay] = [100, 0].map((days) => new Date(NOW.getTime() - days * DAY_MS).toISOString().slice(0, 10));
    const usage = async () => (await shares.getCallbackUsage({ projectId, fromDay: fromDay!, toDay: toDay! })).days;
    const before = await usage();
    expect(before).toHaveLength(2);
    await retention.sweep();
    expect(await usage()).toEqual(before);
    await share.owner.query(`INSERT INTO callback_quarters VALUES ($1, $2, 3, 3)`, [projectId, new Date(NOW.getTime() - 2_000 * DAY_MS)]);
    await retention.sweep();
    const quarters = await share.owner.query('SELECT queued::int, delivered::int FROM callback_quarters WHERE project_id = $1', [
      projectId,
    ]);
    expect(quarters.rows).toEqual([{ queued: 2, delivered: 1 }]);
  });

  it('are removed once by processes that sweep together, in as many portions as needed', async () => {
    const projectId = newId();
    const at = new Date(NOW.getTime() - 200 * DAY_MS);
    await share.owner.query(
      `INSERT INTO callbacks (id, project_id, report_id, analysis_revision, url, trace_headers, state, queued_at, next_attempt_at)
       SELECT (left($2::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, $1, gen_random_uuid(), gen_random_uuid(), '', '{}', 'delivered', $3, $3
         FROM generate_series(1, 1200) n`,
      [projectId, newId(at.getTime()), at],
    );
    await Promise.all([retention.sweep(), retention.sweep(), retention.sweep()]);
    await retention.sweep();
    const counted = await share.owner.query('SELECT queued::int FROM callback_quarters WHERE project_id = $1', [projectId]);
    expect(counted.rows).toEqual([{ queued: 1_200 }]);
  });

  it('stay where somebody sends them again meanwhile', async () => {
    const projectId = newId();
    const [again, old] = [await callback(projectId, 100), await callback(projectId, 100)];
    await share.owner.query('BEGIN');
    await share.owner.query(`UPDATE callbacks SET state = 'pending' WHERE id = $1`, [again]);
    await retention.sweep();
    await share.owner.query('COMMIT');
    expect(await left([again, old])).toEqual([true, false]);
    const attempts = await share.owner.query('SELECT FROM callback_attempts WHERE callback_id = $1', [again]);
    expect(attempts.rows).toHaveLength(2);
    await share.owner.query(`UPDATE callbacks SET state = 'delivered' WHERE id = $1`, [again]);
    await retention.sweep();
    expect(await left([again])).toEqual([false]);
  });

  it('are not sent any more of a discarded report, although its data is held', async () => {
    const [projectId, discarded, open] = [newId(), newId(), newId()];
    share.peers.held.add(discarded).add(open);
    share.peers.closed.set(discarded, 'report_discarded');
    const ids = [
      await callback(projectId, 1, 'pending', discarded),
      await callback(projectId, 1, 'delivered', discarded),
      await callback(projectId, 1, 'pending', open),
    ];
    await retention.sweep();
    const { rows } = await share.owner.query('SELECT id, state, body IS NOT NULL AS kept FROM callbacks WHERE project_id = $1', [
      projectId,
    ]);
    const stateOf = (id: string) => rows.find((row) => row.id === id);
    expect(ids.map(stateOf)).toMatchObject([
      { state: 'abandoned', kept: true },
      { state: 'delivered', kept: true },
      { state: 'pending', kept: true },
    ]);
    share.peers.held.clear();
  });

  it('and only ended ones, which the database enforces', async () => {
    const id = await callback(newId(), 100, 'pending');
    await expect(share.owner.query('DELETE FROM callback_attempts WHERE callback_id = $1', [id])).rejects.toThrow(
      'only with its ended callback',
    );
  });

  it('have the bounds of a choice', async () => {
    const projectId = newId();
    await expect(shares.chooseRetention({ projectId, kind: 'callbacks', days: 6 })).rejects.toMatchObject({ code: 'validation_error' });
    await expect(shares.chooseRetention({ projectId, kind: 'reports', days: 60 })).rejects.toMatchObject({ code: 'validation_error' });
    expect(await shares.getRetention({ projectId })).toEqual({ rules: [{ kind: 'callbacks', days: undefined, defaultDays: 90 }] });
  });
});
