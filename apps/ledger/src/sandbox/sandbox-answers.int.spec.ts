import { newId, sandboxAddress, sandboxPhotograph, type SandboxName } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { SANDBOX_MODEL } from '../domain/sandbox';
import { copyReport } from '../testing/many-reports';
import { creationRequest, startWorld, type World } from '../testing/world';
import { dueAnswers } from './sandbox.store';

const SLOT = 'tire.tread.front_left';
const SLOW_MS = 30_000;
const HOUR_MS = 3_600_000;

let world: World;
beforeEach(async () => void (world = await startWorld()));
afterEach(() => world?.stop());

/** A report with one image, whose address is that of a well-known photograph. */
async function reportWith(name: SandboxName, projectMode: 'test' | 'live' = 'test') {
  const projectId = newId();
  const images = [{ slotId: SLOT, url: sandboxAddress(name) }];
  const { reportId } = await world.create(creationRequest({ projectId, projectMode, templateKey: 'tire_4t_0s', images }));
  return { projectId, reportId, name };
}
type Made = Awaited<ReturnType<typeof reportWith>>;

const fetched = ({ projectId, reportId, name }: Made) =>
  world.publishFetched(projectId, reportId, SLOT, '', sandboxPhotograph(name).sha256);
const analysisOf = async ({ projectId, reportId }: Made) =>
  (await world.report(projectId, reportId)).slots.find(({ slot_id }) => slot_id === SLOT)!.analysis;
const endedAs = (made: Made, status: 'success' | 'failed') =>
  eventually(async () => {
    const analysis = await analysisOf(made);
    return analysis.status === status && analysis;
  });

it('the recorded result comes without a model, and says so', async () => {
  const made = await reportWith('tread-front-left');
  expect((await world.received.fetchImage.of(made.reportId, 1))[0]).toMatchObject({ sandbox: 'tread-front-left' });
  await fetched(made);
  const analysis = await endedAs(made, 'success');
  expect(analysis).toMatchObject({
    sandbox: 'tread-front-left',
    result: { individual_depths: { individual_remaining_depth: [6.22, 6.25, 6.21, 6.22] } },
  });
  expect(world.received.analyzeTread.count(made.reportId)).toBe(0);
});

it('in a live project the address and the bytes are ordinary: both go to the workers', async () => {
  const made = await reportWith('tread-front-left', 'live');
  expect((await world.received.fetchImage.of(made.reportId, 1))[0]!.sandbox).toBeUndefined();
  await fetched(made);
  const [work] = await world.received.analyzeTread.of(made.reportId, 1);
  await world.publishFinished(work!, { $case: 'errorCode', value: 'tread_not_found' });
  expect(await endedAs(made, 'failed')).not.toHaveProperty('sandbox');
});

it('an address that fails names the photograph', async () => {
  const made = await reportWith('error-image-unreachable');
  await world.publishFetched(made.projectId, made.reportId, SLOT, 'image_unreachable');
  expect(await endedAs(made, 'failed')).toMatchObject({ error: { code: 'image_unreachable' }, sandbox: 'error-image-unreachable' });
});

it('a slow result waits in the table, with no worker, and holds up nobody', async () => {
  const slow = await reportWith('tread-slow');
  await fetched(slow);
  const waiting = () =>
    world.asOwner('SELECT work_kind, queued_at, handover_at FROM slots WHERE report_id = $1 AND sandbox IS NOT NULL', [slow.reportId]);
  await eventually(async () => (await waiting())[0]?.['work_kind'] === 'sandbox');
  const [row] = await waiting();
  expect(row).toMatchObject({ queued_at: new Date(world.clock.now().getTime() + SLOW_MS), handover_at: null });
  // Nor does an instance whose clock is behind take it for one that a clock ahead has queued.
  expect(await dueAnswers(world.database, new Date(Date.now() - HOUR_MS), 1, SANDBOX_MODEL)).toEqual([]);
  // A later report is answered before the slow one.
  const later = await reportWith('tread-rear-left');
  await fetched(later);
  await endedAs(later, 'success');
  expect((await analysisOf(slow)).status).toBe('pending');
  world.clock.advanceMs(SLOW_MS);
  expect(await endedAs(slow, 'success')).toMatchObject({ sandbox: 'tread-slow' });
  expect(world.received.analyzeTread.count(slow.reportId)).toBe(0);
});

it('a result that a clock an hour ahead has queued comes when the clock is set back', async () => {
  const slow = await reportWith('tread-slow');
  world.clock.advanceMs(HOUR_MS);
  await fetched(slow);
  const isQueued = async () =>
    (await world.asOwner(`SELECT 1 FROM slots WHERE report_id = $1 AND work_kind = 'sandbox'`, [slow.reportId])).length > 0;
  await eventually(isQueued);
  expect((await analysisOf(slow)).status).toBe('pending');
  world.clock.advanceMs(-HOUR_MS);
  await endedAs(slow, 'success');
});

it('the second measurement in a slot succeeds where the photograph wants it', async () => {
  const made = await reportWith('tread-second-try');
  await fetched(made);
  expect(await endedAs(made, 'failed')).toMatchObject({ error: { code: 'analysis_failed', retryable: true } });
  await world.ledger.analyzeSlots({ projectId: made.projectId, reportId: made.reportId, slotIds: [] });
  await world.received.fetchImage.of(made.reportId, 2);
  await fetched(made);
  expect(await endedAs(made, 'success')).toMatchObject({ sandbox: 'tread-second-try' });
});

