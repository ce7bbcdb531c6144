import { ReportCompleted } from '@tire/contracts/api';
import { LISTENED_HOURS, LISTENED_PAGE_MAX, LISTENER_MINUTES } from '@tire/contracts/limits';
import { newId } from '@tire/kernel';
import { createDataSource, Database } from '@tire/platform';
import { eventually, testClock, type TestClock } from '@tire/test-harness';
import { Webhook } from 'standardwebhooks';
import { CONFIG } from '../tokens';
import type { Config } from '../config';
import { ShareController } from '../publication/share.controller';
import {
  analysisEnded,
  contentReady,
  discardOf,
  type EndedReport,
  type RunningShare,
  secretsOf,
  startOwnShare,
} from '../testing/service.fixture';
import { ListenerService } from './listener.service';
import { KEPT_MAX, recordForListener } from './listener.store';

const MINUTE_MS = 60_000;

describe('a listener', () => {
  let share: RunningShare;
  let shares: ShareController;
  let clock: TestClock;

  beforeAll(async () => {
    clock = testClock(new Date());
    share = await startOwnShare({ clock });
    shares = share.app.get(ShareController);
  });
  afterAll(() => share?.close());

  const listen = (projectId: string, after?: number, limit = LISTENED_PAGE_MAX) => shares.listenToCallbacks({ projectId, after, limit });
  const begun = async () => {
    const projectId = newId();
    const { lastNumber } = await listen(projectId);
    return { projectId, lastNumber };
  };
  /** Waits for the publication, so that what is not recorded by then is never recorded. */
  async function published(report: EndedReport): Promise<EndedReport> {
    await share.analysisEnded(report);
    await share.contentGenerated(contentReady(report));
    await eventually(() => share.changes(report.reportId).some(({ publicationStatus }) => publicationStatus === 'published'));
    return report;
  }
  const read = async (projectId: string, after: number) =>
    (await listen(projectId, after)).callbacks.map(({ type, reportId }) => [type, reportId]);

  it('gets every event of reports without an address, in order, from where it began', async () => {
    const { projectId, lastNumber } = await begun();
    const first = await published(analysisEnded({ projectId, externalInspectionId: '점검-1' }));
    const second = await published(analysisEnded({ projectId }));
    const found = await listen(projectId, lastNumber);
    expect(found.callbacks.map(({ type, reportId }) => [type, reportId])).toEqual(
      [first, second].flatMap(({ reportId }) => [
        ['report.completed', reportId],
        ['content.ready', reportId],
      ]),
    );
    const { body, headers, callbackId } = found.callbacks[0]!;
    expect(ReportCompleted.strict().parse(JSON.parse(body)).data.external_inspection_id).toBe('점검-1');
    const [secret] = await secretsOf(share.owner, projectId);
    expect(headers['webhook-id']).toBe(callbackId);
    expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(clock.now().getTime() / 1_000));
    new Webhook(secret!).verify(body, headers);
    expect(await listen(projectId, found.lastNumber)).toMatchObject({ callbacks: [], lastNumber: found.lastNumber });
  });

  it('gets what a callback_url gets: the same id, body and headers', async () => {
    const { projectId, lastNumber } = await begun();
    await published(analysisEnded({ projectId, callbackUrl: `${share.receiver.origin}/beside` }));
    const call = await eventually(() => share.receiver.callsTo('/beside')[0]);
    const [listened] = (await listen(projectId, lastNumber)).callbacks;
    expect([listened!.body, listened!.callbackId]).toEqual([call.body, call.headers['webhook-id']]);
    expect(Object.keys(listened!.headers).sort()).toEqual(
      Object.keys(listened!.headers)
        .filter((name) => call.headers[name])
        .sort(),
    );
    expect(listened!.headers['content-type']).toBe(call.headers['content-type']);
  });

  it('gets nothing of another project, and nothing of before it began', async () => {
    const projectId = newId();
    await published(analysisEnded({ projectId }));
    const { lastNumber } = await listen(projectId);
    const other = await begun();
    await published(analysisEnded({ projectId: other.projectId }));
    expect([await read(projectId, lastNumber), await read(projectId, 0)]).toEqual([[], []]);
    expect(await read(other.projectId, other.lastNumber)).toHaveLength(2);
  });

  it('reads in parts, and begins the next one behind what was erased with a report', async () => {
    const { projectId, lastNumber } = await begun();
    const reports = [await published(analysisEnded({ projectId })), await published(analysisEnded({ projectId }))];
    const first = await listen(projectId, lastNumber, 3);
    const second = await listen(projectId, first.lastNumber, 3);
    expect([first, second].map(({ callbacks }) => callbacks.length)).toEqual([3, 1]);
    for (const report of reports) await shares.discardReport(discardOf(report));
    expect(await listen(projectId, lastNumber)).toMatchObject({ callbacks: [], lastNumber: second.lastNumber });
  });

  it(`is recorded for until it has not read for ${LISTENER_MINUTES} minutes, and the next answer has a later recorded_since`, async () => {
    const { projectId, lastNumber } = await begun();
    const { since } = await listen(projectId, lastNumber);
    for (let half = 0; half < 3; half += 1) {
      clock.advanceMs((LISTENER_MINUTES / 2 + 1) * MINUTE_MS);
      expect((await listen(projectId, lastNumber)).since).toBe(since);
    }
    clock.advanceMs((LISTENER_MINUTES - 1) * MINUTE_MS);
    await published(analysisEnded({ projectId }));
    clock.advanceMs(MINUTE_MS);
    await published(analysisEnded({ projectId }));
    const later = await listen(projectId, lastNumber);
    expect(later.callbacks).toHaveLength(2);
    expect([later.since > since, later.since]).toEqual([true, clock.now().toISOString()]);
  });

  it(`can read for ${LISTENED_HOURS} hours`, async () => {
    const { projectId, lastNumber } = await begun();
    await published(analysisEnded({ projectId }));
    clock.advanceMs((LISTENED_HOURS * 60 - 1) * MINUTE_MS);
    await share.app.get(ListenerService).forget();
    expect(await read(projectId, lastNumber)).toHaveLength(2);
    clock.advanceMs(2 * MINUTE_MS);
    await share.app.get(ListenerService).forget();
    expect(await read(projectId, lastNumber)).toEqual([]);
  });

  it('gets a later recorded_since if callbacks after its cursor were forgotten, and the same one if it has read them', async () => {
    const { projectId, lastNumber } = await begun();
    const { since } = await listen(projectId, lastNumber);
    clock.advanceMs(MINUTE_MS);
    await published(analysisEnded({ projectId }));
    const lostAt = clock.now().toISOString();
    // Somebody else reads on, so the recording does not end.
    for (let minutes = 0; minutes <= LISTENED_HOURS * 60; minutes += LISTENER_MINUTES / 2) {
      expect((await listen(projectId, lastNumber + 2)).since).toBe(since);
      clock.advanceMs((LISTENER_MINUTES / 2) * MINUTE_MS);
    }
    await share.app.get(ListenerService).forget();
    const { lastNumber: next, ...lost } = await listen(projectId, lastNumber + 1);
    expect(lost).toEqual({ callbacks: [], since: lostAt });
    expect((await listen(projectId, next)).since).toBe(since);
  });

  it('takes a number that its project never gave as the last one', async () => {
    const { projectId } = await begun();
    await published(analysisEnded({ projectId }));
    expect(await listen(projectId, 999)).toMatchObject({ callbacks: [], lastNumber: 2 });
    expect(await listen(newId(), 7)).toMatchObject({ callbacks: [], lastNumber: 0 });
  });

  it('misses nothing where two transactions end in another order than they began', async () => {
    const { projectId, lastNumber } = await begun();
    const source = createDataSource({
      url: share.app.get<Config>(CONFIG).DATABASE_URL,
      poolSize: 3,
      applicationName: 'two',
    });
    await source.initialize();
    try {
      const database = new Database(source);
      const record = (before: () => Promise<void>) =>
        database.withProject(projectId, async (tx) => {
          const row = {
            id: newId(),
            projectId,
            type: 'report.failed' as const,
            reportId: newId(),
            body: Buffer.from('x'),
            queuedAt: clock.now(),
          };
          await recordForListener(tx, row);
          await before();
        });
      let second: Promise<void> = Promise.resolve();
      let seenBetween = -1;
      await record(async () => {
        second = record(() => Promise.resolve());
        // The second one waits for the first: it has no number yet, so nothing is visible behind the first.
        await eventually(async () => {
          const { rows } = await share.owner.query(
            'SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND NOT granted',
          );
          return rows.length === 1;
        });
        seenBetween = (await share.owner.query('SELECT FROM listened_callbacks WHERE project_id = $1', [projectId])).rows.length;
      });
      await second;
      const { rows } = await share.owner.query<{ number: string }>(
        'SELECT number FROM listened_callbacks WHERE project_id = $1 AND number > $2 ORDER BY number',
        [projectId, lastNumber],
      );
      expect([seenBetween, rows.map(({ number }) => Number(number))]).toEqual([0, [lastNumber + 1, lastNumber + 2]]);
    } finally {
      await source.destroy();
    }
  });

  it(`keeps the newest ${KEPT_MAX} of a project`, async () => {
    const { projectId } = await begun();
    const { since } = await listen(projectId, 0);
    clock.advanceMs(MINUTE_MS);
    await share.owner.query(
      `INSERT INTO listened_callbacks (id, project_id, number, type, report_id, body, queued_at)
       SELECT gen_random_uuid(), $1, number, 'report.failed', gen_random_uuid(), '', $2 FROM generate_series(1, ${KEPT_MAX}) number`,
      [projectId, clock.now()],
    );
    await share.owner.query(`UPDATE listeners SET last_number = ${KEPT_MAX} WHERE project_id = $1`, [projectId]);
    await published(analysisEnded({ projectId }));
    const { rows } = await share.owner.query('SELECT count(*)::int, min(number)::int FROM listened_callbacks WHERE project_id = $1', [
      projectId,
    ]);
    expect(rows).toEqual([{ count: KEPT_MAX, min: 3 }]);
    const sinceAfter = async (after: number) => (await listen(projectId, after, 1)).since;
    expect([await sinceAfter(1), await sinceAfter(2)]).toEqual([clock.now().toISOString(), since]);
  });

  it('is found by its last number, of many projects at once', async () => {
    const [one, other] = [await begun(), await begun()];
    await published(analysisEnded({ projectId: one.projectId }));
    const { last } = await shares.findLastCallbacks({ projectIds: [one.projectId, other.projectId, newId()] });
    expect(new Map(last.map(({ projectId, lastNumber }) => [projectId, lastNumber]))).toEqual(
      new Map([
        [one.projectId, 2],
        [other.projectId, 0],
      ]),
    );
  });

  it.each([0, LISTENED_PAGE_MAX + 1])('may not ask for %d callbacks', async (limit) => {
    await expect(listen(newId(), 0, limit)).rejects.toMatchObject({ code: 'validation_error', param: 'limit' });
  });
});
