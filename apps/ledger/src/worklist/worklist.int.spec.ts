import { EVENTS } from '@tire/contracts/events';
import type { ledgerApi } from '@tire/contracts/grpc';
import { newId, STANDINGS, URGENCIES, type Standing } from '@tire/kernel';
import { requestContext } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { copyReport } from '../testing/many-reports';
import { creationRequest, refusalOf, startWorld, type World } from '../testing/world';

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'];
const TIRES = POSITIONS.map((position) => ({ position, grooveDepthsMm: [5], size: undefined }));
const BY_HAND = { templateKey: 'tire_4t_0s', images: [], entered: { tires: TIRES } };
const OVERDUE_MS = 60_000;

let world: World;

beforeAll(async () => {
  world = await startWorld({ overdueMs: OVERDUE_MS });
});

afterAll(() => world?.stop());

const as = <T>(actor: string, work: () => Promise<T>): Promise<T> => requestContext.run({ requestId: 'request', actor }, work);
const idsOf = ({ reports }: ledgerApi.ListReportsResponse) => reports.map(({ reportId }) => reportId);
/** An absent field is undefined. */
const work = async (projectId: string, reportId: string) => {
  const { work: found } = await world.ledger.getReportHistory({ projectId, reportId });
  return { handledAt: undefined, handledBy: undefined, ...found! };
};

/** A measured report and its revision. */
async function measured(projectId = newId(), over: Partial<ledgerApi.CreateReportRequest> = {}) {
  const { reportId } = await world.create(creationRequest({ projectId, ...BY_HAND, ...over }));
  const [ended] = await world.received.analysisEnded.of(reportId, 1);
  return { projectId, reportId, analysisRevision: ended!.analysisRevision };
}

const processing = (projectId: string) => world.create(creationRequest({ projectId, images: creationRequest().images.slice(0, 1) }));

const announce = (report: Awaited<ReturnType<typeof measured>>, verdict?: string) =>
  world.publish(EVENTS.contentGenerated, {
    ...report,
    analysisStatus: 'complete',
    contentRevision: report.reportId,
    etag: 'W/"x"',
    errorCode: '',
    verdict,
  });

const judged = async (projectId: string, verdict: string, over: Partial<ledgerApi.CreateReportRequest> = {}) => {
  const report = await measured(projectId, over);
  await announce(report, verdict);
  await eventually(async () => (await work(projectId, report.reportId)).standing === verdict);
  return report;
};

