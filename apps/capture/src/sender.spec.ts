import { ALL_SLOTS, slotId } from '@tire/kernel';
import fc from 'fast-check';
import type { Photo, Target } from '../web/uploads/photo';
import { Sender, type Wire } from '../web/uploads/sender';
import { MemoryStore } from '../web/uploads/store';
import { photoOf, TARGET } from './testing/photo.fixture';
import { FATES, later, Server, type Fate } from './testing/upload-server.fixture';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The phone: its store outlives each page, and time passes when nothing else happens. */
async function sendAll(
  photos: readonly Photo[],
  fates: readonly Fate[],
  isSilent: (target: Target) => boolean = () => false,
): Promise<{ server: Server; store: MemoryStore; pages: number }> {
  const store = new MemoryStore();
  const left = [...fates];
  let [isDead, pages, nowMs] = [false, 0, 0];
  const timers = new Set<{ readonly run: () => void; readonly atMs: number }>();
  const server = new Server(
    () => left.shift() ?? 'answered',
    () => (isDead = true),
  );
  const put = (target: Target, bytes: Uint8Array) => (isSilent(target) ? Promise.resolve(later) : server.put(target, bytes));
  const open = () => {
    isDead = false;
    pages++;
    timers.clear();
    const sender = new Sender({
      ...{ reportId: 'report', store, wire: { ...server, put }, maySend: () => true, onChange: () => {}, onProgress: () => {} },
      nowMs: () => nowMs,
      random: () => 0.5,
      schedule: (run, ms) => {
        const timer = { run, atMs: nowMs + ms };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    });
    sender.kick();
    return sender;
  };
  for (const photo of photos) await store.add(photo, new Uint8Array(photo.order));
  let sender = open();
  for (let quiet = 0; quiet < 3; quiet++) {
    await settled();
    if (isDead) {
      sender.stop();
      sender = open();
      quiet = 0;
    }
    const [next] = [...timers].sort((a, b) => a.atMs - b.atMs);
    if (!next) continue;
    timers.delete(next);
    nowMs = Math.max(nowMs, next.atMs);
    next.run();
    quiet = 0;
  }
  sender.stop();
  return { server, store, pages };
}

const eightPhotos = ALL_SLOTS.map((slot, i) => photoOf({ id: `photo-${i}`, slot, slotId: slotId(slot), order: i + 1 }));

describe('the queue of uploads', () => {
  it('sends eight photographs, each once', async () => {
    const { server, store } = await sendAll(eightPhotos, []);
    expect(server.applied.toSorted()).toEqual(eightPhotos.map((photo) => photo.slotId).toSorted());
    expect((await store.list('report')).map(({ stage }) => stage.at)).toEqual(eightPhotos.map(() => 'registered'));
  });

  it('loses none and doubles none, wherever the network breaks, an address expires or the page dies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...FATES), { maxLength: 80 }), async (fates) => {
        const { server, store } = await sendAll(eightPhotos, fates);
        expect(server.applied.toSorted()).toEqual(eightPhotos.map((photo) => photo.slotId).toSorted());
        // The right bytes in the right slot.
        for (const photo of eightPhotos) {
          const assetId = server.slots.get(photo.slotId)!;
          expect([server.owners.get(assetId), server.uploads.get(assetId)]).toEqual([photo.id, photo.order]);
        }
        expect((await store.list('report')).every(({ stage }) => stage.at === 'registered')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('a page that dies after each step goes on with the next one', async () => {
    // Of one photograph: address, upload, look at the slot, registration.
    for (const fate of ['dies_before', 'dies_after'] as const)
      for (let step = 0; step < 4; step++) {
        const fates = [...Array<Fate>(step).fill('answered'), fate];
        const { server, pages } = await sendAll(eightPhotos.slice(0, 1), fates);
        expect([server.applied, pages]).toEqual([[eightPhotos[0]!.slotId], 2]);
      }
  });

  it('photographs that always fail hold up no other, even as many as are sent at once', async () => {
    const store = new MemoryStore();
    for (const photo of eightPhotos) await store.add(photo, new Uint8Array(photo.order));
    const server = new Server(
      () => 'answered',
      () => {},
    );
    const wire: Wire = { ...server, put: (target, bytes) => (bytes.length <= 2 ? Promise.resolve(later) : server.put(target, bytes)) };
    let waits = 0;
    const sender = new Sender({
      ...{ reportId: 'report', store, wire, maySend: () => true, onChange: () => {}, onProgress: () => {} },
      nowMs: () => performance.now(),
      random: () => 0,
      schedule: (run) => {
        if (waits++ < 40) setImmediate(run);
        return () => {};
      },
    });
    sender.kick();
    for (let i = 0; i < 40; i++) {
      sender.kick();
      await settled();
    }
    sender.stop();
    expect(server.applied.toSorted()).toEqual(
      eightPhotos
        .slice(2)
        .map((photo) => photo.slotId)
        .toSorted(),
    );
  });

  it('an address that always fails without an answer gets a new one', async () => {
    const { server, store } = await sendAll(eightPhotos.slice(0, 1), [], ({ asset_id }) => asset_id === 'asset-1');
    expect(server.applied).toEqual([eightPhotos[0]!.slotId]);
    expect(server.slots.get(eightPhotos[0]!.slotId)).toBe('asset-2');
    expect((await store.list('report')).map(({ stage }) => stage.at)).toEqual(['registered']);
  });

  it('a newer photograph of the slot takes the place of one that is being sent', async () => {
    const store = new MemoryStore();
    const [older, newer] = [photoOf({ id: 'older', order: 1 }), photoOf({ id: 'newer', order: 2 })];
    await store.add(older, new Uint8Array(1));
    const server = new Server(
      () => 'answered',
      () => {},
    );
    const put = { release: (): void => {} };
    const wire: Wire = {
      ...server,
      put: (target, bytes) =>
        bytes.length === 1
          ? new Promise<void>((resolve) => (put.release = resolve)).then(() => server.put(target, bytes))
          : server.put(target, bytes),
    };
    const sender = new Sender({
      ...{ reportId: 'report', store, wire, maySend: () => true, onChange: () => {}, onProgress: () => {} },
      ...{ nowMs: () => 0, random: () => 0, schedule: () => () => {} },
    });
    sender.kick();
    await settled();
    await store.add(newer, new Uint8Array(2));
    sender.kick();
    await settled();
    put.release();
    await settled();
    await settled();
    sender.stop();
    expect(server.applied).toEqual([newer.slotId]);
    expect(server.owners.get(server.slots.get(newer.slotId)!)).toBe('newer');
  });

  it('replaces what another one registered only where the person wants it', async () => {
    const photo = eightPhotos[0]!;
    for (const [mayReplace, stage, applied] of [
      [[], 'contested', 1],
      [['asset-1'], 'registered', 2],
    ] as const) {
      const { server, store } = await sendAll([photo], []);
      await store.add({ ...photo, id: 'second', order: 9, mayReplace }, new Uint8Array(9));
      const sender = new Sender({
        ...{ reportId: 'report', store, wire: server, maySend: () => true, onChange: () => {}, onProgress: () => {} },
        ...{ nowMs: () => 0, random: () => 0, schedule: () => () => {} },
      });
      sender.kick();
      await settled();
      sender.stop();
      expect((await store.list('report')).map((one) => one.stage.at)).toEqual([stage]);
      expect(server.applied).toHaveLength(applied);
    }
  });

  it.each([
    ['before a registration that is lost', 'before', 0],
    ['after one whose answer is lost', 'after', 1],
  ] as const)('what another phone registers %s is not replaced by the repetition', async (_, moment, applied) => {
    const photo = eightPhotos[0]!;
    const fates: Fate[] = ['answered', 'answered', 'answered', 'lost_answer'];
    const server: Server = new Server(
      () => fates.shift() ?? 'answered',
      () => {},
    );
    const store = new MemoryStore();
    await store.add(photo, new Uint8Array(1));
    let registrations = 0;
    const register: Wire['register'] = async (...of) => {
      const isFirst = registrations++ === 0;
      const other = () => void (isFirst && server.slots.set(photo.slotId, 'of-another-phone'));
      if (moment === 'before') other();
      const outcome = await server.register(...of);
      if (moment === 'after') other();
      return isFirst ? later : outcome;
    };
    let nowMs = 0;
    const sender = new Sender({
      ...{ reportId: 'report', store, wire: { ...server, register }, maySend: () => true, onChange: () => {}, onProgress: () => {} },
      ...{ nowMs: () => (nowMs += 60_000), random: () => 0, schedule: () => () => {} },
    });
    for (let i = 0; i < 10; i++) {
      sender.kick();
      await settled();
    }
    sender.stop();
    expect(registrations).toBeGreaterThan(1);
    expect([server.slots.get(photo.slotId), server.applied.length]).toEqual(['of-another-phone', applied]);
    expect((await store.list('report')).map(({ stage }) => stage.at)).toEqual(['contested']);
  });

  it('a registration that is refused although the slot has not changed waits before it comes again', async () => {
    const server = new Server(
      () => 'answered',
      () => {},
    );
    const store = new MemoryStore();
    await store.add(eightPhotos[0]!, new Uint8Array(1));
    let registrations = 0;
    const register: Wire['register'] = () => Promise.resolve({ type: registrations++ < 20 ? 'taken' : 'over', why: 'closed' } as const);
    const waits: number[] = [];
    const sender = new Sender({
      ...{ reportId: 'report', store, wire: { ...server, register }, maySend: () => true, onChange: () => {}, onProgress: () => {} },
      nowMs: () => 0,
      random: () => 0.5,
      schedule: (_, ms) => {
        waits.push(ms);
        return () => {};
      },
    });
    sender.kick();
    await settled();
    sender.stop();
    expect(registrations).toBe(1);
    expect(waits.at(-1)).toBeGreaterThan(0);
    expect(await store.list('report')).toMatchObject([{ stage: { at: 'registering', over: null }, failures: 1 }]);
  });

  it('a late tab that finds no bytes of a photograph leaves it registered', async () => {
    const { store, server } = await sendAll(eightPhotos.slice(0, 1), []);
    const [registered] = await store.list('report');
    const seen: Photo[] = [];
    // What this tab has read before it was suspended.
    const late: Photo = { ...registered!, stage: { at: 'addressed', target: TARGET } };
    const read = jest.spyOn(store, 'list').mockResolvedValueOnce([late]);
    const sender = new Sender({
      ...{ reportId: 'report', store, wire: server, maySend: () => true, onChange: (photo) => seen.push(photo) },
      ...{ onProgress: () => {}, nowMs: () => 0, random: () => 0, schedule: () => () => {} },
    });
    sender.kick();
    await settled();
    sender.stop();
    expect((await store.list('report')).map(({ stage }) => stage.at)).toEqual(['registered']);
    expect([seen, read.mock.calls.length > 1]).toEqual([[], true]);
  });

  it('bytes that the phone has lost are said to be lost', async () => {
    const store = new MemoryStore();
    await store.add(eightPhotos[0]!, new Uint8Array(1));
    store.bytesOf = () => Promise.resolve(null);
    const seen: string[] = [];
    const server = new Server(
      () => 'answered',
      () => {},
    );
    const sender = new Sender({
      ...{ reportId: 'report', store, wire: server, maySend: () => true, onProgress: () => {} },
      onChange: ({ stage }) => seen.push(stage.at === 'refused' ? stage.why : stage.at),
      nowMs: () => 0,
      random: () => 0,
      schedule: () => () => {},
    });
    sender.kick();
    for (let i = 0; i < 5; i++) await settled();
    sender.stop();
    expect(seen).toEqual(['addressed', 'lost']);
  });
});
