import type { FetchImage } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { Database } from '@tire/platform';
import { eventually, testClock } from '@tire/test-harness';
import sharp from 'sharp';
import { LOCK_KEY } from '../assets/asset.store';
import { Cleaner } from './cleaner';
import { CleaningSchedule } from './cleaning.schedule';
import { deleteUnused, findRecorded } from './cleaning.store';
import { reportPrefix } from '../domain/object-key';
import { DISPLAY_SIZES } from '../domain/display';
import { FetchService } from '../fetching/fetch.service';
import type { ObjectStore } from '../object-store/object-store';
import { startFakeLedger } from '../testing/fake-ledger.fixture';
import { startImageHost, startWorld } from '../testing/world';
import { OBJECT_STORE } from '../tokens';

const SLOT = 'tire.tread.front_left';
const HOUR_MS = 3_600_000;
/** The life of an upload target and the grace time. */
const OLD_MS = 26 * HOUR_MS;
const EVERY_MS = 24 * HOUR_MS;
/** Transactions that wait for the lock of a report. */
const WAITING = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe('cleaning', () => {
  const clock = testClock(new Date());
  const report = { projectId: newId(), reportId: newId() };
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let ledger: Awaited<ReturnType<typeof startFakeLedger>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let jpeg: Buffer;

  beforeAll(async () => {
    host = await startImageHost();
    ledger = await startFakeLedger();
    world = await startWorld(host, { clock, ledgerUrl: ledger.address });
    jpeg = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#333' } })
      .jpeg()
      .toBuffer();
    host.answers.set('/jpeg', () => ({ status: 200, body: jpeg }));
  });

  afterAll(async () => {
    await world?.stop();
    await ledger?.stop();
    await host?.stop();
  });

  const objects = () => world.app.get<ObjectStore>(OBJECT_STORE, { strict: false });
  const database = () => world.app.get(Database, { strict: false });
  const cleaner = () => world.app.get(Cleaner, { strict: false });
  const schedule = () => world.app.get(CleaningSchedule, { strict: false });
  /** The next walk, as soon as one is due. */
  const walk = async () => {
    clock.advanceMs(EVERY_MS);
    return schedule().turn();
  };
  const register = (assetId: string) => world.assets.registerUploads({ ...report, uploads: [{ assetId, slotId: SLOT }] });
  /** An upload whose target was issued now, by the clock of this test. */
  const upload = async (): Promise<string> => {
    const assetId = newId(clock.now().getTime());
    const key = `${reportPrefix(report)}${SLOT}/${assetId}`;
    await objects().put(key, jpeg, { contentType: 'image/jpeg', cacheControl: 'max-age=60' });
    return assetId;
  };
  const registerImage = async (): Promise<string> => {
    const assetId = await upload();
    await register(assetId);
    return assetId;
  };
  const stored = async (assetId: string) => ({
    rows: (await world.sql('SELECT 1 FROM assets WHERE asset_id = $1', [assetId])).length,
    objects: (await world.keys(`${reportPrefix(report)}${SLOT}/${assetId}`)).length,
  });
  const read = (assetId: string) => world.assets.signRead({ ...report, assetId });
  const NOTHING = { rows: 0, objects: 0 };
  const IMAGE = { rows: 1, objects: 1 };

  it('does not overlap a late fetch: an image is fetched only while a report waits for it', async () => {
    const [abandoned, awaited] = [newId(clock.now().getTime()), newId(clock.now().getTime())];
    clock.advanceMs(OLD_MS);
    ledger.inUse.add(awaited);
    const before = ledger.requestSizes.length;
    for (const assetId of [abandoned, awaited])
      await world.fetch({ ...report, slotId: SLOT, assetId, analysisId: newId(), url: `${host.origin}/jpeg` });
    await world.results(awaited);
    await eventually(() => ledger.requestSizes.length === before + 2);
    const young = newId(clock.now().getTime());
    await world.fetch({ ...report, slotId: SLOT, assetId: young, analysisId: newId(), url: `${host.origin}/jpeg` });
    await world.results(young);
    expect(host.requests).toHaveLength(2);
    expect([await stored(abandoned), await stored(awaited)]).toEqual([NOTHING, IMAGE]);
    expect(ledger.requestSizes).toHaveLength(before + 2);
    ledger.inUse.delete(awaited);
  });

  it('removes an upload that was never registered after the life of its target and the grace time', async () => {
    const assetId = await upload();
    clock.advanceMs(OLD_MS - EVERY_MS);
    await walk();
    expect(await stored(assetId)).toEqual({ rows: 0, objects: 1 });
    clock.advanceMs(1_000);
    await walk();
    expect(await stored(assetId)).toEqual(NOTHING);
  });

  it('does not overlap a registration: such an upload is refused some time before its removal', async () => {
    const assetId = await upload();
    clock.advanceMs(OLD_MS - 900_000);
    await register(assetId);
    const other = await upload();
    clock.advanceMs(OLD_MS - 899_000);
    await expect(register(other)).rejects.toMatchObject({ code: 'validation_error', message: expect.stringContaining('expired') });
  });

  it('keeps an image that is in use and removes only the copy at its upload key', async () => {
    const assetId = await registerImage();
    ledger.inUse.add(assetId);
    expect(await stored(assetId)).toEqual({ rows: 1, objects: 2 });
    for (let day = 0; day < 4; day += 1) await walk();
    expect(await stored(assetId)).toEqual(IMAGE);
    await expect(read(assetId)).resolves.toBeDefined();
  });

  it('removes row, bytes and derivatives of a replaced image that was unused for the grace time', async () => {
    const assetId = await registerImage();
    await world.assets.signDisplay({ ...report, assetId });
    ledger.inUse.add(assetId);
    await walk();
    await walk();
    ledger.inUse.delete(assetId);
    await walk();
    await walk();
    expect(await stored(assetId)).toEqual(IMAGE);
    expect(await world.keys('display/')).toHaveLength(DISPLAY_SIZES.length);
    await walk();
    expect(await stored(assetId)).toEqual(NOTHING);
    expect(await world.keys('display/')).toEqual([]);
    await expect(read(assetId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(register(assetId)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('keeps an unused image that is registered again, also between judgment and removal', async () => {
    const assetId = await registerImage();
    await walk();
    await walk();
    const [marked] = (await findRecorded(database(), [assetId])).values();
    expect(marked!.unusedSince).toBeInstanceOf(Date);
    await register(assetId);
    expect(await database().asSystem((tx) => deleteUnused(tx, assetId, marked!.unusedSince!))).toBe(false);
    ledger.inUse.add(assetId);
    for (let day = 0; day < 3; day += 1) await walk();
    expect(await stored(assetId)).toEqual(IMAGE);
  });

  it('refuses a registration just after the removal', async () => {
    const assetId = await registerImage();
    await world.sql('BEGIN');
    await world.sql(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`, [report.reportId]);
    const refused = expect(register(assetId)).rejects.toMatchObject({ code: 'validation_error' });
    await eventually(async () => (await world.sql(WAITING)).length > 0);
    await world.sql('DELETE FROM assets WHERE asset_id = $1', [assetId]);
    await world.sql('COMMIT');
    await refused;
    expect((await stored(assetId)).rows).toBe(0);
  });

  it('keeps bytes without a row while a slot waits for them, and a repeated fetch records them', async () => {
    const assetId = newId(clock.now().getTime());
    const work: FetchImage = { ...report, slotId: SLOT, assetId, url: `${host.origin}/jpeg`, analysisId: newId() };
    const fetchNow = () => world.app.get(FetchService, { strict: false }).fetch(work, new AbortController().signal);
    ledger.inUse.add(assetId);
    await fetchNow();
    await world.sql('DELETE FROM assets WHERE asset_id = $1', [assetId]);
    for (let day = 0; day < 3; day += 1) await walk();
    expect(await stored(assetId)).toEqual({ rows: 0, objects: 1 });
    await fetchNow();
    expect(await stored(assetId)).toEqual(IMAGE);
    await world.sql('DELETE FROM assets WHERE asset_id = $1', [assetId]);
    ledger.inUse.delete(assetId);
    await walk();
    expect(await stored(assetId)).toEqual(NOTHING);
  });

  describe('during a fetch for a slot that has another image by now', () => {
    /** Fetches and stores an image; its row is inserted when `release` is called. */
    const fetchUpToItsRow = async () => {
      const assetId = newId(clock.now().getTime());
      clock.advanceMs(OLD_MS + 1_000);
      ledger.inUse.add(assetId);
      await world.sql('BEGIN');
      await world.sql(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`, [report.reportId]);
      await world.fetch({ ...report, slotId: SLOT, assetId, url: `${host.origin}/jpeg`, analysisId: newId() });
      await eventually(async () => (await world.sql(WAITING)).length > 0);
      expect((await stored(assetId)).objects).toBe(1);
      ledger.inUse.delete(assetId);
      return { assetId, release: () => world.sql('COMMIT') };
    };

    it('waits for the row, and later walks remove row and bytes', async () => {
      const { assetId, release } = await fetchUpToItsRow();
      const cleaned = cleaner().cleanAll(reportPrefix(report));
      await eventually(async () => (await world.sql(WAITING)).length > 1);
      await release();
      await cleaned;
      await world.results(assetId);
      expect(await stored(assetId)).toEqual(IMAGE);
      for (let day = 0; day < 3; day += 1) await walk();
      expect(await stored(assetId)).toEqual(NOTHING);
    });

    it.each([
      ['abandoned', false, NOTHING],
      ['fetched again if the slot refers to it again', true, IMAGE],
    ])(
      'that was faster than the row, the image is not recorded, and when the message is delivered again it is %s',
      async (_, isInUse, expected) => {
        const { assetId, release } = await fetchUpToItsRow();
        const [key] = await world.keys(`${reportPrefix(report)}${SLOT}/${assetId}`);
        await objects().remove(key!);
        if (isInUse) ledger.inUse.add(assetId);
        const before = ledger.requestSizes.length;
        await release();
        await eventually(() => ledger.requestSizes.length > before);
        if (isInUse) await world.results(assetId);
        expect(await stored(assetId)).toEqual(expected);
      },
    );
  });

  it('does not touch foreign keys', async () => {
    const keys = ['projects/notes.txt', 'other/backup'];
    for (const key of keys) await objects().put(key, jpeg, { contentType: undefined, cacheControl: undefined });
    await walk();
    for (const key of keys) expect(await objects().stat(key)).toBeDefined();
  });

  it('removes nothing while the ledger is unavailable and continues where it stopped', async () => {
    const assetId = await upload();
    clock.advanceMs(OLD_MS);
    const { port } = ledger;
    await ledger.stop();
    await expect(walk()).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await stored(assetId)).toEqual({ rows: 0, objects: 1 });
    ledger = await startFakeLedger(port);
    expect(await schedule().turn()).toBe(0);
    clock.advanceMs(300_000);
    expect(await schedule().turn()).toBeGreaterThan(0);
    expect(await stored(assetId)).toEqual(NOTHING);
  });

  it('walks once a period and in one process at a time', async () => {
    clock.advanceMs(EVERY_MS);
    const other = new CleaningSchedule(cleaner(), database(), clock, { everyMs: EVERY_MS, graceMs: OLD_MS });
    const seen = await Promise.all([schedule().turn(), other.turn()]);
    expect(seen.filter((count) => count > 0)).toHaveLength(1);
    expect(await schedule().turn()).toBe(0);
  });
});
