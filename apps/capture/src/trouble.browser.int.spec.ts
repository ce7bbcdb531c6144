import { becomes, describeWithBrowser, eventually } from '@tire/test-harness';
import { slotId, type SlotId } from '@tire/kernel';
import sharp from 'sharp';
import type { CaptureServer, Kind } from './testing/capture-server.fixture';
import { AROUND, nameOf, type Phone, phones } from './testing/phone.fixture';
import { eightPhotos } from './testing/photos.fixture';

const IDS = AROUND.map(slotId);
const FIRST_ID: SlotId = IDS[0]!;
/** CAPTURE_CUT_RUNS=200: the long form of the runs with random cuts. CAPTURE_CUT_FROM=150 begins at that run. */
const [RUNS, FROM] = [Number(process.env['CAPTURE_CUT_RUNS'] ?? 3), Number(process.env['CAPTURE_CUT_FROM'] ?? 1)];

/** Numbers of a sequence that a seed fixes, so that a failed run can be repeated. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

async function giveAll(phone: Phone, photos: readonly Buffer[]): Promise<void> {
  for (const [i, slot] of AROUND.entries()) {
    await phone.heading(nameOf(slot)).waitFor();
    await phone.give(photos[i]!);
  }
  await phone.heading('Around the car').waitFor();
}

const statesOf = (phone: Phone): Promise<string[]> => Promise.all(AROUND.map((slot) => phone.stateOf(slot)));
const appliedIds = (server: CaptureServer): SlotId[] => server.report.applied.map(({ slotId: id }) => id).toSorted();

/** Each slot has one registration and the photograph that was taken for it. */
async function expectEachOnce(server: CaptureServer, photos: readonly Buffer[]): Promise<void> {
  expect(appliedIds(server)).toEqual(IDS.toSorted());
  for (const [i, id] of IDS.entries()) expect(await differenceOf(server.report.imageOf(id)!, photos[i]!)).toBeLessThan(6);
}

/** In grey levels: the same picture after another compression, or another one. */
async function differenceOf(a: Buffer, b: Buffer): Promise<number> {
  const [left, right] = await Promise.all([a, b].map((image) => sharp(image).resize(64, 64, { fit: 'fill' }).greyscale().raw().toBuffer()));
  return left!.reduce((sum, grey, i) => sum + Math.abs(grey - right![i]!), 0) / left!.length;
}