it.each([
  ['tread-callback-fails-twice', { contentFails: false, callbackFailures: 2 }],
  ['tread-content-fails', { contentFails: true, callbackFailures: 0 }],
  ['tread-front-right', undefined],
] as const)('the fact of a revision with %s says what it causes', async (name, sandbox) => {
  const projectId = newId();
  const names: readonly SandboxName[] = [name, 'tread-front-left', 'tread-rear-left', 'tread-rear-right'];
  const request = creationRequest({ projectId, projectMode: 'test', templateKey: 'tire_4t_0s' });
  const images = request.images.map((image, index) => ({ ...image, url: sandboxAddress(names[index]!) }));
  const { reportId } = await world.create({ ...request, images });
  for (const [index, { slotId }] of images.entries())
    await world.publishFetched(projectId, reportId, slotId, '', sandboxPhotograph(names[index]!).sha256);
  const [fact] = await world.received.analysisEnded.of(reportId, 1);
  expect(fact).toMatchObject({ analysisStatus: 'complete', sandbox });
  const { answers } = await world.ledger.getContentPointers({ keys: [{ projectId, reportId }] });
  expect(answers[0]!.pointer!.hasSamples).toBe(true);
  // For what publishes the report before the fact.
  const { callbackFailures } = await world.ledger.getPublicationState({ projectId, reportId, forChange: true });
  expect(callbackFailures).toBe(sandbox?.callbackFailures ?? 0);
});

it('an answer whose commit is lost is given again, once, however often Postgres is away', async () => {
  await world.asOwner(`
    CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the server stops' USING ERRCODE = '57P01'; END $$;
    CREATE CONSTRAINT TRIGGER dies AFTER INSERT ON analyses DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die();
    CREATE SEQUENCE died;
    CREATE FUNCTION count_death() RETURNS trigger SECURITY DEFINER SET search_path FROM CURRENT LANGUAGE plpgsql AS
      $$ BEGIN PERFORM nextval('died'); RETURN NULL; END $$;
    CREATE TRIGGER is_tried AFTER INSERT ON analyses FOR EACH ROW EXECUTE FUNCTION count_death()`);
  const made = await reportWith('tread-front-left');
  await fetched(made);
  // A sequence keeps its count when a transaction is rolled back.
  await eventually(async () => (await world.asOwner('SELECT FROM died WHERE last_value > 6')).length > 0);
  expect((await analysisOf(made)).status).toBe('pending');
  await world.asOwner('DROP TRIGGER dies ON analyses');
  await endedAs(made, 'success');
  expect(await world.asOwner('SELECT FROM analyses WHERE report_id = $1', [made.reportId])).toHaveLength(1);
});

it('an answer that always fails ends its slot as failed, and is counted before as waiting', async () => {
  await world.asOwner(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'this result is never recorded'; END $$;
    CREATE TRIGGER refuses BEFORE INSERT ON analyses FOR EACH ROW WHEN (NEW.model <> '') EXECUTE FUNCTION refuse()`);
  const made = await reportWith('tread-front-left');
  await fetched(made);
  await eventually(async () => (await world.waiting.read()).some(({ kind, count }) => kind === 'sandbox' && count === 1));
  expect(await endedAs(made, 'failed')).toMatchObject({ error: { code: 'analysis_failed', retryable: true } });
});

it('projects take turns: one with a single photograph is in the first batch beside one with hundreds', async () => {
  const later = new Date(world.clock.now().getTime() + 60_000);
  const busy = newId();
  const { reportId } = await world.create(creationRequest({ projectId: busy, projectMode: 'test', images: OTHERS }));
  await copyReport(world, reportId, 299, { share_token_digest: `sha256(('token-' || n)::bytea)` });
  const { projectId: single, reportId: onlyReport } = await emptyReport();
  // Due later than the clock of the service, so that only this test reads them.
  await world.asOwner(
    `INSERT INTO slots (report_id, slot_id, project_id, phase, asset_id, source_kind, analysis_id, replaces_success, queued_at, handover_attempts,
                        trace, sandbox)
     SELECT report_id, $1, project_id, 'analyzing', gen_random_uuid(), 'atrace_upload', gen_random_uuid(), false,
            $2::timestamptz + CASE WHEN project_id = $3 THEN interval '1 s' ELSE interval '0' END, 0, '{}', 'tread-front-left'
       FROM reports WHERE project_id IN ($3, $4)`,
    [SLOT, later, single, busy],
  );
  const due = await dueAnswers(world.database, new Date(later.getTime() + 1_000), 32, SANDBOX_MODEL);
  expect(due).toHaveLength(32);
  expect(due.slice(0, 2).map((each) => each.projectId)).toEqual([busy, single]);
  expect(due[1]).toMatchObject({ reportId: onlyReport, sandbox: 'tread-front-left', before: 0 });
});

/** An ordinary image in another slot: uploads need the assets service, which does not run here. */
const OTHERS = [{ slotId: 'tire.tread.rear_left', url: 'https://images.example/other.jpg' }];

async function emptyReport() {
  const projectId = newId();
  return { projectId, ...(await world.create(creationRequest({ projectId, projectMode: 'test', images: OTHERS }))) };
}
