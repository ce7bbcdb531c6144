import { eventually, testClock } from '@tire/test-harness';
import { Client } from 'pg';
import { creationRequest, startWorld, treadMeasurement, type World } from '../testing/world';

const OVERDUE_MS = 60_000;
const HOUR_MS = 3_600_000;

let world: World;

beforeAll(async () => {
  world = await startWorld({ overdueMs: OVERDUE_MS });
});

afterAll(() => world?.stop());

/** One report whose slots are with workers, and one that has ended. */
async function waitingAndEnded(): Promise<[string, string]> {
  const request = creationRequest({ templateKey: 'tire_4t_0s' });
  const handedOut = async () => {
    const { reportId } = await world.create(request);
    await world.handedOut(reportId);
    return reportId;
  };
  const [waiting, ended] = [await handedOut(), await handedOut()];
  for (const { slotId } of request.images) await world.publishFetched(request.projectId, ended, slotId, 'image_unreachable');
  await world.received.analysisEnded.of(ended, 1);
  return [waiting, ended];
}

async function attemptsOf([waiting, ended]: readonly string[]) {
  const [report] = await world.asOwner('SELECT handover_attempts AS value FROM reports WHERE report_id = $1', [ended]);
  return [await world.slotAttempts(waiting!), report!['value']];
}

const sweepWhenOverdue = async () => {
  world.clock.advanceMs(OVERDUE_MS + 1);
  return world.reconciler.sweep();
};