describe('the worklist', () => {
  it('lists by urgency and then newest first, page by page, each report once', async () => {
    const projectId = newId();
    const { reportId } = await measured(projectId);
    const count = 2 * STANDINGS.length;
    await copyReport(world, reportId, count, {
      // Two of each standing; pairs in the same millisecond.
      created_at: `created_at - (n / 2) * interval '1 millisecond'`,
      external_inspection_id: 'NULL',
      standing: `(ARRAY['${STANDINGS.join("','")}'])[1 + n % ${STANDINGS.length}]`,
    });
    const turns: number[] = [];
    const listed: string[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await world.ledger.listReports({ projectId, byUrgency: true, limit: 3, cursor });
      listed.push(...idsOf(page));
      turns.push(
        ...page.reports.map(({ work: { standing } = { standing: '' } }) => URGENCIES.findIndex((urgency) => urgency === standing)),
      );
      cursor = page.nextCursor;
    }
    expect([listed.length, new Set(listed).size]).toEqual([count + 1, count + 1]);
    const ranks = turns.map((turn) => (turn === -1 ? URGENCIES.length : turn));
    expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
    const newest = await world.ledger.listReports({ projectId, attention: 'open', limit: 100 });
    expect(newest.reports.map(({ createdAt }) => createdAt)).toEqual(
      newest.reports
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .toReversed(),
    );
    expect(idsOf(newest).toSorted()).toEqual(listed.toSorted());
  });

  it('filters by urgency, person, state and attention, alone, together, and with a search', async () => {
    const projectId = newId();
    const [mina, joon] = [`user:${newId()}`, `user:${newId()}`];
    const made: Record<string, string> = {};
    for (const [name, verdict] of [
      ['worst', 'critical'],
      ['near', 'near_limit'],
      ['fine', 'good'],
    ] as const) {
      world.clock.advanceMs(1_000);
      const by = name === 'fine' ? joon : mina;
      made[name] = (await judged(projectId, verdict, { plateNumber: '12가3456' })).reportId;
      await world.asOwner('UPDATE reports SET created_by = $2 WHERE report_id = $1', [made[name], by]);
    }
    world.clock.advanceMs(1_000);
    made['open'] = (await processing(projectId)).reportId;
    await as(mina, () => world.ledger.markReports({ projectId, reportIds: [made['near']!], mark: 'handled', seenResults: [] }));
    await world.ledger.markReports({ projectId, reportIds: [made['fine']!], mark: 'read', seenResults: [] });
    const names = async (over: Partial<ledgerApi.ListReportsRequest>) =>
      idsOf(await world.ledger.listReports({ projectId, limit: 20, ...over })).map((id) =>
        Object.keys(made).find((name) => made[name] === id),
      );
    expect(await names({ byUrgency: true })).toEqual(['worst', 'near', 'fine', 'open']);
    expect(await names({ attention: 'open' })).toEqual(['open', 'fine', 'worst']);
    expect(await names({ attention: 'unread' })).toEqual(['open', 'worst']);
    expect(await names({ attention: 'handled' })).toEqual(['near']);
    expect(await names({ urgency: 'not_measured' })).toEqual(['open']);
    expect(await names({ urgency: 'critical' })).toEqual(['worst']);
    expect(await names({ createdBy: mina })).toEqual(['near', 'worst']);
    expect(await names({ createdBy: mina, attention: 'open', byUrgency: true })).toEqual(['worst']);
    expect(await names({ createdBy: joon, urgency: 'critical' })).toEqual([]);
    expect(await names({ analysisStatus: 'complete', attention: 'open', creationMode: 'manual' })).toEqual(['fine', 'worst']);
    expect(await names({ analysisStatus: 'processing', urgency: 'critical' })).toEqual([]);
    for (const search of ['3456', '12가3456']) {
      expect(await names({ search, attention: 'open' })).toEqual(['fine', 'worst']);
      expect(await names({ search, createdBy: mina, urgency: 'near_limit' })).toEqual(['near']);
    }
    expect(await names({ plateNumber: '12가3456', createdBy: joon, attention: 'open' })).toEqual(['fine']);
    const since = new Date(world.clock.now().getTime() - 1_500).toISOString();
    expect(await names({ byUrgency: true, createdFrom: since })).toEqual(['fine', 'open']);
    expect((await world.ledger.listCreators({ projectId })).actors).toEqual([mina, joon, 'service:ledger'].toSorted());
    expect((await world.ledger.listCreators({ projectId: newId() })).actors).toEqual([]);
  });

  it.each([
    [{ urgency: 'worst' }, 'urgency'],
    [{ attention: "open' OR true" }, 'attention'],
    [{ attention: 'toString' }, 'attention'],
    [{ byUrgency: true, search: '3456' }, 'order'],
    [{ byUrgency: true, cursor: '1.00000000-0000-0000-0000-000000000000' }, 'cursor'],
    [{ cursor: '0.1.00000000-0000-0000-0000-000000000000' }, 'cursor'],
    [{ byUrgency: true, cursor: '5.1.00000000-0000-0000-0000-000000000000' }, 'cursor'],
  ] as const)('refuses %j', async (over, param) => {
    expect(await refusalOf(world.ledger.listReports({ projectId: newId(), limit: 1, ...over }))).toEqual({
      code: 'validation_error',
      param,
    });
  });
});

