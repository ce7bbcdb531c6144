import { newId } from '@tire/kernel';
import { Database } from '@tire/platform';
import { testClock } from '@tire/test-harness';
import { Cleaner } from './cleaner';
import { CleaningSchedule } from './cleaning.schedule';
import { uploadKey } from '../domain/object-key';
import type { ObjectStore } from '../object-store/object-store';
import { startFakeLedger } from '../testing/fake-ledger.fixture';
import { startImageHost, startWorld } from '../testing/world';
import { OBJECT_STORE } from '../tokens';

/** The figure of the README is for 40,000. */
const OBJECTS = Number(process.env['CLEANING_OBJECTS'] ?? 2_500);
const OBJECTS_PER_REPORT = 8;
const WRITES_AT_ONCE = 32;
const BATCH = 1_000;
const DAY_MS = 86_400_000;

describe('a large object store', () => {
  const clock = testClock(new Date());
  const projectId = newId();
  const kept: string[] = [];
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let ledger: Awaited<ReturnType<typeof startFakeLedger>>;
  let world: Awaited<ReturnType<typeof startWorld>>;

  const objects = () => world.app.get<ObjectStore>(OBJECT_STORE, { strict: false });
  const newSchedule = () => {
    const [cleaner, database] = [world.app.get(Cleaner, { strict: false }), world.app.get(Database, { strict: false })];
    return new CleaningSchedule(cleaner, database, clock, { everyMs: DAY_MS, graceMs: DAY_MS });
  };

  beforeAll(
    async () => {
      host = await startImageHost();
      ledger = await startFakeLedger();
      world = await startWorld(host, { clock, ledgerUrl: ledger.address });
      const keys = Array.from({ length: OBJECTS / OBJECTS_PER_REPORT }, () => newId()).flatMap((reportId) =>
        Array.from({ length: OBJECTS_PER_REPORT }, () => ({ projectId, reportId, slotId: 'tire.tread.front_left', assetId: newId() })),
      );
      for (const [index, { assetId }] of keys.entries()) if (index % 2 === 0) ledger.inUse.add(assetId);
      kept.push(...keys.filter((_, index) => index % 2 === 0).map(uploadKey));
      const nothing = { contentType: undefined, cacheControl: undefined };
      while (keys.length > 0)
        await Promise.all(keys.splice(-WRITES_AT_ONCE).map((key) => objects().put(uploadKey(key), Buffer.from('x'), nothing)));
    },
    120_000 + OBJECTS * 10,
  );

  afterAll(async () => {
    await world?.stop();
    await ledger?.stop();
    await host?.stop();
  });

  it(
    'is walked in batches, and another process continues the walk of one that stops',
    async () => {
      clock.advanceMs(3 * DAY_MS);
      const startedMs = performance.now();
      const first = newSchedule();
      const stopping = first.turn();
      await first.beforeApplicationShutdown();
      const seen = [await stopping];
      expect(seen).toEqual([BATCH]);
      seen.push(await newSchedule().turn());
      const tookMs = performance.now() - startedMs;
      expect(seen[0]! + seen[1]!).toBe(Math.floor(OBJECTS / OBJECTS_PER_REPORT) * OBJECTS_PER_REPORT);
      expect(await world.keys(`projects/${projectId}/`)).toEqual(kept.toSorted());
      expect(Math.max(...ledger.requestSizes)).toBeLessThanOrEqual(BATCH);
      console.info(`${OBJECTS} objects walked and half of them removed in ${Math.round(tookMs)} ms`);
    },
    120_000 + OBJECTS * 5,
  );
});