describe('hand-overs without an answer', () => {
  it('are sent again after the broker lost everything, at every step', async () => {
    const request = creationRequest({ templateKey: 'tire_4t_0s' });
    const { projectId } = request;
    const { reportId } = await world.create(request);
    await world.received.fetchImage.of(reportId, 4);
    await world.loseBroker();

    expect(await world.reconciler.sweep()).toBe(0);
    await sweepWhenOverdue();
    await world.received.fetchImage.of(reportId, 8);

    for (const { slotId } of request.images) await world.publishFetched(projectId, reportId, slotId);
    await world.received.analyzeTread.of(reportId, 4);
    const requestedAt = world.clock.now().toISOString();
    await world.loseBroker();
    await sweepWhenOverdue();
    const requests = await world.received.analyzeTread.of(reportId, 8);
    const work = requests.slice(4);
    expect(requests.map((request) => request.requestedAt)).toEqual([...Array(4).fill(requestedAt), ...Array(4).fill(undefined)]);

    for (const image of work) await world.publishFinished(image, { $case: 'tread', value: treadMeasurement() });
    const [ended] = await world.received.analysisEnded.of(reportId, 1);
    await world.loseBroker();
    await sweepWhenOverdue();
    const [, again] = await world.received.analysisEnded.of(reportId, 2);
    expect(again).toEqual(ended);
  });

  it('are sent again when a clock that was an hour ahead is set back', async () => {
    const request = creationRequest({ templateKey: 'tire_4t_0s' });
    const lostWhileAhead = async (handOver: () => Promise<unknown>) => {
      world.clock.advanceMs(HOUR_MS);
      await handOver();
      await world.loseBroker();
      world.clock.advanceMs(-HOUR_MS);
      await world.reconciler.sweep();
    };
    let reportId = '';
    await lostWhileAhead(async () => {
      ({ reportId } = await world.create(request));
      await world.received.fetchImage.of(reportId, 4);
    });
    await world.received.fetchImage.of(reportId, 8);

    for (const { slotId } of request.images) await world.publishFetched(request.projectId, reportId, slotId);
    const work = await world.received.analyzeTread.of(reportId, 4);
    await lostWhileAhead(async () => {
      for (const image of work) await world.publishFinished(image, { $case: 'tread', value: treadMeasurement() });
      await world.received.analysisEnded.of(reportId, 1);
    });
    await world.received.analysisEnded.of(reportId, 2);
  });

  it('are left alone by an instance whose clock is an hour behind', async () => {
    world.clock.setTo(new Date());
    const reports = await waitingAndEnded();
    const behind = testClock(new Date(Date.now() - HOUR_MS));
    const settings = { intervalMs: HOUR_MS, overdueMs: OVERDUE_MS };
    await world.anotherReconciler({ finish: async () => true }, settings, behind).sweep();
    expect(await attemptsOf(reports)).toEqual([0, 0]);
  });

  it('wait longer each time', async () => {
    const request = creationRequest({ images: creationRequest().images.slice(0, 1) });
    const { reportId } = await world.create(request);
    const attemptsAfter = async (advanceMs: number) => {
      await world.handedOut(reportId);
      world.clock.advanceMs(advanceMs);
      await world.reconciler.sweep();
      return world.slotAttempts(reportId);
    };
    expect(await attemptsAfter(OVERDUE_MS - 1)).toBe(0);
    expect(await attemptsAfter(2)).toBe(1);
    expect(await attemptsAfter(OVERDUE_MS + 1)).toBe(1);
    expect(await attemptsAfter(OVERDUE_MS)).toBe(2);
  });

  it('are sent once when several instances sweep at the same time', async () => {
    const request = creationRequest();
    const { reportId } = await world.create(request);
    await world.received.fetchImage.of(reportId, request.images.length);
    world.clock.advanceMs(OVERDUE_MS + 1);
    await Promise.all(Array.from({ length: 5 }, () => world.reconciler.sweep()));
    await world.received.fetchImage.of(reportId, request.images.length * 2);
    await world.settled();
    expect(world.received.fetchImage.count(reportId)).toBe(request.images.length * 2);
  });

  it('are left to the instance that has claimed them, without a wait', async () => {
    const reports = await waitingAndEnded();
    const elsewhere = new Client({ connectionString: world.ownerUrl });
    await elsewhere.connect();
    let sweeping: Promise<unknown> = Promise.resolve();
    try {
      await elsewhere.query(`SELECT set_config('app.scope', 'system', false)`);
      await elsewhere.query('BEGIN');
      await elsewhere.query('SELECT FROM slots WHERE report_id = $1 FOR UPDATE', [reports[0]]);
      await elsewhere.query('SELECT FROM reports WHERE report_id = $1 FOR UPDATE', [reports[1]]);
      world.clock.advanceMs(OVERDUE_MS + 1);
      let isSwept = false;
      sweeping = world.reconciler.sweep().finally(() => (isSwept = true));
      const WAITS = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%WITH late AS%'`;
      await eventually(async () => isSwept || (await world.database.systemQuery(WAITS)).length > 0);
    } finally {
      await elsewhere.query('ROLLBACK');
      await elsewhere.end();
      await sweeping;
    }
    expect(await attemptsOf(reports)).toEqual([0, 0]);
    await world.reconciler.sweep();
    expect(await attemptsOf(reports)).toEqual([1, 1]);
  });

  it('are sent again for slots while a removal waits for a service that does not answer', async () => {
    const request = creationRequest({ templateKey: 'tire_4t_0s' });
    const handedOut = async () => {
      const { reportId } = await world.create(request);
      await world.handedOut(reportId);
      return reportId;
    };
    let answer = (_done: boolean): void => undefined;
    const answered = new Promise<boolean>((resolve) => (answer = resolve));
    const finish = jest.fn(() => answered);
    const reconciler = world.anotherReconciler({ finish }, { intervalMs: 20, overdueMs: OVERDUE_MS });
    const ended = await handedOut();
    for (const { slotId } of request.images) await world.publishFetched(request.projectId, ended, slotId);
    const works = await world.received.analyzeTread.of(ended, request.images.length);
    for (const work of works) await world.publishFinished(work, { $case: 'tread', value: treadMeasurement() });
    await world.received.analysisEnded.of(ended, 1);
    world.clock.advanceMs(OVERDUE_MS + 1);
    reconciler.onApplicationBootstrap();
    try {
      await eventually(() => finish.mock.calls.length > 0);
      const waiting = await handedOut();
      world.clock.advanceMs(OVERDUE_MS + 1);
      await eventually(async () => (await world.slotAttempts(waiting)) > 0, { message: 'Slots wait for removals' });
    } finally {
      answer(true);
      await reconciler.beforeApplicationShutdown();
    }
  });

  it('end when their answer arrives', async () => {
    const request = creationRequest({ templateKey: 'tire_4t_0s', images: creationRequest().images.slice(0, 1) });
    const { projectId } = request;
    const { reportId } = await world.create(request);
    await world.publishFetched(projectId, reportId, request.images[0]!.slotId);
    const [work] = await world.received.analyzeTread.of(reportId, 1);
    await world.publishFinished(work!, { $case: 'tread', value: treadMeasurement() });
    await eventually(async () => (await world.report(projectId, reportId)).analysis_status === 'awaiting_images');
    await sweepWhenOverdue();
    await world.settled();
    expect(world.received.fetchImage.count(reportId)).toBe(1);
    expect(world.received.analyzeTread.count(reportId)).toBe(1);
  });
});