describe('marks', () => {
  it('have an outcome for each report, and leave those of other projects alone', async () => {
    const [one, other, foreign] = [await measured(), await measured(), await measured()];
    const { projectId } = one;
    await world.asOwner('UPDATE reports SET project_id = $2 WHERE report_id = $1', [other.reportId, projectId]);
    const gone = await measured(projectId);
    await refusalOf(world.ledger.discardReport(gone));
    const reportIds = [one.reportId, foreign.reportId, other.reportId, gone.reportId, newId(), 'none', one.reportId];
    const mark = async (name: string) =>
      (await world.ledger.markReports({ projectId, reportIds, mark: name, seenResults: [] })).reports.map(({ outcome }) => outcome);
    expect(await mark('handled')).toEqual(['marked', 'not_found', 'marked', 'not_found', 'not_found', 'not_found', 'marked']);
    expect(await mark('handled')).toEqual(['unchanged', 'not_found', 'unchanged', 'not_found', 'not_found', 'not_found', 'unchanged']);
    expect(await work(foreign.projectId, foreign.reportId)).toMatchObject({ attention: 'unread' });
    expect(await refusalOf(world.ledger.markReports({ projectId, reportIds: [], mark: 'read', seenResults: [] }))).toMatchObject({
      param: 'report_ids',
    });
    const many = Array.from({ length: 101 }, () => newId());
    expect(await refusalOf(world.ledger.markReports({ projectId, reportIds: many, mark: 'read', seenResults: [] }))).toMatchObject({
      param: 'report_ids',
    });
    expect(await refusalOf(world.ledger.markReports({ projectId, reportIds, mark: 'toString', seenResults: [] }))).toMatchObject({
      param: 'mark',
    });
  });

  it('say who handled a report and when, and stand in its history, but not in its document', async () => {
    const { projectId, reportId } = await measured();
    const user = `user:${newId()}`;
    const before = await world.report(projectId, reportId);
    world.clock.advanceMs(5_000);
    const at = world.clock.now().toISOString();
    const mark = (name: string) =>
      as(user, () => world.ledger.markReports({ projectId, reportIds: [reportId], mark: name, seenResults: [] }));
    await mark('read');
    expect(await work(projectId, reportId)).toMatchObject({ attention: 'read', handledAt: undefined });
    await mark('handled');
    expect(await work(projectId, reportId)).toMatchObject({ attention: 'handled', handledAt: at, handledBy: user });
    await mark('not_handled');
    expect(await work(projectId, reportId)).toMatchObject({ attention: 'read', handledAt: undefined, handledBy: undefined });
    const { moments } = await world.ledger.getReportHistory({ projectId, reportId });
    expect(moments.slice(-2).map(({ what, actor, at: when }) => [what, actor, when])).toEqual([
      ['handled', user, at],
      ['not_handled', user, at],
    ]);
    expect(await world.report(projectId, reportId)).toEqual(before);
  });

  it('end with a new result, and not with the repetition of one', async () => {
    const projectId = newId();
    const report = await judged(projectId, 'caution');
    await world.ledger.markReports({ projectId, reportIds: [report.reportId], mark: 'handled', seenResults: [] });
    await announce(report, 'caution');
    await world.settled();
    expect(await work(projectId, report.reportId)).toMatchObject({ attention: 'handled', standing: 'caution' });
    const failed = await measured(projectId);
    await world.ledger.markReports({ projectId, reportIds: [failed.reportId], mark: 'handled', seenResults: [] });
    await announce(failed, 'critical');
    await eventually(async () => (await work(projectId, failed.reportId)).standing === 'critical');
    expect(await work(projectId, failed.reportId)).toMatchObject({ attention: 'unread', handledAt: undefined });
  });

  it('of a result that the member did not see are refused, each report by itself', async () => {
    const projectId = newId();
    const [changed, same] = [await judged(projectId, 'caution'), await judged(projectId, 'good')];
    const reportIds = [changed.reportId, same.reportId];
    const seenResults = await Promise.all(reportIds.map(async (id) => (await work(projectId, id)).result));
    // The verdict of a member's gauge, for example: the same slots, another revision.
    await world.asOwner('UPDATE reports SET content_revision = $2 WHERE report_id = $1', [changed.reportId, newId()]);
    const mark = async (name: string, over: object = {}) =>
      (await world.ledger.markReports({ projectId, reportIds, mark: name, seenResults, ...over })).reports.map(({ outcome }) => outcome);
    expect(await mark('read')).toEqual(['stale', 'marked']);
    expect(await mark('handled')).toEqual(['stale', 'marked']);
    expect(await work(projectId, changed.reportId)).toMatchObject({ attention: 'unread', handledAt: undefined });
    expect(await mark('not_handled')).toEqual(['unchanged', 'marked']);
    const { result } = await work(projectId, changed.reportId);
    expect(await mark('handled', { seenResults: [result, ''] })).toEqual(['marked', 'stale']);
    expect(await refusalOf(world.ledger.markReports({ projectId, reportIds, mark: 'read', seenResults: [result] }))).toMatchObject({
      param: 'seen_results',
    });
  });

  it('that come while a new result is being written wait for it, and are refused', async () => {
    const projectId = newId();
    const { reportId } = await judged(projectId, 'good');
    const { result } = await work(projectId, reportId);
    const { marking } = await world.inProject(projectId, async (tx) => {
      await tx.execute(`UPDATE reports SET standing = 'critical', attention = 'unread' WHERE report_id = $1`, [reportId]);
      const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%content_revision%FOR UPDATE%'`;
      const request = { projectId, reportIds: [reportId], mark: 'handled', seenResults: [result] };
      const running = { marking: world.ledger.markReports(request) };
      await eventually(async () => (await world.database.systemQuery(waits)).length > 0);
      return running;
    });
    expect((await marking).reports).toEqual([{ reportId, outcome: 'stale' }]);
    expect(await work(projectId, reportId)).toMatchObject({ attention: 'unread', standing: 'critical' });
  });

  it('of the same reports at once all end', async () => {
    const projectId = newId();
    const { reportId } = await measured(projectId);
    await copyReport(world, reportId, 60, { external_inspection_id: 'NULL' });
    const ids = idsOf(await world.ledger.listReports({ projectId, limit: 100 }));
    const orders = [ids, ids.toReversed(), ids.toSorted(), ids.toSorted().toReversed()];
    await Promise.all(
      orders.map((reportIds, index) =>
        world.ledger.markReports({ projectId, reportIds, mark: index % 2 ? 'handled' : 'not_handled', seenResults: [] }),
      ),
    );
    expect((await world.ledger.listReports({ projectId, limit: 100 })).reports).toHaveLength(61);
  });
});

