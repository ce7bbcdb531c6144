import type { shareApi } from '@tire/contracts/grpc';
import { REPLAY_MAX } from '@tire/contracts/limits';
import { CLOCK, type Clock, newId } from '@tire/kernel';
import { createDataSource, Database } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import type { Config } from '../config';
import { CONFIG } from '../tokens';
import { ShareController } from '../publication/share.controller';
import { CallbackQueue } from './callback.queue';
import { ReplayService } from './replay.service';
import { CLAIM, claimCallbacks, waitingCallbacks } from './callback.store';
import { REPLAY_READ_MAX } from './replay.store';
import { analysisEnded, contentReady, discardOf, type RunningShare, startOwnShare } from '../testing/service.fixture';

const HOUR_MS = 3_600_000;

describe('a replay of callbacks', () => {
  let share: RunningShare;
  let shares: ShareController;

  beforeAll(async () => {
    share = await startOwnShare();
    shares = share.app.get(ShareController);
  });
  afterAll(() => share?.close());

  const always = { queuedFrom: new Date(Date.now() - HOUR_MS).toISOString(), queuedBefore: new Date(Date.now() + HOUR_MS).toISOString() };
  const replay = (projectId: string, over: Partial<shareApi.ReplayCallbacksRequest> = {}) =>
    shares.replayCallbacks({ projectId, ...always, types: [], ...over });

  /** A callback that has ended, in this state. */
  async function ended(projectId: string, path: string, state = 'delivered') {
    const report = analysisEnded({ projectId, callbackUrl: `${share.receiver.origin}${path}` });
    await share.analysisEnded(report);
    await share.contentGenerated(contentReady(report));
    const id = await eventually(async () => {
      const { callbacks } = await shares.listCallbacks({ projectId, reportId: report.reportId });
      return callbacks[0]?.state === 'delivered' && callbacks[0].callbackId;
    });
    if (state !== 'delivered') await share.owner.query('UPDATE callbacks SET state = $2 WHERE id = $1', [id, state]);
    return { report, id };
  }
  const callsTo = (path: string, count: number) =>
    eventually(() => share.receiver.callsTo(path).length >= count && share.receiver.callsTo(path), {
      message: `Fewer than ${count} calls`,
    });

  it('sends each of the period again, with the same id and body, and none of another project', async () => {
    const projectId = newId();
    await ended(projectId, '/replayed');
    await ended(projectId, '/replayed');
    await ended(newId(), '/of-another');
    const before = await callsTo('/replayed', 2);
    expect(await replay(projectId)).toEqual({ replayed: 2, nextCursor: undefined });
    const calls = await callsTo('/replayed', 4);
    const sent = (of: typeof calls) => of.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`).sort();
    expect(sent(calls.slice(2))).toEqual(sent(before.slice(0, 2)));
    expect(share.receiver.callsTo('/of-another')).toHaveLength(1);
  });

  it('has a period, a state and types', async () => {
    const projectId = newId();
    const first = await ended(projectId, '/first');
    const second = await ended(projectId, '/second', 'abandoned');
    const { callback } = await shares.getCallback({ projectId, callbackId: second.id });
    const of = async (over: Partial<shareApi.ReplayCallbacksRequest>) => {
      const { replayed } = await replay(projectId, over);
      const { rows } = await share.owner.query<{ id: string }>(
        `SELECT id FROM callbacks WHERE project_id = $1 AND tried_since IS NOT NULL`,
        [projectId],
      );
      await eventually(async () => (await shares.listCallbacks({ projectId, state: 'pending' })).callbacks.length === 0);
      await share.owner.query(`UPDATE callbacks SET tried_since = NULL WHERE project_id = $1`, [projectId]);
      await share.owner.query(`UPDATE callbacks SET state = 'abandoned' WHERE id = $1`, [second.id]);
      expect(rows).toHaveLength(replayed);
      return rows.map(({ id }) => id).sort();
    };
    const { queuedAt } = callback!;
    expect(await of({ state: 'abandoned' })).toEqual([second.id]);
    expect(await of({ state: 'delivered' })).toEqual([first.id]);
    expect(await of({ queuedFrom: queuedAt })).toEqual([second.id]);
    expect(await of({ queuedBefore: queuedAt })).toEqual([first.id]);
    expect(await of({ types: ['report.failed', 'share.revoked'] })).toEqual([]);
    expect(await of({ types: ['report.failed', 'report.completed'] })).toEqual([first.id, second.id].sort());
  });

  it('leaves alone what is still being sent, tests, and callbacks of discarded reports', async () => {
    const projectId = newId();
    const gone = await ended(projectId, '/gone');
    await shares.discardReport(discardOf(gone.report));
    await shares.sendTestCallback({ projectId, url: `${share.receiver.origin}/test` });
    await eventually(async () => (await shares.listCallbacks({ projectId, state: 'delivered' })).callbacks.length === 2);
    const { id } = await ended(projectId, '/waiting');
    await share.owner.query(`UPDATE callbacks SET state = 'pending', next_attempt_at = now() + interval '1 day' WHERE id = $1`, [id]);
    expect(await replay(projectId)).toEqual({ replayed: 0, nextCursor: undefined });
    expect(share.receiver.callsTo('/waiting')).toHaveLength(1);
  });

  /** They reach nobody: a body opens under its own id only, so that each attempt is repeated later. */
  const copies = (id: string, count: number, state: string) =>
    share.owner.query(
      // Ids of one millisecond, so that the order of the ids alone decides.
      `INSERT INTO callbacks (id, project_id, type, report_id, analysis_revision, url, body, trace_headers, state, queued_at, next_attempt_at)
       SELECT (left(id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, project_id, type, report_id, gen_random_uuid(), 'https://10.0.0.1/', body,
         '{}', $3, queued_at, next_attempt_at FROM callbacks, generate_series(1, $2::int) n WHERE id = $1`,
      [id, count, state],
    );
  const endAll = (projectId: string) =>
    share.owner.query(`UPDATE callbacks SET state = 'abandoned', claimed_until = NULL WHERE project_id = $1 AND state = 'pending'`, [
      projectId,
    ]);

  it('of more than the limit has parts, and each waits for the one before', async () => {
    const projectId = newId();
    const { id } = await ended(projectId, '/many');
    await copies(id, REPLAY_MAX + 4, 'abandoned');
    const first = await replay(projectId, { state: 'abandoned' });
    expect(first).toEqual({ replayed: REPLAY_MAX, nextCursor: expect.any(String) });
    const next = () => replay(projectId, { state: 'abandoned', cursor: first.nextCursor });
    await expect(next()).rejects.toMatchObject({ code: 'rate_limited', message: expect.stringContaining('still wait') });
    // Others are not held up by them.
    const other = newId();
    await ended(other, '/beside-many');
    expect((await replay(other)).replayed).toBe(1);
    await callsTo('/beside-many', 2);
    await endAll(projectId);
    expect(await next()).toEqual({ replayed: 4, nextCursor: undefined });
    // Of the places, 4 are taken.
    expect((await replay(projectId, { state: 'abandoned' })).replayed).toBe(REPLAY_MAX - 4);
  });

  it('of two at once keeps the limit', async () => {
    const projectId = newId();
    const { id } = await ended(projectId, '/at-once');
    await copies(id, 2 * REPLAY_MAX, 'abandoned');
    const results = await Promise.allSettled([1, 2, 3].map(() => replay(projectId, { state: 'abandoned' })));
    const replayed = results.map((result) =>
      result.status === 'fulfilled' ? result.value.replayed : (result.reason as { code: string }).code,
    );
    expect(replayed.sort()).toEqual([REPLAY_MAX, 'rate_limited', 'rate_limited']);
  });

  it('of two processes at once keeps the limit, and the second waits for the first', async () => {
    const projectId = newId();
    const { id } = await ended(projectId, '/two-processes');
    await copies(id, 2 * REPLAY_MAX, 'abandoned');
    const url = share.app.get<Config>(CONFIG).DATABASE_URL;
    const databases = await Promise.all(
      ['replay-1', 'replay-2'].map((applicationName) => createDataSource({ url, poolSize: 2, applicationName }).initialize()),
    );
    const processes = databases.map(
      (database) => new ReplayService(new Database(database), share.app.get(CallbackQueue), share.app.get<Clock>(CLOCK)),
    );
    // Holds both before they change a row: they have counted by then, unless one waits for the other.
    await share.owner.query('BEGIN; LOCK TABLE callbacks IN SHARE ROW EXCLUSIVE MODE');
    const all = Promise.allSettled(
      processes.map((one) => one.replay({ projectId, ...always, state: 'abandoned', types: [], cursor: undefined })),
    );
    const waiting = `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND application_name LIKE 'replay-%'`;
    await eventually(async () => (await share.owner.query(waiting)).rowCount === 2).finally(() => share.owner.query('COMMIT'));
    const results = (await all).map((result) =>
      result.status === 'fulfilled' ? result.value.replayed : (result.reason as { code: string }).code,
    );
    await Promise.all(databases.map((database) => database.destroy()));
    expect(results.sort()).toEqual([REPLAY_MAX, 'rate_limited']);
  });

  it('reads a bounded part of a long period, also where nothing in it is wanted', async () => {
    const projectId = newId();
    const { id } = await ended(projectId, '/rare');
    await copies(id, REPLAY_READ_MAX, 'delivered');
    const last = await ended(projectId, '/rare-last', 'abandoned');
    const first = await replay(projectId, { state: 'abandoned' });
    expect(first).toEqual({ replayed: 0, nextCursor: expect.any(String) });
    expect(await replay(projectId, { state: 'abandoned', cursor: first.nextCursor })).toEqual({ replayed: 1, nextCursor: undefined });
    expect(last.id > first.nextCursor!).toBe(true);
  });

  it('comes after new callbacks of the same receiver', async () => {
    const projectId = newId();
    const { id } = await ended(projectId, '/behind-new');
    await copies(id, 4, 'abandoned');
    // Due tomorrow, so that the service itself leaves them alone; the new one last.
    const { rows } = await share.owner.query<{ id: string; receiver: string }>(
      `UPDATE callbacks SET state = 'pending', next_attempt_at = now() + interval '1 day' + right(id::text, 1)::int * interval '1 s',
         tried_since = CASE right(id::text, 1) WHEN '4' THEN NULL ELSE now() END
        WHERE project_id = $1 AND state = 'abandoned' RETURNING id, receiver`,
      [projectId],
    );
    const ids = rows.map((row) => row.id).sort();
    const capacity = { receivers: new Map([[rows[0]!.receiver, 2]]), projects: new Map([[projectId, { all: 2, retries: 2 }]]) };
    const [now, until] = [2, 3].map((days) => new Date(Date.now() + days * 24 * HOUR_MS));
    const claim = async () => (await claimCallbacks(share.app.get(Database), capacity, now!, until!)).map((claimed) => claimed.id).sort();
    expect(await claim()).toEqual([ids[0], ids[3]]);
    expect(await claim()).toEqual([ids[1], ids[2]]);
  });

  it('is looked for in an index of its own, however many new ones are due', async () => {
    const projectId = newId();
    const { id } = await ended(projectId, '/many-new');
    await copies(id, 5_000, 'abandoned');
    // Due tomorrow, so that the service itself leaves them alone.
    await share.owner.query(
      `UPDATE callbacks SET state = 'pending', next_attempt_at = now() + interval '1 day', tried_since = CASE right(id::text, 3) WHEN '001' THEN now() END
        WHERE project_id = $1 AND state = 'abandoned'`,
      [projectId],
    );
    await share.owner.query('ANALYZE callbacks');
    const { rows } = await share.owner.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${CLAIM}`);
    for (const index of ['callbacks_due', 'callbacks_again']) expect(JSON.stringify(rows)).toContain(`"Index Name":"${index}"`);
  });

  it('is not counted as overdue: it waits for its receivers', async () => {
    const projectId = newId();
    const { id } = await ended(projectId, '/long-due');
    // Due for an hour, and under a claim, so that the service itself leaves it alone.
    const longDue = (triedSince: string) =>
      share.owner.query(
        `UPDATE callbacks SET state = 'pending', next_attempt_at = now() - interval '1 hour', claimed_until = now() + interval '1 hour',
           tried_since = ${triedSince} WHERE id = $1`,
        [id],
      );
    const overdueS = async () => (await waitingCallbacks(share.app.get(Database))).overdueS;
    await longDue('now()');
    expect(await overdueS()).toBeLessThan(3_600);
    await longDue('NULL');
    expect(await overdueS()).toBeGreaterThanOrEqual(3_600);
    await endAll(projectId);
  });

  it('has bounds that may be finer than a millisecond', async () => {
    const projectId = newId();
    const { id } = await ended(projectId, '/fine');
    const { callback } = await shares.getCallback({ projectId, callbackId: id });
    const between = callback!.queuedAt.replace('Z', '5Z');
    expect((await replay(projectId, { queuedFrom: between })).replayed).toBe(0);
    expect((await replay(projectId, { queuedBefore: between })).replayed).toBe(1);
  });

  it.each([
    [{ queuedFrom: 'x' }, 'queued_from'],
    [{ queuedBefore: '' }, 'queued_before'],
    [{ queuedFrom: always.queuedBefore }, 'queued_before'],
    [{ state: 'pending' }, 'state'],
    [{ cursor: 'x' }, 'cursor'],
  ])('is refused with %j', async (over, param) => {
    await expect(replay(newId(), over)).rejects.toMatchObject({ code: 'validation_error', param });
  });
});
