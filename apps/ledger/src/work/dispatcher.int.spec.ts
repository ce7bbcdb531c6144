import type { AnalyzeImage } from '@tire/contracts/events';
import { BrokerUnavailable } from '@tire/eventing';
import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { startAssetsPeer, type AssetsPeer } from '../testing/assets.fixture';
import { copyReport } from '../testing/many-reports';
import { projectWithWaiting } from '../testing/waiting-slots';
import { creationRequest, startWorld, type World } from '../testing/world';

/** `npm run test:long` sets 50,000. */
const WAITING = Number(process.env['WORK_WAITING'] ?? 2_000);
const IN_HAND = 2;
const FETCHES_PER_PROJECT = 32;
const OVERDUE_MS = 60_000;
const FAILED = { $case: 'errorCode', value: 'tread_not_found' } as const;

let assets: AssetsPeer;
let world: World;

async function start(workersHold: { treads?: number; fetches?: number }): Promise<void> {
  assets = await startAssetsPeer();
  world = await startWorld({ assetsUrl: assets.address, overdueMs: OVERDUE_MS, workersHold });
}

afterEach(async () => {
  await world?.stop();
  await assets?.close();
});

const treads = () => world.received.analyzeTread;

describe('work of other projects', () => {
  const projectsOf = (messages: readonly AnalyzeImage[]) => messages.map(({ projectId }) => projectId);

  /** Ends the oldest image in hand, and waits for the one that takes its place. */
  async function finishOne(ended: number): Promise<void> {
    await world.publishFinished(treads().messages[ended]!, FAILED);
    treads().release();
    await treads().arrived(ended + IN_HAND + 1);
  }

  async function reportWithFetchedImages(projectId = newId()): Promise<{ projectId: string; reportId: string }> {
    const request = creationRequest({ projectId, templateKey: 'tire_4t_0s' });
    const { reportId } = await world.create(request);
    for (const { slotId } of request.images) await world.publishFetched(request.projectId, reportId, slotId);
    const atModels = `SELECT count(*)::int AS count FROM slots WHERE report_id = $1 AND phase = 'analyzing'`;
    await eventually(async () => (await world.asOwner(atModels, [reportId]))[0]!['count'] === request.images.length);
    return { projectId: request.projectId, reportId };
  }

  it.each([1, 10])('a report is measured next while many images of others wait (%d projects)', async (projects) => {
    await start({ treads: IN_HAND });
    const heavy: string[] = [];
    while (heavy.length < projects) heavy.push(await projectWithWaiting(world, Math.ceil(WAITING / projects / 4) * 4, 'analyzing'));
    await treads().arrived(IN_HAND);
    for (let ended = 0; ended < 20; ended += 1) await finishOne(ended);
    const { projectId } = await reportWithFetchedImages();
    for (let ended = 20; ended < 40; ended += 1) await finishOne(ended);

    const order = projectsOf(treads().messages);
    const before = order.slice(0, 20 + IN_HAND);
    expect(new Set(before)).toEqual(new Set(heavy));
    // The first images may be handed out before the second project has some. They count for no project.
    const most = IN_HAND + Math.ceil(20 / projects);
    for (const each of heavy) expect(before.filter((id) => id === each).length).toBeLessThanOrEqual(most);
    expect(order.slice(22, 26)).toEqual(Array.from({ length: 4 }, () => projectId));
    expect(order.slice(26).every((id) => heavy.includes(id))).toBe(true);
  });

  it('a report of a project that was served all along is measured next while many images of one that begins wait', async () => {
    await start({ treads: IN_HAND });
    const steady = await projectWithWaiting(world, 24, 'analyzing');
    for (let ended = 0; ended < 22; ended += 1) {
      await treads().arrived(ended + IN_HAND);
      await finishOne(ended);
    }
    const beginner = await projectWithWaiting(world, 12, 'analyzing');
    for (let ended = 22; ended < 24; ended += 1) await finishOne(ended);
    await reportWithFetchedImages(steady);
    for (let ended = 24; ended < 30; ended += 1) await finishOne(ended);
    expect(projectsOf(treads().messages.slice(24))).toEqual([
      beginner,
      beginner,
      ...Array.from({ length: 4 }, () => steady),
      beginner,
      beginner,
    ]);
  });

  /** Makes images wait, each the only one of its project. */
  async function singles(original: string, count: number): Promise<void> {
    world.clock.advanceMs(1);
    await copyReport(world, original, count, { project_id: 'gen_random_uuid()', share_token_digest: `sha256(random()::text::bytea)` });
    await world.asOwner(
      `INSERT INTO slots (report_id, slot_id, project_id, phase, asset_id, source_kind, source_url, analysis_id, replaces_success, queued_at,
                          handover_attempts, trace)
       SELECT report_id, 'tire.tread.front_left', project_id, 'analyzing', gen_random_uuid(), 'partner_url', 'https://images.example/1.jpg',
              gen_random_uuid(), false, $2, 0, '{}'
         FROM reports WHERE report_id <> $1 AND NOT EXISTS (SELECT FROM slots s WHERE s.report_id = reports.report_id)`,
      [original, world.clock.now()],
    );
  }

  it('a project with eight images gets turns while there is always a project with one', async () => {
    await start({ treads: IN_HAND });
    const { reportId: original } = await world.create(creationRequest({ images: [] }));
    await singles(original, IN_HAND);
    await treads().arrived(IN_HAND);
    const patient = await projectWithWaiting(world, 8, 'analyzing');
    await singles(original, 5);
    for (let ended = 0; ended < 60; ended += 1) {
      await singles(original, 1);
      await finishOne(ended);
    }
    expect(projectsOf(treads().messages).filter((id) => id === patient)).toHaveLength(3);
  });

  it('a project with four images gets its turn within a batch that fetchers request at once', async () => {
    await start({ fetches: 1_000 });
    const patient = newId();
    const { reportId: original } = await world.create(creationRequest({ projectId: patient, images: [] }));
    await copyReport(world, original, 40, { project_id: 'gen_random_uuid()', share_token_digest: `sha256(random()::text::bytea)` });
    // Together, so that none is handed out meanwhile. The images of the patient project are the oldest.
    await world.asOwner(
      `INSERT INTO slots (report_id, slot_id, project_id, phase, asset_id, source_kind, source_url, analysis_id, replaces_success, queued_at,
                          handover_attempts, trace)
       SELECT report_id, ($3::text[])[n], project_id, 'fetching', gen_random_uuid(), 'partner_url', 'https://images.example/1.jpg',
              gen_random_uuid(), false, $2::timestamptz - CASE WHEN report_id = $1 THEN interval '1 ms' ELSE interval '0' END, 0, '{}'
         FROM reports, generate_series(1, CASE WHEN report_id = $1 THEN 4 ELSE 1 END) n`,
      [original, world.clock.now(), creationRequest().images.map(({ slotId }) => slotId)],
    );
    const { fetchImage } = world.received;
    await fetchImage.arrived(34);
    const places = fetchImage.messages.flatMap(({ projectId }, place) => (projectId === patient ? [place] : []));
    expect(places.slice(0, 2)).toEqual([16, 33]);
  });

  it('the level of a kind is written only where it rises', async () => {
    await start({ treads: IN_HAND });
    await world.asOwner(`
      CREATE TABLE levels_written (n bigint GENERATED ALWAYS AS IDENTITY, given bigint);
      CREATE FUNCTION note_level() RETURNS trigger SECURITY DEFINER SET search_path FROM CURRENT LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO levels_written (given) VALUES (NEW.given); RETURN NULL; END $$;
      CREATE TRIGGER level_is_written AFTER INSERT OR UPDATE ON work_levels FOR EACH ROW EXECUTE FUNCTION note_level()`);
    for (let projects = 0; projects < 4; projects += 1) await projectWithWaiting(world, 12, 'analyzing');
    await treads().arrived(IN_HAND);
    for (let ended = 0; ended < 16; ended += 1) await finishOne(ended);
    const written = (await world.asOwner('SELECT given FROM levels_written ORDER BY n')).map(({ given }) => Number(given));
    expect(written.length).toBeGreaterThan(0);
    expect(written).toEqual([...new Set(written)].sort((a, b) => a - b));
  });

  it('a project has no more images with the fetchers than its share, and another project is served beside it', async () => {
    await start({ fetches: 1_000 });
    const heavy = await projectWithWaiting(world, WAITING, 'fetching');
    await world.received.fetchImage.arrived(FETCHES_PER_PROJECT);
    const { reportId } = await world.create(creationRequest());
    await world.received.fetchImage.of(reportId, 4);
    await world.create(creationRequest({ projectId: heavy }));
    const { reportId: third } = await world.create(creationRequest());
    await world.received.fetchImage.of(third, 4);
    expect(world.received.fetchImage.messages.filter(({ projectId }) => projectId === heavy)).toHaveLength(FETCHES_PER_PROJECT);
  });

  it('the images of a project with many are handed out together, and not one for each fetch that ends', async () => {
    await start({ fetches: 1_000 });
    await projectWithWaiting(world, 400, 'fetching');
    const { fetchImage } = world.received;
    await fetchImage.arrived(FETCHES_PER_PROJECT);
    await world.asOwner(`
      CREATE TABLE hand_outs (at timestamptz DEFAULT clock_timestamp());
      CREATE FUNCTION note_hand_out() RETURNS trigger SECURITY DEFINER SET search_path FROM CURRENT LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO hand_outs DEFAULT VALUES; RETURN NULL; END $$;
      CREATE TRIGGER hand_out AFTER UPDATE ON work_shares FOR EACH ROW EXECUTE FUNCTION note_hand_out()`);
    const fetches = 6 * FETCHES_PER_PROJECT;
    for (let ended = 0; ended < fetches; ended += FETCHES_PER_PROJECT) {
      const works = fetchImage.messages.slice(ended, ended + FETCHES_PER_PROJECT);
      await Promise.all(
        works.map(({ projectId, reportId, slotId }) => world.publishFetched(projectId, reportId, slotId, 'image_unreachable')),
      );
      await fetchImage.arrived(ended + 2 * FETCHES_PER_PROJECT);
    }
    const soon = await world.asOwner(
      `SELECT FROM (SELECT at - lag(at) OVER (ORDER BY at) AS gap FROM hand_outs) gaps WHERE gap < interval '90 ms'`,
    );
    // Only after a batch of 16, and after the one piece that follows it, the next one begins at once.
    expect(soon.length).toBeLessThanOrEqual(2 * Math.ceil(fetches / 17 + 1));
  });

  it('a project is served beside more projects than are looked at, which have as many with the fetchers as they may', async () => {
    await start({ fetches: 1_000 });
    // One report for each project, with 32 images at the fetchers and one that waits: together, so that none is handed out meanwhile.
    const { reportId: original } = await world.create(creationRequest({ images: [] }));
    await copyReport(world, original, 101, { project_id: 'gen_random_uuid()', share_token_digest: `sha256(('token-' || n)::bytea)` });
    await world.asOwner(
      `INSERT INTO slots (report_id, slot_id, project_id, phase, asset_id, source_kind, source_url, analysis_id, replaces_success, queued_at,
                          handover_at, handover_attempts, trace)
       SELECT report_id, 'tire.tread.' || n, project_id, 'fetching', gen_random_uuid(), 'partner_url', 'https://images.example/1.jpg',
              gen_random_uuid(), false, $2, CASE WHEN n > 0 THEN $2::timestamptz END, 0, '{}'
         FROM reports, generate_series(0, $3) n WHERE report_id <> $1`,
      [original, world.clock.now(), FETCHES_PER_PROJECT],
    );
    // It was given more than they.
    const projectId = newId();
    await world.asOwner(`INSERT INTO work_shares (project_id, work_kind, given) VALUES ($1, 'fetch', 10)`, [projectId]);
    const { reportId } = await world.create(creationRequest({ projectId }));
    await world.received.fetchImage.of(reportId, 4);
    expect(new Set(world.received.fetchImage.messages.map((message) => message.projectId))).toEqual(new Set([projectId]));
  });
});

