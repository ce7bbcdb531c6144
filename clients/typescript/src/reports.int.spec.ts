import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TireInspection } from './client.ts';
import { ConnectionError, ImageFileError, UploadError, ValidationError } from './errors.ts';
import { ALL_SLOTS, JPEG, KEY, refusal, SmallService } from './testing/small-service.ts';
import type { SlotId } from './types.ts';
import type { ImageFiles } from './uploads.ts';

const files = (ids: readonly SlotId[] = ALL_SLOTS, bytes: Uint8Array<ArrayBuffer> | string = JPEG): ImageFiles =>
  Object.fromEntries(ids.map((id) => [id, bytes]));
const TREADS = ALL_SLOTS.filter((id) => id.includes('tread'));

describe('reports', () => {
  let service: SmallService;
  let client: TireInspection;

  beforeEach(async () => {
    service = await SmallService.start();
    client = new TireInspection({ apiKey: KEY, baseUrl: service.baseUrl, retryDelayMs: 1 });
  });
  afterEach(() => service.stop());

  const only = () => {
    expect(service.reports.size).toBe(1);
    return [...service.reports.values()][0]!;
  };

  it('one call creates a report, uploads eight images and registers them', async () => {
    const created = await client.reports.createFromFiles({ plate_number: '12가 3456', files: files() });
    expect(created).toMatchObject({ share_url: 'https://share.example/r/token', skipped: [] });
    expect(created.registered?.images.map(({ status }) => status)).toEqual(ALL_SLOTS.map(() => 'accepted'));
    expect([...only().slots.keys()].sort()).toEqual([...ALL_SLOTS].sort());
    for (const bytes of service.uploaded.values()) expect(new Uint8Array(bytes)).toEqual(JPEG);
    for (const { headers } of service.sent(/^PUT /)) expect(headers['content-type']).toBe('image/jpeg');
    expect(JSON.parse(service.sent(/^POST \/reports$/)[0]!.body.toString())).toEqual({ plate_number: '12가 3456' });
  });

  it('uploads `concurrency` images at once', async () => {
    service.uploadsMeet = 3;
    await client.reports.createFromFiles({ files: files(ALL_SLOTS.slice(0, 6)) }, { concurrency: 3 });
    expect(service.uploadsAtOnceMax).toBe(3);
  });

  it('reads files by their path, as JPEG or PNG', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tire-client-'));
    try {
      writeFileSync(join(folder, 'a.jpg'), JPEG);
      writeFileSync(join(folder, 'b.png'), new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]));
      const [jpeg, png] = TREADS as [SlotId, SlotId];
      await client.reports.createFromFiles({
        template: 'tire_4t_0s',
        files: { [jpeg]: join(folder, 'a.jpg'), [png]: join(folder, 'b.png') },
      });
      const types = service.sent(/^PUT /).map(({ path, headers }) => [path.split('/')[3], headers['content-type']]);
      expect(types.sort()).toEqual([
        [jpeg, 'image/jpeg'],
        [png, 'image/png'],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['no image', new TextEncoder().encode('GIF89a, not an image'), 'neither JPEG nor PNG'],
    ['empty', new Uint8Array(), 'empty'],
    ['too large', new Uint8Array(20 * 1024 * 1024 + 1), 'more than'],
  ])('a file that is %s is refused before anything is sent', async (_, bytes, fault) => {
    const call = client.reports.createFromFiles({ files: { ...files(TREADS), 'tire.tread.rear_left': bytes } });
    await expect(call).rejects.toThrow(ImageFileError);
    await expect(call).rejects.toMatchObject({ slotId: 'tire.tread.rear_left', message: expect.stringContaining(fault) });
    expect(service.requests).toEqual([]);
  });

  it('a file that is missing is refused before anything is sent', async () => {
    const call = client.reports.createFromFiles({ files: { ...files(TREADS), 'tire.tread.rear_left': '/no/such.jpg' } });
    await expect(call).rejects.toThrow(ImageFileError);
    await expect(call).rejects.toThrow('tire.tread.rear_left: the file /no/such.jpg cannot be opened (ENOENT).');
    expect(service.requests).toEqual([]);
  });

  it('a sidewall for a template without sidewalls is refused before anything is sent', async () => {
    const call = client.reports.createFromFiles({ template: 'tire_4t_0s', files: files() });
    await expect(call).rejects.toThrow('tire_4t_0s has no sidewalls');
    expect(service.requests).toEqual([]);
  });

  it.each(['tire.tread.frontleft', 'tire.tread.front_left.jpg', 'tyre.tread.front_left', 'front_left', 'toString'])(
    'the slot %s, which does not exist, is refused before anything is sent',
    async (id) => {
      const wrong = { ...files(TREADS), [id]: JPEG };
      const fault = `"${id}" is no slot`;
      await expect(client.reports.createFromFiles({ files: wrong })).rejects.toThrow(fault);
      await expect(client.reports.replaceFiles('1', wrong)).rejects.toThrow(fault);
      for (const call of ['createUploadTargets', 'analyze'] as const)
        await expect(client.reports[call]('1', [id as SlotId])).rejects.toThrow(fault);
      expect(service.requests).toEqual([]);
    },
  );

  it('answers that are lost at each step double nothing', async () => {
    service.troubles.set(/^POST \/reports$/, ['lost', 'lost']);
    for (const slot of TREADS.slice(0, 3)) service.troubles.set(new RegExp(`^PUT .*${slot}`), ['lost']);
    service.troubles.set(/^POST .*\/images$/, ['lost']);
    await client.reports.createFromFiles({ files: files() });
    expect(only()).toMatchObject({ analyses: 8 });
    expect(service.sent(/^POST \/reports$/)).toHaveLength(3);
    expect(service.sent(/^PUT /)).toHaveLength(11);
    expect(service.sent(/\/images$/)).toHaveLength(2);
  });

  it('each creation has a key of its own, or the one of the caller', async () => {
    await client.reports.create({});
    await client.reports.create({});
    await client.reports.create({}, { idempotencyKey: 'order-4711' });
    const keys = service.sent(/^POST/).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('order-4711');
    for (const idempotencyKey of ['', '주문-1', 'x'.repeat(256)])
      await expect(client.reports.create({}, { idempotencyKey })).rejects.toThrow(TypeError);
    await expect(client.reports.create({ plate_number: '1' }, { idempotencyKey: 'order-4711' })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
  });

  it('an upload address that has expired is replaced, for its slot only', async () => {
    service.troubles.set(/^PUT .*sidewall.rear_left/, [{ status: 403 }]);
    await client.reports.createFromFiles({ files: files() });
    expect([...only().slots.keys()]).toHaveLength(8);
    const asked = service.sent(/upload-targets$/).map(({ body }) => JSON.parse(body.toString()) as unknown);
    expect(asked).toEqual([{ slots: [{ module_type: 'tire', slot: { position: 'rear_left', image_type: 'sidewall' } }] }]);
  });

  it('an upload that the storage refuses ends the call, and names the slot but not the signed address', async () => {
    service.troubles.set(/^PUT .*tread.rear_left/, [{ status: 403 }, { status: 403 }]);
    const error = await client.reports.createFromFiles({ files: files(TREADS) }).catch((thrown: unknown) => thrown as UploadError);
    expect(error).toBeInstanceOf(UploadError);
    expect(error).toMatchObject({ slotId: 'tire.tread.rear_left', status: 403, name: 'UploadError' });
    expect(service.sent(/\/images$/)).toEqual([]);
    expect(only().slots.size).toBe(0);
  });

  it('goes on with the images that a report of the same inspection misses', async () => {
    const first = await client.reports.create({ external_inspection_id: 'visit-9' });
    const left = first.upload_targets!.filter(({ slot }) => slot.image_type === 'sidewall');
    service.replies.set('POST /reports', [{ status: 201, body: { ...first, upload_targets: left } }]);
    const created = await client.reports.createFromFiles({ external_inspection_id: 'visit-9', files: files() });
    expect(created.skipped).toEqual(TREADS);
    expect(created.registered?.images).toHaveLength(4);
    service.replies.set('POST /reports', [{ status: 201, body: { ...first, upload_targets: [] } }]);
    expect(await client.reports.createFromFiles({ external_inspection_id: 'visit-9', files: files() })).toMatchObject({
      registered: null,
      skipped: ALL_SLOTS,
    });
  });

  it('the answer to an old key has targets that expired: slots with an image are left alone, the others get new ones', async () => {
    const first = await client.reports.create({}, { idempotencyKey: 'old' });
    const upload_targets = first.upload_targets!.map((target) => ({ ...target, expires_at: '2026-01-01T00:00:00.000Z' }));
    service.replies.set('POST /reports', [{ status: 201, body: { ...first, upload_targets } }]);
    for (const slot of ALL_SLOTS.filter((id) => !TREADS.includes(id)))
      service.troubles.set(new RegExp(`^PUT .*${slot}`), [{ status: 403 }]);
    const slots = upload_targets.map(({ slot }) => ({ slot, asset: slot.image_type === 'tread' ? {} : null }));
    service.answerReads = () => ({ status: 200, body: { slots } });
    const created = await client.reports.createFromFiles({ files: files() }, { idempotencyKey: 'old' });
    expect(created.skipped).toEqual(TREADS);
    expect(created.registered?.images.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'accepted'));
    expect(service.sent(/^PUT .*tread/)).toEqual([]);
  });

  it('replaces images', async () => {
    const { report_id } = await client.reports.createFromFiles({ files: files(TREADS) });
    const replaced = await client.reports.replaceFiles(report_id, files(['tire.tread.front_left']));
    expect(replaced.images).toMatchObject([{ slot_id: 'tire.tread.front_left', status: 'accepted' }]);
    expect(service.sent(/\/images\?replace=true$/)).toHaveLength(1);
  });

  it('lists page after page, and reads no page that nobody asked for', async () => {
    const page = (ids: string[], next_cursor: string | null) => ({
      status: 200,
      body: { reports: ids.map((report_id) => ({ report_id })), next_cursor },
    });
    service.replies.set('GET /reports', [page(['a', 'b'], 'second'), page(['c'], 'third'), page(['d'], null)]);
    const found: string[] = [];
    for await (const { report_id } of client.reports.list({ plate_number: '12가 3456', limit: 2 })) {
      found.push(report_id);
      if (report_id === 'c') break;
    }
    expect(found).toEqual(['a', 'b', 'c']);
    const queries = service.requests.map(({ path }) => Object.fromEntries(new URLSearchParams(path.split('?')[1])));
    expect(queries).toEqual([
      { plate_number: '12가 3456', limit: '2' },
      { plate_number: '12가 3456', limit: '2', cursor: 'second' },
    ]);
  });

  it('reads content again only if it has changed', async () => {
    service.replies.set('GET /reports/1/content', [
      { status: 200, body: { status: 'ready' }, headers: { etag: 'W/"1"' } },
      { status: 304, headers: { etag: 'W/"1"' } },
    ]);
    const first = await client.reports.contentUnless(null, '1');
    expect(first).toEqual({ content: { status: 'ready' }, etag: 'W/"1"' });
    expect(await client.reports.contentUnless(first!.etag, '1')).toBeNull();
    expect(service.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, 'W/"1"']);
  });

  it.each([
    ['analyze', () => client.reports.analyze('1'), 'POST /reports/1/analyze'],
    ['reissueShare', () => client.reports.reissueShare('1'), 'POST /reports/1/share'],
    ['issueCaptureLink', () => client.reports.issueCaptureLink('1'), 'POST /reports/1/capture-link'],
  ])('%s is repeated only where nothing was done', async (_, call, what) => {
    service.replies.set(what, [refusal(503, 'internal_error', { retryable: true }), { status: 202, body: {} }]);
    await expect(call()).rejects.toMatchObject({ code: 'internal_error' });
    service.replies.set(what, [refusal(429, 'rate_limited', { retryable: true }), { status: 202, body: {} }]);
    await expect(call()).resolves.toEqual({});
    service.troubles.set(new RegExp(what), ['lost']);
    await expect(call()).rejects.toThrow(ConnectionError);
    expect(service.requests).toHaveLength(4);
  });

  it('every other operation has its method and path', async () => {
    const calls: [string, () => Promise<unknown>][] = [
      ['GET /reports/1', () => client.reports.get('1')],
      ['GET /reports/1/content/2', () => client.reports.contentRevision('1', '2')],
      ['POST /reports/1/publish', () => client.reports.publish('1')],
      ['GET /reports/1/share', () => client.reports.share('1')],
      ['DELETE /reports/1/share', () => client.reports.revokeShare('1')],
      ['DELETE /reports/1', () => client.reports.discard('1')],
      ['GET /vehicles/car%2F12', () => client.vehicles.get('car/12')],
    ];
    for (const [what, call] of calls) {
      service.replies.set(what, [{ status: 200, body: { what } }]);
      expect(await call()).toEqual({ what });
    }
  });

  it('a refusal of a registration names every fault', async () => {
    const errors = [
      { param: 'images[0].asset_id', message: 'one' },
      { param: 'images[3].asset_id', message: 'two' },
    ];
    service.troubles.set(/\/images$/, [refusal(422, 'validation_error', { param: 'images[0].asset_id', errors })]);
    const error = await client.reports.createFromFiles({ files: files() }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ status: 422, param: 'images[0].asset_id', errors, requestId: expect.stringMatching(/^request-\d+$/) });
  });
});
