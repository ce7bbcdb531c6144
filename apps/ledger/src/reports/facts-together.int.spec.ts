import { newId } from '@tire/kernel';
import { requestContext } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { finishedAnalysis } from '../domain/analysis';
import type { ReportCommand } from '../domain/decide';
import { creationRequest, startWorld, treadMeasurement, type World } from '../testing/world';

const { images } = creationRequest();
const SLOTS = images.map(({ slotId }) => slotId);

describe('facts of one report that are there at once', () => {
  const provider = new NodeTracerProvider();
  let world: World;
  let commands: World['commands'];

  beforeAll(async () => {
    provider.register();
    world = await startWorld();
    commands = world.commands;
  });
  afterAll(async () => {
    await world?.stop();
    await provider.shutdown();
    trace.disable();
  });

  interface Opened {
    readonly projectId: string;
    readonly reportId: string;
  }

  async function fetching(): Promise<Opened & { fetches: ReportCommand[] }> {
    const request = creationRequest({ templateKey: 'tire_4t_0s' });
    const { reportId } = await world.create(request);
    const work = await world.received.fetchImage.of(reportId, SLOTS.length);
    await world.handedOut(reportId);
    const fetches = work.map(({ slotId, assetId, analysisId }): ReportCommand => ({
      ...{ type: 'recordFetch', slotId, assetId, analysisId },
      ...{ errorCode: null, revisionId: newId() },
    }));
    return { projectId: request.projectId, reportId, fetches };
  }

  const noteAll = (report: Opened, facts: readonly ReportCommand[]) =>
    Promise.allSettled(facts.map((fact) => commands.note(report.projectId, report.reportId, fact)));

  async function measuring(): Promise<Opened & { results: Extract<ReportCommand, { type: 'recordAnalysis' }>[] }> {
    const { fetches, ...report } = await fetching();
    await noteAll(report, fetches);
    const work = await world.received.analyzeTread.of(report.reportId, SLOTS.length);
    await world.handedOut(report.reportId);
    const results = work.map(({ slotId, analysisId }) => {
      const completedAt = new Date().toISOString();
      const outcome = { $case: 'tread' as const, value: treadMeasurement() };
      const finished = { ...report, slotId, analysisId, completedAt, outcome, model: 'tread 1.0.0', retakeReasons: [] };
      const analysis = finishedAnalysis(slotId as never, finished, world.clock.now());
      return { type: 'recordAnalysis' as const, analysis, revisionId: newId() };
    });
    return { ...report, results };
  }

  const entriesOf = ({ reportId }: Opened) =>
    world.asOwner(
      `SELECT xmin::text AS transaction, actor, replace(trace_id::text, '-', '') AS "traceId", happenings->0->>'slotId' AS "slotId",
              json_array_length(happenings) AS happenings
         FROM report_history WHERE report_id = $1 ORDER BY entry`,
      [reportId],
    );
  const transactionsOf = async (report: Opened) => new Set((await entriesOf(report)).map(({ transaction }) => transaction)).size;
  const phasesOf = async ({ reportId }: Opened) =>
    Object.fromEntries(
      (await world.asOwner('SELECT slot_id, phase FROM slots WHERE report_id = $1', [reportId])).map(({ slot_id: id, phase }) => [
        String(id),
        phase,
      ]),
    );
  const all = (phase: string) => Object.fromEntries(SLOTS.map((id) => [id, phase]));

  it('are noted in one transaction, each with its own actor and trace', async () => {
    const { fetches, ...report } = await fetching();
    const traces = new Map<string, string>();
    await Promise.all(
      fetches.map((fact, index) =>
        trace.getTracer('test').startActiveSpan('fact', async (span) => {
          traces.set((fact as { slotId: string }).slotId, span.spanContext().traceId);
          await requestContext.run({ requestId: 'fact', actor: `service:${index}` }, () =>
            commands.note(report.projectId, report.reportId, fact),
          );
          span.end();
        }),
      ),
    );
    const entries = await entriesOf(report);
    expect(await transactionsOf(report)).toBe(1);
    expect(entries.map(({ actor, slotId }) => [actor, slotId])).toEqual(
      fetches.map((fact, index) => [`service:${index}`, (fact as { slotId: string }).slotId]),
    );
    expect(new Map(entries.map(({ slotId, traceId }) => [slotId, traceId]))).toEqual(traces);
    const slots = await world.asOwner(`SELECT slot_id, trace->>'traceparent' AS parent FROM slots WHERE report_id = $1`, [report.reportId]);
    for (const { slot_id: id, parent } of slots) expect(String(parent)).toContain(traces.get(String(id)));
    expect(new Set((await world.received.analyzeTread.of(report.reportId, SLOTS.length)).map(({ slotId }) => slotId)).size).toBe(4);
  });

  it('freeze one revision with all of their results', async () => {
    const { results, ...report } = await measuring();
    await noteAll(report, results);
    const [ended] = await world.received.analysisEnded.of(report.reportId, 1);
    const [revision] = await world.asOwner(
      `SELECT count(*)::int AS slots, count(analysis_id)::int AS analyses FROM analysis_revision_slots WHERE revision_id = $1`,
      [ended!.analysisRevision],
    );
    expect(revision).toEqual({ slots: 4, analyses: 4 });
    expect(await transactionsOf(report)).toBe(2);
    expect(await world.report(report.projectId, report.reportId)).toMatchObject({
      analysis_status: 'complete',
      analysis_revision: ended!.analysisRevision,
    });
  });

  it('change nothing twice', async () => {
    const { results, ...report } = await measuring();
    await noteAll(report, [...results, ...results]);
    await noteAll(report, results);
    await world.received.analysisEnded.of(report.reportId, 1);
    await world.settled();
    expect(world.received.analysisEnded.count(report.reportId)).toBe(1);
    expect(await entriesOf(report)).toHaveLength(2 * SLOTS.length);
    expect(await world.asOwner('SELECT FROM analyses WHERE report_id = $1', [report.reportId])).toHaveLength(SLOTS.length);
  });

  it('do not fail with one that the database refuses', async () => {
    const { results, ...report } = await measuring();
    const [bad, ...good] = results;
    const broken = { ...bad!, analysis: { ...bad!.analysis, json: '{' } };
    const noted = await noteAll(report, [good[0]!, broken, ...good.slice(1)]);
    expect(noted.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await phasesOf(report)).toEqual({ ...all('succeeded'), [bad!.analysis.slotId]: 'analyzing' });
    await noteAll(report, [bad!]);
    await world.received.analysisEnded.of(report.reportId, 1);
  });

  it('are ignored where the report is unknown, and all of them where it is closed', async () => {
    const { fetches, ...report } = await fetching();
    const unknown = await noteAll({ ...report, reportId: newId() }, fetches);
    expect(unknown).toEqual(fetches.map(() => ({ status: 'fulfilled', value: null })));
    // No peer of this world removes its data: the report stays discarded.
    await world.ledger.discardReport(report).catch(() => undefined);
    await noteAll(report, fetches);
    expect(await phasesOf(report)).toEqual(all('fetching'));
  });

  it('are delivered again without effect, if the process dies after the commit and before it acknowledges them', async () => {
    const { fetches, ...report } = await fetching();
    const note = commands.note.bind(commands);
    let deliveries = 0;
    const dying = jest.spyOn(commands, 'note').mockImplementation(async (...given) => {
      const state = await note(...given);
      if (given[1] !== report.reportId) return state;
      deliveries += 1;
      if (deliveries <= SLOTS.length) throw new Error('The process died');
      return state;
    });
    try {
      for (const { slotId } of images) await world.publishFetched(report.projectId, report.reportId, slotId);
      await eventually(() => deliveries >= 2 * SLOTS.length);
    } finally {
      dying.mockRestore();
    }
    expect(await entriesOf(report)).toHaveLength(fetches.length);
    expect(await phasesOf(report)).toEqual(all('analyzing'));
    await world.settled();
    expect(world.received.analyzeTread.count(report.reportId)).toBe(SLOTS.length);
  });
});