describe('work that waits', () => {
  beforeEach(() => start({ treads: IN_HAND }));

  const waiting = async () => (await world.waiting.read()).find(({ kind }) => kind === 'tire.tread')!.count;

  async function emptyReport(): Promise<{ projectId: string; reportId: string }> {
    const projectId = newId();
    return { projectId, ...(await world.create(creationRequest({ projectId, templateKey: 'tire_4t_0s', images: [] }))) };
  }

  const register = (projectId: string, reportId: string) =>
    world.ledger.registerImages({ projectId, reportId, replace: true, images: [{ slotId: 'tire.tread.front_left', assetId: newId() }] });

  /** Fills the hands of the workers, so that what comes later waits. */
  async function busyWorkers(): Promise<void> {
    await projectWithWaiting(world, 4, 'analyzing');
    await treads().arrived(IN_HAND);
    // A message is published before the commit that notes it.
    await eventually(async () => (await world.asOwner('SELECT FROM slots WHERE handover_at IS NOT NULL')).length === IN_HAND);
  }

  it('is never begun once it is superseded', async () => {
    await busyWorkers();
    const { projectId, reportId } = await emptyReport();
    for (let count = 0; count < 25; count += 1) await register(projectId, reportId);
    expect(await waiting()).toBe(5);
    for (let ended = 0; ended < 5; ended += 1) {
      await treads().arrived(ended + 1);
      await world.publishFinished(treads().messages[ended]!, FAILED);
      treads().release();
    }
    await eventually(async () => (await waiting()) === 0);
    const newest = await world.asOwner(`SELECT analysis_id FROM slots WHERE report_id = $1`, [reportId]);
    expect(
      treads()
        .messages.filter((message) => message.reportId === reportId)
        .map(({ analysisId }) => analysisId),
    ).toEqual(newest.map(({ analysis_id }) => analysis_id));
  });

  it('is never begun once its report is discarded', async () => {
    await busyWorkers();
    const { projectId, reportId } = await emptyReport();
    await register(projectId, reportId);
    // No peer of this world removes its data: the report stays discarded and is not cleared.
    await world.ledger.discardReport({ projectId, reportId }).catch(() => undefined);
    expect(await waiting()).toBe(4);
  });

  it('is not requested again by the reconciler before it was handed out', async () => {
    await busyWorkers();
    world.clock.advanceMs(OVERDUE_MS + 1);
    expect(await world.reconciler.sweep()).toBe(IN_HAND);
    expect(await world.reconciler.sweep()).toBe(0);
  });

  it('is handed out again, and measured once, if the process dies between publishing and the commit', async () => {
    // Refuses the commit after the message was published.
    await world.asOwner(`
      CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the process died'; END $$;
      CREATE CONSTRAINT TRIGGER dies AFTER UPDATE ON slots DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        WHEN (OLD.handover_at IS NULL AND NEW.handover_at IS NOT NULL) EXECUTE FUNCTION die()`);
    const { projectId, reportId } = await emptyReport();
    await register(projectId, reportId);
    await treads().of(reportId, 1);
    const handedOut = async () =>
      (await world.asOwner(`SELECT FROM slots WHERE report_id = $1 AND handover_at IS NOT NULL`, [reportId])).length;
    expect(await handedOut()).toBe(0);
    await world.asOwner('DROP TRIGGER dies ON slots');
    await eventually(async () => (await handedOut()) === 1);
    // A later piece of work arrives after everything that was published before it.
    const later = await emptyReport();
    await register(later.projectId, later.reportId);
    await treads().of(later.reportId, 1);
    expect(treads().count(reportId)).toBe(1);
  });

  it('waits on where the broker does not answer, and is handed out once it does', async () => {
    const publish = jest.spyOn(world.queues, 'publish').mockRejectedValueOnce(new BrokerUnavailable('no answer'));
    const { projectId, reportId } = await emptyReport();
    await register(projectId, reportId);
    await treads().of(reportId, 1);
    // On a busy machine the broker may answer late once more.
    expect(publish.mock.calls.length).toBeGreaterThan(1);
  });

  it('is handed out although an older row is no work', async () => {
    const broken = await emptyReport();
    await world.asOwner(
      `INSERT INTO slots (report_id, slot_id, project_id, phase, replaces_success, queued_at, handover_attempts, trace)
       VALUES ($1, 'tire.tread.front_left', $2, 'analyzing', false, $3, 0, '{}')`,
      [broken.reportId, broken.projectId, world.clock.now()],
    );
    const { projectId, reportId } = await emptyReport();
    await register(projectId, reportId);
    await treads().of(reportId, 1);
    expect(treads().count(broken.reportId)).toBe(0);
  });

  it('is handed out once by many processes', async () => {
    const others = Array.from({ length: 4 }, () => world.anotherDispatcher());
    others.forEach((each) => each.onApplicationBootstrap());
    const projectId = await projectWithWaiting(world, 100, 'analyzing');
    for (let ended = 0; ended < 100; ended += 1) {
      await treads().arrived(ended + 1);
      await world.publishFinished(treads().messages[ended]!, FAILED);
      treads().release();
      others.forEach((each) => each.nudge(['tire.tread']));
    }
    await eventually(async () => (await waiting()) === 0);
    await Promise.all(others.map((each) => each.beforeApplicationShutdown()));
    expect(new Set(treads().messages.map(({ analysisId }) => analysisId)).size).toBe(100);
    // The share of a project counts every piece that was handed out.
    expect(await world.asOwner('SELECT given FROM work_shares WHERE project_id = $1', [projectId])).toEqual([{ given: '100' }]);
  });
});
