import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { USAGE_STATEMENT } from './callback-history.store';
import { ShareController } from '../publication/share.controller';
import { type RunningShare, startOwnShare } from '../testing/service.fixture';

const DAY_MS = 86_400_000;
const DAYS = 92;
/** npm run bench:usage creates a million. Each count reads them from the index: some 0.5 µs each. */
const CALLBACKS = Number(process.env['USAGE_BENCH_REPORTS'] ?? 20_000);
const USAGE_MS_MAX = Number(process.env['CALLBACK_USAGE_BENCH_MS'] ?? Infinity);

describe('the number of callbacks', () => {
  let share: RunningShare;

  beforeAll(async () => void (share = await startOwnShare()));
  afterAll(() => share?.close());

  it(`of ${CALLBACKS} callbacks is counted by day, from an index alone`, async () => {
    const projectId = newId();
    const lastMs = Date.UTC(2026, 2, 31);
    const fromMs = lastMs - (DAYS - 1) * DAY_MS;
    // The same number each day. Two of three are delivered. Ids contain the time, and bodies have some kilobytes.
    await share.owner.query(
      `INSERT INTO callbacks (id, project_id, report_id, analysis_revision, url, body, trace_headers, state, queued_at, next_attempt_at)
       SELECT (lpad(to_hex(ms), 12, '0') || '7000' || lpad(to_hex((random() * 65535)::int), 4, '0') || lpad(to_hex(n), 12, '0'))::uuid, $1,
              gen_random_uuid(), gen_random_uuid(), 'https://partner.example/called', convert_to(repeat('x', 1500), 'UTF8'), '{}',
              CASE n % 3 WHEN 0 THEN 'abandoned' ELSE 'delivered' END, to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0)
         FROM (SELECT n, $2::bigint + n * $3::bigint / $4 AS ms FROM generate_series(0, $4 - 1) n) made`,
      [projectId, fromMs, DAYS * DAY_MS, CALLBACKS],
    );
    const firstIds = [fromMs, lastMs].map((ms) => `${ms.toString(16).padStart(12, '0')}70000000000000000000`);
    const times = [fromMs, lastMs].map((ms) => new Date(ms));
    // Postgres reads the heap for rows that a concurrent transaction might not see. The next round marks them as visible.
    await eventually(async () => {
      await share.owner.query('VACUUM ANALYZE callbacks');
      const { rows } = await share.owner.query(`EXPLAIN (FORMAT JSON) ${USAGE_STATEMENT}`, [
        ...[projectId, firstIds, ...firstIds],
        ...[times, ...times],
      ]);
      return /"Node Type":"Index Only Scan".*"Index Name":"callbacks_by_day"/.test(JSON.stringify(rows));
    });
    const shares = share.app.get(ShareController);
    const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const usage = () => shares.getCallbackUsage({ projectId, fromDay: dayOf(fromMs), toDay: dayOf(lastMs) });
    const { days } = await usage();
    expect(days.map(({ day }) => day)).toEqual(Array.from({ length: DAYS }, (_, index) => dayOf(fromMs + index * DAY_MS)));
    const sum = (of: 'queued' | 'delivered') => days.reduce((total, day) => total + day[of], 0);
    expect([sum('queued'), sum('delivered')]).toEqual([CALLBACKS, CALLBACKS - Math.ceil(CALLBACKS / 3)]);
    expect((await shares.getCallbackUsage({ projectId: newId(), fromDay: dayOf(fromMs), toDay: dayOf(lastMs) })).days).toEqual([]);
    const timings: number[] = [];
    while (timings.length < 10) {
      const startedMs = performance.now();
      await usage();
      timings.push(performance.now() - startedMs);
    }
    const fastestMs = Math.min(...timings);
    process.stdout.write(`usage of ${CALLBACKS} callbacks in ${DAYS} days: counted in ${fastestMs.toFixed(1)} ms\n`);
    expect(fastestMs).toBeLessThan(USAGE_MS_MAX);
  }, 600_000);
});
