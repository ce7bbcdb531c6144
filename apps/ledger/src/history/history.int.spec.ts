import { newId } from '@tire/kernel';
import { requestContext } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { creationRequest, startWorld, type World } from '../testing/world';

const SLOT = 'tire.tread.front_left';

describe('the history of a report', () => {
  const provider = new NodeTracerProvider();
  let world: World;

  beforeAll(async () => {
    provider.register();
    world = await startWorld();
  });
  afterAll(async () => {
    await world?.stop();
    await provider.shutdown();
    trace.disable();
  });

  /** Does the work in a trace of its own, for an actor. */
  const traced = async <T>(work: () => Promise<T>, actor?: string): Promise<{ traceId: string; answer: T }> =>
    trace.getTracer('test').startActiveSpan('request', async (span) => {
      const answer = await requestContext.run({ requestId: 'request', actor }, work);
      span.end();
      return { traceId: span.spanContext().traceId, answer };
    });
  const request = () => creationRequest({ templateKey: 'tire_4t_0s', images: creationRequest().images.slice(0, 1) });
  const moments = async (projectId: string, reportId: string) => (await world.ledger.getReportHistory({ projectId, reportId })).moments;
  const until = (projectId: string, reportId: string, what: string) =>
    eventually(async () => {
      const found = await moments(projectId, reportId);
      return found.at(-1)?.what === what && found;
    });

  it('has every change with its time, actor and trace', async () => {
    const { projectId, ...rest } = request();
    const [key, user] = [`key:${newId()}`, `user:${newId()}`];
    const creation = await traced(() => world.create({ projectId, ...rest }), key);
    const { reportId } = creation.answer;
    const fetching = await traced(() => world.publishFetched(projectId, reportId, SLOT));
    const [work] = await world.received.analyzeTread.of(reportId, 1);
    world.clock.advanceMs(10);
    const measuring = await traced(() => world.publishFinished(work!, { $case: 'errorCode', value: 'tread_not_found' }));
    await until(projectId, reportId, 'analysis_ended');
    world.clock.advanceMs(10);
    const again = await traced(() => world.ledger.analyzeSlots({ projectId, reportId, slotIds: [] }), user);
    const publicationStatus = 'published';
    const [row] = await world.asOwner(`SELECT share_token_digest FROM reports WHERE report_id = '${reportId}'`);
    const linkDigest = row!['share_token_digest'] as Buffer;
    await world.publishJudged(projectId, reportId, 1, { publicationStatus, linkDigest, actor: user });
    const entries = await until(projectId, reportId, 'published');
    expect(entries.map(({ what, actor, slotId, errorCode, model }) => [what, actor, slotId, errorCode, model])).toEqual([
      ['created', key, undefined, undefined, undefined],
      ['image_fetched', 'service:assets', SLOT, undefined, undefined],
      ['slot_failed', 'service:inference', SLOT, 'tread_not_found', 'tread 1.0.0'],
      ['analysis_ended', 'service:inference', undefined, undefined, undefined],
      ['fetch_requested', user, SLOT, undefined, undefined],
      ['published', user, undefined, undefined, undefined],
    ]);
    const { traceId: none } = entries.at(-1)!;
    expect(entries.map(({ traceId }) => traceId)).toEqual([
      creation.traceId,
      fetching.traceId,
      measuring.traceId,
      measuring.traceId,
      again.traceId,
      none,
    ]);
    expect(new Set(entries.map(({ at }) => at)).size).toBe(3);
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
    expect(entries[3]).toMatchObject({ status: 'failed', analysisRevision: (await world.report(projectId, reportId)).analysis_revision });
  });

  it('is derived from the report and its revisions where nothing was recorded', async () => {
    const { projectId, ...rest } = request();
    const { reportId } = await world.create({ projectId, ...rest });
    await world.publishFetched(projectId, reportId, SLOT, 'image_unreachable');
    await until(projectId, reportId, 'analysis_ended');
    await world.asOwner(`DELETE FROM report_history WHERE report_id = '${reportId}'`);
    await world.asOwner(`UPDATE reports SET created_by = NULL, creation_trace_id = NULL WHERE report_id = '${reportId}'`);
    const entries = await moments(projectId, reportId);
    expect(entries.map(({ what, actor, status }) => [what, actor, status])).toEqual([
      ['created', undefined, undefined],
      ['analysis_ended', undefined, 'failed'],
    ]);
  });

  it('cannot be changed by the service, nor read by another project', async () => {
    const { projectId, ...rest } = request();
    const { reportId } = await world.create({ projectId, ...rest });
    await world.publishFetched(projectId, reportId, SLOT);
    await until(projectId, reportId, 'image_fetched');
    const change = world.asRuntime(projectId, `UPDATE report_history SET at = now() WHERE report_id = '${reportId}'`);
    await expect(change).rejects.toThrow('permission denied');
    expect(await world.asRuntime(newId(), 'SELECT * FROM report_history')).toEqual([]);
  });

  it('needs no statement of its own in a creation', async () => {
    const { projectId, ...rest } = request();
    const { reportId } = await world.create({ projectId, ...rest });
    expect(await world.asOwner(`SELECT 1 FROM report_history WHERE report_id = '${reportId}'`)).toEqual([]);
    expect((await moments(projectId, reportId)).map(({ what, actor }) => [what, actor])).toEqual([['created', 'service:ledger']]);
  });
});