describeWithBrowser('uploads in a garage', () => {
  const { serve, phoneAt } = phones();
  let photos: Buffer[];
  beforeAll(async () => {
    photos = await eightPhotos();
  });

  it.each(Array.from({ length: RUNS }, (_, i) => i + FROM))(
    'run %i: random cuts and reloads lose no photograph and double none',
    async (seed) => {
      const random = sequence(seed);
      const server = await serve();
      const phone = await phoneAt(server, {}, 'about:blank');
      await phone.tab.clock.install();
      await phone.tab.goto(server.link);
      await phone.tap('I agree, start');
      let cutsLeft = 30;
      server.trouble = (kind: Kind) => {
        const dice = random();
        if (cutsLeft <= 0 || dice > 0.45) return undefined;
        cutsLeft--;
        if (kind === 'session') return dice < 0.2 ? 'cut' : undefined;
        return dice < 0.15 ? 'cut' : dice < 0.3 ? 'lost_answer' : dice < 0.37 ? 503 : 429;
      };
      server.cutPutAfterBytes = random() < 0.5 ? 10_000 : undefined;
      await giveAll(phone, photos);
      server.cutPutAfterBytes = undefined;
      if (random() < 0.3) server.report.expireTargets();
      for (let reloads = 0; reloads < 2; reloads++) if (random() < 0.6) await phone.tab.reload();
      await becomes(
        async () => {
          // What the page waits for between its requests need not pass in real time.
          if (server.isIdle) await phone.tab.clock.fastForward(1_000);
          return statesOf(phone);
        },
        IDS.map(() => 'good'),
      );
      await expectEachOnce(server, photos);
    },
  );

  it('a reload in the middle of an upload goes on with it', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    server.cutPutAfterBytes = 20_000;
    await phone.give(photos[0]!);
    await eventually(() => server.requests.some(({ kind }) => kind === 'put'));
    await phone.tab.reload();
    await phone.heading('Around the car').waitFor();
    await becomes(() => phone.stateOf(AROUND[0]!), expect.stringMatching(/^sending/));
    expect(await phone.checkState('sending')).toEqual([]);
    server.cutPutAfterBytes = undefined;
    await becomes(() => phone.stateOf(AROUND[0]!), 'good');
    expect(appliedIds(server)).toEqual([FIRST_ID]);
  });

  it('in airplane mode photographs are taken on, and sent when the network is back', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await phone.tab.context().setOffline(true);
    await phone.tab.getByText('No network. Go on').waitFor();
    await giveAll(phone, photos);
    expect(await phone.checkState('offline')).toEqual([]);
    expect(server.report.applied).toEqual([]);
    await phone.tab.context().setOffline(false);
    await becomes(
      () => statesOf(phone),
      IDS.map(() => 'good'),
    );
    await expectEachOnce(server, photos);
  });

  it('addresses that have expired are issued again, whatever the clock of the phone says', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tab.clock.setFixedTime(new Date('2051-01-01T00:00:00Z'));
    await phone.tap('I agree, start');
    let refused = 0;
    server.trouble = (kind) => {
      if (kind === 'put' && refused++ === 0) server.report.expireTargets();
      return undefined;
    };
    await phone.give(photos[0]!);
    await becomes(() => server.report.applied.length, 1);
    expect(server.requests.filter(({ kind }) => kind === 'upload-targets')).toHaveLength(2);
  });

  it('two tabs of a phone send each photograph once', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    const second = await phone.tab.context().newPage();
    await second.goto(server.link);
    await giveAll(phone, photos);
    await becomes(
      () => statesOf(phone),
      IDS.map(() => 'good'),
    );
    await expectEachOnce(server, photos);
    expect(server.report.puts).toHaveLength(8);
    // The second tab takes over when the first one is closed.
    await second.getByRole('button', { name: 'I agree, start' }).click();
    await second.getByText('This page is open twice.').waitFor();
    await phone.tab.close();
    await second.locator(`.spot[data-slot="${FIRST_ID}"]`).click();
    await second.locator('input[data-file="gallery"]').setInputFiles({ name: 'x', mimeType: 'image/jpeg', buffer: photos[1]! });
    await second.getByRole('button', { name: 'Use it anyway' }).click();
    await becomes(() => server.report.applied.length, 9);
    expect(server.report.applied[8]).toMatchObject({ slotId: FIRST_ID, replaced: true });
  });

  it('a tab whose link was replaced leaves the sending to one with the new link', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await phone.give(photos[0]!);
    await becomes(() => server.report.applied.length, 1);
    const newer = await phone.tab.context().newPage();
    await newer.goto(server.issueLink());
    await newer.locator(`.spot[data-slot="${IDS[1]!}"]`).click();
    await newer.locator('input[data-file="gallery"]').setInputFiles({ name: 'x', mimeType: 'image/jpeg', buffer: photos[1]! });
    await becomes(() => server.report.applied.length, 2);
    expect(server.report.applied[1]).toMatchObject({ slotId: IDS[1]! });
    await phone.heading('This link does not work').waitFor();
    // The old tab has given up the post for good.
    await newer.locator('input[data-file="gallery"]').setInputFiles({ name: 'x', mimeType: 'image/jpeg', buffer: photos[2]! });
    await becomes(() => server.report.applied.length, 3);
    await becomes(() => newer.getByText('This page is open twice.').count(), 0);
  });

  it('a photograph of another phone is not replaced unseen, and the person decides', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    server.trouble = (kind) => (kind === 'put' ? 'cut' : undefined);
    await phone.give(photos[0]!);
    await eventually(() => server.requests.some(({ kind }) => kind === 'put'));
    server.report.registerFromElsewhere(FIRST_ID);
    server.trouble = () => undefined;
    await phone.tap('Back');
    await phone.tab.getByRole('listitem').getByText('Another phone sent a photo').waitFor();
    expect(await phone.checkState('two-phones')).toEqual([]);
    expect(server.report.applied).toEqual([]);
    await phone.tap('Use mine');
    await becomes(() => phone.stateOf(AROUND[0]!), 'good');
    expect(server.report.applied).toMatchObject([{ slotId: FIRST_ID, replaced: true }]);
  });

  it('a phone without room keeps photographs in the page, and says so', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tab.addInitScript(`
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (value, key) {
        if (value instanceof ArrayBuffer) throw new DOMException('Full', 'QuotaExceededError');
        return put.call(this, value, key);
      };`);
    await phone.tab.reload();
    await phone.tap('I agree, start');
    await phone.give(photos[0]!);
    await phone.tap('Back');
    await phone.tab.getByText('The phone has no room to keep photos.').waitFor();
    expect(await phone.checkState('memory-only')).toEqual([]);
    await becomes(() => phone.stateOf(AROUND[0]!), 'good');
    expect(appliedIds(server)).toEqual([FIRST_ID]);
  });

  it('a connection to the database that the browser drops is opened again', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tab.addInitScript(`
      const { transaction } = IDBDatabase.prototype;
      IDBDatabase.prototype.transaction = function (...of) {
        if (window.drops) this.close();
        window.drops = false;
        return transaction.apply(this, of);
      };`);
    await phone.tab.reload();
    await phone.tap('I agree, start');
    await phone.give(photos[0]!);
    await phone.heading(nameOf(AROUND[1]!)).waitFor();
    await phone.tab.evaluate('window.drops = true');
    await phone.give(photos[1]!);
    await phone.tap('Back');
    await becomes(() => Promise.all(AROUND.slice(0, 2).map((slot) => phone.stateOf(slot))), ['good', 'good']);
    expect(await phone.tab.evaluate('window.drops')).toBe(false);
    expect(await phone.tab.getByText('The phone has no room').count()).toBe(0);
    expect(appliedIds(server)).toEqual(IDS.slice(0, 2).toSorted());
  });

  it('a link that ended says why and takes nothing more', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    server.trouble = (kind) => (kind === 'put' ? 'cut' : undefined);
    await phone.give(photos[0]!);
    server.report.session = { ...server.report.session, state: 'ended', ended_reason: 'expired' };
    server.trouble = () => undefined;
    await phone.heading('This link has run out.').waitFor();
    await phone.tab.getByText('1 photo could not be sent.').waitFor();
    expect(await phone.checkState('ended')).toEqual([]);
    expect(server.report.applied).toEqual([]);
    // Another link of the report brings back what this one could not send.
    server.report.session = { ...server.report.session, state: 'open', ended_reason: null };
    await phone.tab.reload();
    await becomes(() => appliedIds(server), [FIRST_ID]);
  });

  it('a report that is done takes nothing more, and the phone keeps nothing of it', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    server.trouble = (kind) => (kind === 'put' ? 'cut' : undefined);
    await phone.give(photos[0]!);
    // It is stored before the next slot is asked for.
    await phone.heading(nameOf(AROUND[1]!)).waitFor();
    server.report.session = { ...server.report.session, state: 'ended', ended_reason: 'published' };
    await phone.tab.reload();
    await phone.heading('The report is done and takes no more photos.').waitFor();
    await phone.tab.getByText('1 photo could not be sent.').waitFor();
    server.report.session = { ...server.report.session, state: 'open', ended_reason: null };
    await phone.tab.reload();
    await phone.tap('I agree, start');
    await phone.tap('Back');
    expect(await phone.stateOf(AROUND[0]!)).toBe('to do');
  });
});
