import { newId, systemClock } from '@tire/kernel';
import { copyReport, took } from '../testing/many-reports';
import { creationRequest, refusalOf, startWorld, type World } from '../testing/world';
import { findUsage } from './usage.store';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SLOT = 'tire.tread.front_left';
/** npm run bench:usage creates a million and requires less than 50 ms. */
const REPORTS = Number(process.env['USAGE_BENCH_REPORTS'] ?? 20_000);
const USAGE_MS_MAX = Number(process.env['USAGE_BENCH_MS'] ?? Infinity);
const DAYS = 92;

describe('usage of a project', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    // At noon, so that minutes of work stay within one day.
    world.clock.setTo(new Date(new Date().setUTCHours(36, 0, 0, 0)));
  });
  afterAll(() => world?.stop());

  const day = (offset = 0) => new Date(world.clock.now().getTime() + offset * DAY_MS).toISOString().slice(0, 10);
  const usage = async (projectId: string, fromDay = day(-DAYS + 1)) =>
    (await world.ledger.getUsage({ projectId, fromDay, toDay: day() })).days;
  const stored = async (projectId: string) =>
    (
      await world.asOwner(
        `SELECT measure, sum(count) AS count FROM usage_quarters WHERE project_id = '${projectId}' GROUP BY 1 ORDER BY measure`,
      )
    ).map(({ measure, count }) => [measure, Number(count)]);
  const create = async (projectId: string) => (await world.create(creationRequest({ projectId }))).reportId;
  const failed = async (projectId: string, reportId: string) => {
    await world.publishFetched(projectId, reportId, SLOT, 'image_unreachable');
    await world.settled();
  };

  it('is not counted up to a time that only a process with a clock that is ahead has reached', async () => {
    const projectId = newId();
    const was = world.clock.now();
    const now = jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(Date.now() + DAY_MS));
    world.clock.advanceMs(DAY_MS);
    try {
      await world.usage.count();
    } finally {
      now.mockRestore();
      world.clock.setTo(was);
    }
    await create(projectId);
    world.clock.advanceMs(3 * MINUTE_MS);
    await world.usage.count();
    expect(await stored(projectId)).toContainEqual(['reports', 1]);
  });

  it('is visible at once, belongs to the day on which it happened, and counts once', async () => {
    const projectId = newId();
    const first = await create(projectId);
    await failed(projectId, first);
    const today = day();
    const once = [{ day: today, reports: 1, images: 4, failures: { image_unreachable: 1 } }];
    expect([await usage(projectId), await stored(projectId)]).toEqual([once, []]);
    world.clock.advanceMs(3 * MINUTE_MS);
    await Promise.all([world.usage.count(), world.usage.count()]);
    await world.usage.count();
    expect(await stored(projectId)).toEqual([
      ['failed:image_unreachable', 1],
      ['images', 4],
      ['reports', 1],
    ]);
    expect(await usage(projectId)).toEqual(once);
    await world.ledger.analyzeSlots({ projectId, reportId: first, slotIds: [] });
    await world.received.fetchImage.of(first, 5);
    await failed(projectId, first);
    await create(projectId);
    const twice = [{ day: today, reports: 2, images: 8, failures: { image_unreachable: 2 } }];
    expect(await usage(projectId)).toEqual(twice);
    world.clock.advanceMs(3 * DAY_MS);
    const third = await create(projectId);
    await world.usage.count();
    expect(await usage(projectId, today)).toEqual([...twice, { day: day(), reports: 1, images: 4, failures: {} }]);
    // The usage of a report remains after its discard.
    await refusalOf(world.ledger.discardReport({ projectId, reportId: third }));
    world.clock.advanceMs(3 * MINUTE_MS);
    await world.usage.count();
    expect((await usage(projectId)).map(({ reports }) => reports)).toEqual([2, 1]);
    expect(await usage(newId())).toEqual([]);
    expect((await refusalOf(world.ledger.getUsage({ projectId, fromDay: 'x', toDay: today }))).code).toBe('validation_error');
  });

  it('belongs to the day in the zone that is asked for, counted or not, beside whole days of an earlier release', async () => {
    const projectId = newId();
    const noonMs = world.clock.now().getTime();
    const today = day();
    const tomorrow = day(1);
    // 15:10 and 18:20 in UTC: the next day begins between them in Kathmandu (18:15), before both in Seoul (15:00).
    for (const [hour, minute] of [
      [15, 10],
      [18, 20],
    ] as const) {
      world.clock.setTo(new Date(new Date(noonMs).setUTCHours(hour, minute)));
      await create(projectId);
    }
    const daysIn = async (timeZone?: string) =>
      (await world.ledger.getUsage({ projectId, fromDay: day(-1), toDay: tomorrow, timeZone })).days.map((used) => [
        used.day,
        used.reports,
      ]);
    const check = async () => {
      expect(await daysIn()).toEqual([[today, 2]]);
      expect(await daysIn('Asia/Seoul')).toEqual([[tomorrow, 2]]);
      expect(await daysIn('Asia/Kathmandu')).toEqual([
        [today, 1],
        [tomorrow, 1],
      ]);
    };
    await check();
    world.clock.advanceMs(3 * MINUTE_MS);
    await world.usage.count();
    expect(await stored(projectId)).toEqual([
      ['images', 8],
      ['reports', 2],
    ]);
    await check();
    await world.asOwner(`INSERT INTO usage_days VALUES ('${projectId}', '${today}', 'reports', 5)`);
    expect(await daysIn('Asia/Seoul')).toEqual([
      [today, 5],
      [tomorrow, 2],
    ]);
    expect(await refusalOf(world.ledger.getUsage({ projectId, fromDay: today, toDay: today, timeZone: 'Mars/Base' }))).toEqual({
      code: 'validation_error',
      param: 'time_zone',
    });
    const unknown = findUsage(world.database, projectId, { fromDay: today, toDay: today, timeZone: 'Mars/Base' }, world.clock.now());
    expect(await refusalOf(unknown)).toEqual({ code: 'validation_error', param: 'time_zone' });
  });

  it('excludes imported reports', async () => {
    const projectId = newId();
    await world.asOwner(`UPDATE reports SET legacy = true WHERE report_id = '${await create(projectId)}'`);
    expect(await usage(projectId)).toEqual([]);
    world.clock.advanceMs(3 * MINUTE_MS);
    await world.usage.count();
    expect(await stored(projectId)).toEqual([]);
  });

  it(`of ${REPORTS} reports is read without counting them`, async () => {
    const projectId = newId();
    const reportId = await create(projectId);
    await copyReport(world, reportId, REPORTS, { created_at: `created_at - n * interval '${DAYS - 1} days' / ${REPORTS}` });
    // In one statement and after the inserts, because the service also counts on a timer.
    await world.asOwner(`WITH forgotten AS (DELETE FROM usage_quarters) UPDATE usage_counted SET until = until - interval '${DAYS} days'`);
    world.clock.advanceMs(3 * MINUTE_MS);
    const countedMs = await took(() => world.usage.count());
    const days = await usage(projectId);
    expect(days.reduce((sum, { reports }) => sum + reports, 0)).toBe(REPORTS + 1);
    expect(days.reduce((sum, { images }) => sum + images, 0)).toBe(4 * (REPORTS + 1));
    const readMs: number[] = [];
    while (readMs.length < 10) readMs.push(await took(() => usage(projectId)));
    const fastestMs = Math.min(...readMs);
    process.stdout.write(
      `usage of ${REPORTS} reports in ${DAYS} days: read in ${fastestMs.toFixed(1)} ms, counted in ${countedMs.toFixed(0)} ms\n`,
    );
    expect(fastestMs).toBeLessThan(USAGE_MS_MAX);
  }, 600_000);
});
