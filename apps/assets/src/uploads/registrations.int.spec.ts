import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import sharp from 'sharp';
import { ImageStorage } from '../images/image-storage';
import type { ObjectStore } from '../object-store/object-store';
import { startImageHost, startWorld } from '../testing/world';
import { OBJECT_STORE } from '../tokens';

const SLOTS = ['tire.tread.front_left', 'tire.tread.front_right', 'tire.tread.rear_left', 'tire.tread.rear_right'];
const MIB = 1024 * 1024;
/** The timeout allows for a busy machine. */
const PATIENCE_MS = 60_000;

describe('registrations', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let store: ObjectStore;
  let small: Buffer;
  let large: Buffer;

  beforeAll(async () => {
    host = await startImageHost();
    world = await startWorld(host);
    store = world.app.get<ObjectStore>(OBJECT_STORE, { strict: false });
    small = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#333' } })
      .jpeg()
      .toBuffer();
    large = Buffer.concat([small, Buffer.alloc(9 * MIB)]);
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(async () => {
    await world?.stop();
    await host?.stop();
  });

  /** Uploads to a report, one image for each slot; nothing where there is no image. */
  async function uploaded(images: readonly (Buffer | undefined)[], projectId = newId()) {
    const report = { projectId, reportId: newId() };
    const { targets } = await world.assets.issueTargets({ ...report, slotIds: SLOTS.slice(0, images.length) });
    const headers = { 'content-type': 'image/jpeg', 'cache-control': 'max-age=60' };
    for (const [index, { uploadUrl }] of targets.entries()) {
      const body = images[index];
      if (body) await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(body), headers });
    }
    return { ...report, uploads: targets.map(({ assetId, slotId }) => ({ assetId, slotId })) };
  }
  const calls = () => ({ open: jest.spyOn(store, 'open'), put: jest.spyOn(store, 'put') });
  const refused = { code: 'validation_error', param: 'asset_id' };

  it.each<[string, () => Buffer | undefined]>([
    ['nothing', () => undefined],
    ['no image', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['no bytes', () => Buffer.alloc(0)],
    ['more than 20 MB', () => Buffer.concat([small, Buffer.alloc(20 * MIB)])],
  ])('read and write no object if one upload is %s', async (_, last) => {
    const registration = await uploaded([small, small, small, last()]);
    const { open, put } = calls();
    await expect(world.assets.registerUploads(registration)).rejects.toMatchObject(refused);
    expect([open.mock.calls.length, put.mock.calls.length]).toEqual([0, 0]);
  });

  it('name every upload that is refused, in the order of the request', async () => {
    const registration = await uploaded([undefined, small, Buffer.from('<svg/>'), undefined]);
    const { projectId, reportId } = registration;
    const uploads = [2, 1, 3, 0].map((index) => registration.uploads[index]!);
    await expect(world.assets.registerUploads({ projectId, reportId, uploads })).rejects.toMatchObject({
      ...refused,
      message: 'The uploaded bytes are neither JPEG nor PNG.',
      faults: [
        { param: 'uploads[0].asset_id', message: 'The uploaded bytes are neither JPEG nor PNG.' },
        { param: 'uploads[2].asset_id', message: 'Nothing was uploaded for this asset in this report and slot.' },
        { param: 'uploads[3].asset_id', message: 'Nothing was uploaded for this asset in this report and slot.' },
      ],
    });
  });

  it('name only the slot in which an asset was not uploaded, if it stands in two', async () => {
    const { uploads, ...report } = await uploaded([small, small]);
    const [first, other] = uploads as [(typeof uploads)[number], (typeof uploads)[number]];
    const twice = [first, { ...first, slotId: other.slotId }];
    await expect(world.assets.registerUploads({ ...report, uploads: twice })).rejects.toMatchObject({
      ...refused,
      faults: [{ param: 'uploads[1].asset_id', message: 'Nothing was uploaded for this asset in this report and slot.' }],
    });
  });

  it('write no object if a fault is found in the bytes of one, and read each once', async () => {
    const registration = await uploaded([small, small, small, small.subarray(0, small.length / 2)]);
    const { open, put } = calls();
    await expect(world.assets.registerUploads(registration)).rejects.toMatchObject(refused);
    expect([open.mock.calls.length, put.mock.calls.length]).toEqual([4, 0]);
  });

  it('read each object once and write it once', async () => {
    const registration = await uploaded([small, small, small, small]);
    const { open, put } = calls();
    await world.assets.registerUploads(registration);
    expect([open.mock.calls.length, put.mock.calls.length]).toEqual([4, 4]);
  });

  /** Holds the reads of all objects of which the key has this part, until it is released. */
  function held(part: string) {
    const open = store.open.bind(store);
    const waiting: (() => void)[] = [];
    let isHeld = true;
    jest.spyOn(store, 'open').mockImplementation(async (key) => {
      if (isHeld && key.includes(part)) await new Promise<void>((go) => waiting.push(go));
      return open(key);
    });
    return {
      waiting,
      release: () => {
        isHeld = false;
        waiting.splice(0).forEach((go) => go());
      },
    };
  }

  it("another project's registration ends while the attacker's registrations still wait", async () => {
    const attacker = newId();
    const attack = await Promise.all([1, 2].map(() => uploaded([large, large, large, large], attacker)));
    const victim = await uploaded([small, small]);
    const { waiting, release } = held(attacker);
    let ended = 0;
    const attacks = attack.map((each) => world.assets.registerUploads(each, { deadlineMs: PATIENCE_MS }).finally(() => (ended += 1)));
    await eventually(() => waiting.length === 4);
    await world.assets.registerUploads(victim);
    // One of two holds the part of its project.
    expect([ended, waiting.length]).toEqual([0, 4]);
    release();
    await Promise.all(attacks);
  });

  it('of one report run one after the other, and the sixth at once is refused', async () => {
    const registration = await uploaded([small]);
    const { waiting, release } = held(registration.projectId);
    const refusals: string[] = [];
    const all = Array.from({ length: 6 }, () =>
      world.assets
        .registerUploads(registration, { deadlineMs: PATIENCE_MS })
        .catch(({ code }: { code: string }) => void refusals.push(code)),
    );
    await eventually(() => refusals.length === 1 && waiting.length === 1);
    release();
    await Promise.all(all);
    expect([refusals, waiting.length]).toEqual([['service_unavailable'], 0]);
  });

  it('keep their turn until each read has ended, also if another upload is refused before', async () => {
    const registration = await uploaded([small, small.subarray(0, small.length / 2)]);
    const { assetId } = registration.uploads[0]!;
    const other = await uploaded([small]);
    const { waiting, release } = held(assetId);
    const judged = jest.spyOn(world.app.get(ImageStorage, { strict: false }), 'inspect');
    const peek = jest.spyOn(store, 'peek');
    const refusals: string[] = [];
    const registered = () =>
      world.assets
        .registerUploads(registration, { deadlineMs: PATIENCE_MS })
        .catch(({ code }: { code: string }) => void refusals.push(code));
    const first = registered();
    await eventually(() => waiting.length === 1 && judged.mock.calls.length === 1);
    const second = registered();
    // Its answer comes after that of a refusal, and after the begin of the second.
    await world.assets.registerUploads(other);
    const peeks = () => peek.mock.calls.filter(([key]) => key.includes(registration.reportId)).length;
    expect([refusals, peeks()]).toEqual([[], 2]);
    release();
    await Promise.all([first, second]);
    expect([refusals, peeks()]).toEqual([['validation_error', 'validation_error'], 4]);
  });
});
