import type { FetchImage } from '@tire/contracts';
import { newId } from '@tire/kernel';
import { eventually, testClock } from '@tire/test-harness';
import sharp from 'sharp';
import { LOCK_KEY } from './asset.store';
import { Cleaner } from './cleaner';
import { CleaningSchedule } from './cleaning.schedule';
import { CleaningStore } from './cleaning.store';
import { reportPrefix } from './domain/object-key';
import { FetchService } from './fetch.service';
import { OBJECT_STORE, type ObjectStore } from './object-store/object-store';
import { startLedgerPeer } from './testing/ledger.fixture';
import { startImageHost, startWorld } from './testing/world';

const SLOT = 'tire.tread.front_left';
const HOUR_MS = 3_600_000;
/** Life of a target and grace. */
const OLD_MS = 26 * HOUR_MS;
const EVERY_MS = 24 * HOUR_MS;
/** Who waits for a report's lock. */
const WAITING = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe('cleaning', () => {
  const clock = testClock(new Date());
  const report = { projectId: newId(), reportId: newId() };
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let ledger: Awaited<ReturnType<typeof startLedgerPeer>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let jpeg: Buffer;

  beforeAll(async () => {
    host = await startImageHost();
    ledger = await startLedgerPeer();
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
  const store = () => world.app.get(CleaningStore, { strict: false });
  const cleaner = () => world.app.get(Cleaner, { strict: false });
  const schedule = () => world.app.get(CleaningSchedule, { strict: false });
  /** The next walk, as soon as one is due. */
  const walk = async () => {
    clock.advanceMs(EVERY_MS);
    return schedule().turn();
  };
  const register = (assetId: string) => world.assets.registerUploads({ ...report, uploads: [{ assetId, slotId: SLOT }] });
  /** As if the target had been issued now by the clock of this test. */
  const uploaded = async (): Promise<string> => {
    const assetId = newId(clock.now().getTime());
    const key = `${reportPrefix(report)}${SLOT}/${assetId}`;
    await objects().put(key, jpeg, { contentType: 'image/jpeg', cacheControl: 'max-age=60' });
    return assetId;
  };
  const registered = async (): Promise<string> => {
    const assetId = await uploaded();
    await register(assetId);
    return assetId;
  };
  const held = async (assetId: string) => ({
    rows: (await world.sql('SELECT 1 FROM assets WHERE asset_id = $1', [assetId])).length,
    objects: (await world.keys(`${reportPrefix(report)}${SLOT}/${assetId}`)).length,
  });
  const read = (assetId: string) => world.assets.signRead({ ...report, assetId });
  const NOTHING = { rows: 0, objects: 0 };
  const IMAGE = { rows: 1, objects: 1 };

  it('never meets a fetch: what no report waits for any more is not fetched when it is asked for late, and what one waits for is', async () => {
    const [forgotten, waitedFor] = [newId(clock.now().getTime()), newId(clock.now().getTime())];
    clock.advanceMs(OLD_MS);
    ledger.inUse.add(waitedFor);
    const asked = ledger.asked.length;
    for (const assetId of [forgotten, waitedFor])
      await world.fetch({ ...report, slotId: SLOT, assetId, analysisId: newId(), url: `${host.origin}/jpeg` });
    await world.answered(waitedFor);
    await eventually(() => ledger.asked.length === asked + 2);
    const young = newId(clock.now().getTime());
    await world.fetch({ ...report, slotId: SLOT, assetId: young, analysisId: newId(), url: `${host.origin}/jpeg` });
    await world.answered(young);
    expect(host.requests).toHaveLength(2);
    expect([await held(forgotten), await held(waitedFor)]).toEqual([NOTHING, IMAGE]);
    expect(ledger.asked).toHaveLength(asked + 2);
    ledger.inUse.delete(waitedFor);
  });

  it('removes what was sent to a target and never registered, once its life and the grace are over', async () => {
    const assetId = await uploaded();
    clock.advanceMs(OLD_MS - EVERY_MS);
    await walk();
    expect(await held(assetId)).toEqual({ rows: 0, objects: 1 });
    clock.advanceMs(1_000);
    await walk();
    expect(await held(assetId)).toEqual(NOTHING);
  });

  it('refuses such an upload a while before, so that no registration meets it', async () => {
    const assetId = await uploaded();
    clock.advanceMs(OLD_MS - 900_000);
    await register(assetId);
    const other = await uploaded();
    clock.advanceMs(OLD_MS - 899_000);
    await expect(register(other)).rejects.toMatchObject({ code: 'validation_error', message: expect.stringContaining('expired') });
  });

  it('keeps an image that the ledger stands on, and removes only the copy at its upload address', async () => {
    const assetId = await registered();
    ledger.inUse.add(assetId);
    expect(await held(assetId)).toEqual({ rows: 1, objects: 2 });
    for (let day = 0; day < 4; day += 1) await walk();
    expect(await held(assetId)).toEqual(IMAGE);
    await expect(read(assetId)).resolves.toBeDefined();
  });

  it('removes a replaced image after it was seen unused for the grace time, row and bytes', async () => {
    const assetId = await registered();
    ledger.inUse.add(assetId);
    await walk();
    await walk();
    ledger.inUse.delete(assetId);
    await walk();
    await walk();
    expect(await held(assetId)).toEqual(IMAGE);
    await walk();
    expect(await held(assetId)).toEqual(NOTHING);
    await expect(read(assetId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(register(assetId)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('leaves an unused image alone that is registered again, also between judging and removing', async () => {
    const assetId = await registered();
    await walk();
    await walk();
    const [marked] = (await store().recorded([assetId])).values();
    expect(marked!.unusedSince).toBeInstanceOf(Date);
    await register(assetId);
    expect(await store().removeUnused(assetId, marked!.unusedSince!)).toBe(false);
    ledger.inUse.add(assetId);
    for (let day = 0; day < 3; day += 1) await walk();
    expect(await held(assetId)).toEqual(IMAGE);
  });

  it('tells a registration that comes just after the removal to upload again', async () => {
    const assetId = await registered();
    await world.sql('BEGIN');
    await world.sql(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`, [report.reportId]);
    const refused = expect(register(assetId)).rejects.toMatchObject({ code: 'validation_error' });
    await eventually(async () => (await world.sql(WAITING)).length > 0);
    await world.sql('DELETE FROM assets WHERE asset_id = $1', [assetId]);
    await world.sql('COMMIT');
    await refused;
    expect((await held(assetId)).rows).toBe(0);
  });

  it('keeps bytes without a row while a slot waits for them, and the fetch that comes again finds its place', async () => {
    const assetId = newId(clock.now().getTime());
    const work: FetchImage = { ...report, slotId: SLOT, assetId, url: `${host.origin}/jpeg`, analysisId: newId() };
    const fetchNow = () => world.app.get(FetchService, { strict: false }).fetch(work, new AbortController().signal);
    ledger.inUse.add(assetId);
    await fetchNow();
    await world.sql('DELETE FROM assets WHERE asset_id = $1', [assetId]);
    for (let day = 0; day < 3; day += 1) await walk();
    expect(await held(assetId)).toEqual({ rows: 0, objects: 1 });
    await fetchNow();
    expect(await held(assetId)).toEqual(IMAGE);
    await world.sql('DELETE FROM assets WHERE asset_id = $1', [assetId]);
    ledger.inUse.delete(assetId);
    await walk();
    expect(await held(assetId)).toEqual(NOTHING);
  });

  describe('beside a fetch for a slot that has another image by now', () => {
    /** Fetched and kept, and not recorded before the returned function is called. */
    const fetchedUpToItsRow = async () => {
      const assetId = newId(clock.now().getTime());
      clock.advanceMs(OLD_MS + 1_000);
      ledger.inUse.add(assetId);
      await world.sql('BEGIN');
      await world.sql(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`, [report.reportId]);
      await world.fetch({ ...report, slotId: SLOT, assetId, url: `${host.origin}/jpeg`, analysisId: newId() });
      await eventually(async () => (await world.sql(WAITING)).length > 0);
      expect((await held(assetId)).objects).toBe(1);
      ledger.inUse.delete(assetId);
      return { assetId, goOn: () => world.sql('COMMIT') };
    };

    it('leaves the bytes to the row that comes, and both to later walks', async () => {
      const { assetId, goOn } = await fetchedUpToItsRow();
      const cleaned = cleaner().cleanAll(reportPrefix(report));
      await eventually(async () => (await world.sql(WAITING)).length > 1);
      await goOn();
      await cleaned;
      await world.answered(assetId);
      expect(await held(assetId)).toEqual(IMAGE);
      for (let day = 0; day < 3; day += 1) await walk();
      expect(await held(assetId)).toEqual(NOTHING);
    });

    it.each([
      ['forgets it', false, NOTHING],
      ['fetches it again where the slot came back to it', true, IMAGE],
    ])('was first: the fetch records nothing that is gone, and %s when its work comes again', async (_, isInUse, expected) => {
      const { assetId, goOn } = await fetchedUpToItsRow();
      const [key] = await world.keys(`${reportPrefix(report)}${SLOT}/${assetId}`);
      await objects().remove(key!);
      if (isInUse) ledger.inUse.add(assetId);
      const asked = ledger.asked.length;
      await goOn();
      await eventually(() => ledger.asked.length > asked);
      if (isInUse) await world.answered(assetId);
      expect(await held(assetId)).toEqual(expected);
    });
  });

  it('does not touch what it does not know', async () => {
    const keys = ['projects/notes.txt', 'other/backup'];
    for (const key of keys) await objects().put(key, jpeg, { contentType: undefined, cacheControl: undefined });
    await walk();
    for (const key of keys) expect(await objects().stat(key)).toBeDefined();
  });

  it('removes nothing while the ledger does not answer, and goes on where it stopped', async () => {
    const assetId = await uploaded();
    clock.advanceMs(OLD_MS);
    const { port } = ledger;
    await ledger.stop();
    await expect(walk()).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await held(assetId)).toEqual({ rows: 0, objects: 1 });
    ledger = await startLedgerPeer(port);
    expect(await schedule().turn()).toBe(0);
    clock.advanceMs(300_000);
    expect(await schedule().turn()).toBeGreaterThan(0);
    expect(await held(assetId)).toEqual(NOTHING);
  });

  it('walks once a period, and one process at a time', async () => {
    clock.advanceMs(EVERY_MS);
    const other = new CleaningSchedule(cleaner(), store(), clock, { everyMs: EVERY_MS, graceMs: OLD_MS });
    const seen = await Promise.all([schedule().turn(), other.turn()]);
    expect(seen.filter((count) => count > 0)).toHaveLength(1);
    expect(await schedule().turn()).toBe(0);
  });
});