describe('reports from before standings', () => {
  /** As a release left them that knew neither verdicts nor standings. */
  const fromBefore = (reportId: string) =>
    world.asOwner(
      `UPDATE reports SET standing = 'unjudged', standing_at = NULL, content_verdict = NULL, content_verdict_of = NULL, handover_at = NULL,
              publication_analysis_revision = revision_id WHERE report_id = $1`,
      [reportId],
    );
  const standingOf = async (projectId: string, reportId: string) => (await work(projectId, reportId)).standing as Standing;

  it('get theirs, content is asked for verdicts until it answers, and the repair ends', async () => {
    const projectId = newId();
    const [old, waiting] = [await judged(projectId, 'critical'), await processing(projectId)];
    await fromBefore(old.reportId);
    await fromBefore(waiting.reportId);
    const updatedAt = (await world.report(projectId, old.reportId)).timestamps.updated_at;
    await eventually(async () => (await world.repair.turn()) === 0);
    expect([await standingOf(projectId, waiting.reportId), await standingOf(projectId, old.reportId)]).toEqual(['processing', 'unjudged']);
    await world.received.analysisEnded.of(old.reportId, 2);
    // The answer is lost: the reconciler asks again.
    world.clock.advanceMs(OVERDUE_MS + 1);
    await world.reconciler.sweep();
    await world.received.analysisEnded.of(old.reportId, 3);
    await announce(old, 'critical');
    await eventually(async () => (await standingOf(projectId, old.reportId)) === 'critical');
    expect((await world.report(projectId, old.reportId)).timestamps.updated_at).toBe(updatedAt);
    expect(await world.repair.turn()).toBe(0);
    const [row] = await world.asOwner('SELECT handover_at FROM reports WHERE report_id = $1', [old.reportId]);
    expect(row).toEqual({ handover_at: null });
  });

  it('that an earlier release changed beside this one get theirs too', async () => {
    const projectId = newId();
    const report = await judged(projectId, 'good');
    // It notes another revision of content, and leaves the columns that it does not know.
    await world.asOwner(`UPDATE reports SET content_revision = $2, updated_at = updated_at + interval '1 s' WHERE report_id = $1`, [
      report.reportId,
      newId(),
    ]);
    await eventually(async () => (await world.repair.turn()) === 0);
    expect(await standingOf(projectId, report.reportId)).toBe('unjudged');
    await world.received.analysisEnded.of(report.reportId, 2);
  });

  it('are marked as read by the migration, and new ones are unread', async () => {
    const projectId = newId();
    const { reportId } = await processing(projectId);
    expect(await work(projectId, reportId)).toMatchObject({ attention: 'unread' });
    const [column] = await world.asOwner(
      `SELECT attmissingval::text AS before FROM pg_attribute WHERE attrelid = 'reports'::regclass AND attname = 'attention'`,
    );
    expect(column).toEqual({ before: '{read}' });
  });
});
