import { newId } from '@tire/kernel';
import { Database } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import sharp from 'sharp';
import { crc32, deflateSync } from 'node:zlib';
import { reportPrefix } from '../domain/object-key';
import { startImageHost, startWorld } from '../testing/world';
import { findRegistrationState, insertAssets, LOCK_KEY } from './asset.store';

const SLOT = 'tire.tread.front_left';

/** The beginning of a PNG: its header chunk with a valid checksum, and the first bytes of its data. */
function pngHeader(widthPx: number, heightPx: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(typed), 4);
    return Buffer.concat([ends.subarray(0, 4), typed, ends.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(4096))), chunk('IEND', Buffer.alloc(0))]);
}

describe('the API of assets', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let jpeg: Buffer;
  let png: Buffer;

  beforeAll(async () => {
    host = await startImageHost();
    world = await startWorld(host);
    const image = sharp({ create: { width: 120, height: 80, channels: 3, background: '#333' } });
    [jpeg, png] = [await image.clone().jpeg().toBuffer(), await image.clone().png().toBuffer()];
  });

  afterAll(async () => {
    await world?.stop();
    await host?.stop();
  });

  const read = async (projectId: string, assetId: string) => {
    const { url, contentType } = await world.assets.signRead({ projectId, assetId });
    return { contentType, bytes: Buffer.from(await (await fetch(url)).arrayBuffer()) };
  };

  describe('uploads', () => {
    const issue = async () => {
      const report = { projectId: newId(), reportId: newId() };
      const { targets } = await world.assets.issueTargets({ ...report, slotIds: [SLOT] });
      return { report, target: targets[0]! };
    };
    const put = (url: string, bytes: Buffer, cacheControl: string | undefined) =>
      fetch(url, {
        method: 'PUT',
        body: new Uint8Array(bytes),
        headers: { 'content-type': 'image/jpeg', ...(cacheControl === undefined ? {} : { 'cache-control': cacheControl }) },
      });
    const register = ({ report, target }: Awaited<ReturnType<typeof issue>>) =>
      world.assets.registerUploads({ ...report, uploads: [{ assetId: target.assetId, slotId: target.slotId }] });

    it('have a target with the required header that is valid for two hours', async () => {
      const { target } = await issue();
      expect(target.requiredHeaders).toEqual({ 'Cache-Control': 'max-age=60' });
      const remainingMs = Date.parse(target.expiresAt) - Date.now();
      expect(remainingMs).toBeGreaterThan(7_100_000);
      expect(remainingMs).toBeLessThanOrEqual(7_200_000);
    });

    it.each([
      ['max-age=60', true],
      ['max-age=0', true],
      ['max-age=59', true],
      ['no-cache, no-store', true],
      ['public, max-age=60', true],
      ['s-maxage=60', true],
      ['60', true],
      ['max-age=3600', false],
      ['public', false],
      [undefined, false],
    ])('with Cache-Control %s: the PUT succeeds, registered: %s', async (cacheControl, accepted) => {
      const issued = await issue();
      expect((await put(issued.target.uploadUrl, jpeg, cacheControl)).status).toBe(200);
      const registered = register(issued);
      if (accepted)
        await expect(registered).resolves.toEqual({
          uploads: [{ assetId: expect.any(String), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
        });
      else await expect(registered).rejects.toMatchObject({ code: 'validation_error', param: 'asset_id' });
    });

    it.each([
      ['of no image', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /neither JPEG nor PNG/],
      ['of a format by name only', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]), /cannot be read/],
      ['over 20 MB', () => Buffer.concat([jpeg, Buffer.alloc(20 * 1024 * 1024 + 1 - jpeg.length)]), /larger than 20 MB/],
      ['of 20,000 by 20,000 pixels in a few kilobytes', () => pngHeader(20_000, 20_000), /60 megapixels/],
    ])('are refused when the bytes are %s, although the PUT succeeds', async (_what, bytes, reason) => {
      const issued = await issue();
      expect((await put(issued.target.uploadUrl, bytes(), 'max-age=60')).status).toBe(200);
      await expect(register(issued)).rejects.toMatchObject({
        code: 'validation_error',
        param: 'asset_id',
        message: expect.stringMatching(reason),
      });
    });

    it('are refused when nothing was uploaded', async () => {
      await expect(register(await issue())).rejects.toMatchObject({ code: 'validation_error', param: 'asset_id' });
    });

    it('may have up to 20 MB', async () => {
      const issued = await issue();
      const whole = Buffer.concat([jpeg, Buffer.alloc(20 * 1024 * 1024 - jpeg.length)]);
      expect((await put(issued.target.uploadUrl, whole, 'max-age=60')).status).toBe(200);
      await expect(register(issued)).resolves.toMatchObject({ uploads: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }] });
    });

    it('are all recorded or none', async () => {
      const report = { projectId: newId(), reportId: newId() };
      const { targets } = await world.assets.issueTargets({ ...report, slotIds: [SLOT, 'tire.tread.front_right'] });
      const uploads = targets.map(({ assetId, slotId }) => ({ assetId, slotId }));
      await put(targets[0]!.uploadUrl, jpeg, 'max-age=60');
      await put(targets[1]!.uploadUrl, jpeg, 'max-age=3600');
      await expect(world.assets.registerUploads({ ...report, uploads })).rejects.toMatchObject({ param: 'asset_id' });
      for (const { assetId } of targets)
        await expect(world.assets.signRead({ projectId: report.projectId, assetId })).rejects.toMatchObject({ code: 'not_found' });
    });

    it("belong to the report, slot and project they were issued for, and can't be read by another project", async () => {
      const issued = await issue();
      await put(issued.target.uploadUrl, jpeg, 'max-age=60');
      const { report, target } = issued;
      const elsewhere = (change: object) =>
        world.assets.registerUploads({ ...report, ...change, uploads: [{ assetId: target.assetId, slotId: target.slotId }] });
      await expect(elsewhere({ reportId: newId() })).rejects.toMatchObject({ param: 'asset_id' });
      await expect(elsewhere({ projectId: newId() })).rejects.toMatchObject({ param: 'asset_id' });
      await register(issued);
      await expect(world.assets.signRead({ projectId: newId(), assetId: target.assetId })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('are read with their EXIF orientation and their stored size', async () => {
      const issued = await issue();
      await put(issued.target.uploadUrl, await sharp(jpeg).withMetadata({ orientation: 6 }).toBuffer(), 'max-age=60');
      await register(issued);
      const signed = await world.assets.signRead({ projectId: issued.report.projectId, assetId: issued.target.assetId });
      expect(signed).toMatchObject({ orientation: 6, widthPx: 120, heightPx: 80 });
    });

    it('may be registered again', async () => {
      const issued = await issue();
      await put(issued.target.uploadUrl, jpeg, 'max-age=60');
      await register(issued);
      await expect(register(issued)).resolves.toMatchObject({ uploads: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }] });
    });

    it('are frozen: an upload after the registration is not read', async () => {
      const issued = await issue();
      await put(issued.target.uploadUrl, jpeg, 'max-age=60');
      await register(issued);
      expect((await put(issued.target.uploadUrl, png, 'max-age=60')).status).toBe(200);
      await register(issued);
      const kept = await read(issued.report.projectId, issued.target.assetId);
      expect(kept).toEqual({ contentType: 'image/jpeg', bytes: jpeg });
    });
  });

  describe('fetches', () => {
    const work = (url: string) => ({ projectId: newId(), reportId: newId(), slotId: SLOT, assetId: newId(), url, analysisId: newId() });
    const fetched = async (url: string) => {
      const message = work(url);
      await world.fetch(message);
      const [result] = await world.results(message.assetId);
      return { message, errorCode: result!.errorCode };
    };

    it('store the original bytes whatever the content type, and publish a result for each message', async () => {
      host.answers.set('/png', () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: png }));
      const { message, errorCode } = await fetched(`${host.origin}/png`);
      expect(errorCode).toBe('');
      expect(await read(message.projectId, message.assetId)).toEqual({ contentType: 'image/png', bytes: png });
      await world.fetch(message);
      const answers = await world.results(message.assetId, 2);
      expect(answers.map((answer) => answer.errorCode)).toEqual(['', '']);
      expect(host.requests.filter((path) => path === '/png')).toHaveLength(1);
    });

    it('of one report that come together share transactions, and each has its result', async () => {
      host.answers.set('/together', () => ({ status: 200, body: jpeg }));
      const report = { projectId: newId(), reportId: newId() };
      const works = Array.from({ length: 8 }, (_, index) => ({
        ...work(`${host.origin}/${index === 7 ? 'nothing-here' : 'together'}`),
        ...report,
      }));
      await world.sql('BEGIN');
      await world.sql(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`, [report.reportId]);
      await Promise.all(works.map((each) => world.fetch(each)));
      await eventually(async () => (await world.keys(reportPrefix(report))).length === 7);
      await world.sql('COMMIT');
      for (const [index, { assetId, analysisId }] of works.entries())
        expect(await world.results(assetId)).toMatchObject([{ analysisId, errorCode: index === 7 ? 'image_unreachable' : '' }]);
      const recorded = await world.sql<{ xmin: string }>('SELECT xmin::text FROM assets WHERE report_id = $1', [report.reportId]);
      // What came while the first transaction waited for the lock. The last image may be stored, but not yet handed over, when that ends.
      expect([recorded.length, new Set(recorded.map(({ xmin }) => xmin)).size <= 3]).toEqual([7, true]);
    });

    it('of one image that come together record it once', async () => {
      host.answers.set('/twice', () => ({ status: 200, body: jpeg }));
      const { message } = await fetched(`${host.origin}/twice`);
      const database = world.app.get(Database, { strict: false });
      const [before] = (await findRegistrationState(database, message, [message.assetId])).recorded;
      const asset = { ...before!, assetId: newId(), objectKey: `${before!.objectKey}-2` };
      const group = [asset, asset, before!];
      const outcomes = await database.withProject(message.projectId, (tx) => insertAssets(tx, message, group, { displayTries: 0 }));
      expect(outcomes).toEqual(['now', 'before', 'before']);
    });

    it('send a user agent and an Accept header', async () => {
      host.answers.set('/wary', (_attempt, { 'user-agent': name, accept = '' }) =>
        name && accept.startsWith('image/jpeg, image/png') ? { status: 200, body: jpeg } : { status: 403 },
      );
      expect((await fetched(`${host.origin}/wary`)).errorCode).toBe('');
    });

    it('publish the id of the analysis that requested them', async () => {
      host.answers.set('/missing-once', (attempt) => (attempt === 1 ? { status: 404 } : { status: 200, body: jpeg }));
      const first = work(`${host.origin}/missing-once`);
      const attempts = [first, { ...first, analysisId: newId() }, { ...first, analysisId: newId() }];
      for (const [index, attempt] of attempts.entries()) {
        await world.fetch(attempt);
        await world.results(first.assetId, index + 1);
      }
      // A failed image is fetched again, a stored one is not.
      const answers = await world.results(first.assetId, 3);
      expect(answers.map(({ analysisId, errorCode }) => [analysisId, errorCode])).toEqual([
        [attempts[0]!.analysisId, 'image_unreachable'],
        [attempts[1]!.analysisId, ''],
        [attempts[2]!.analysisId, ''],
      ]);
      expect(host.requests.filter((path) => path === '/missing-once')).toHaveLength(2);
    });

    it('fail and store nothing where the id belongs to an image of another report, as imported ids can', async () => {
      host.answers.set('/taken', () => ({ status: 200, body: jpeg }));
      const { message } = await fetched(`${host.origin}/taken`);
      const repeated = [
        { ...work(message.url), assetId: message.assetId },
        { ...work(message.url), assetId: message.assetId, projectId: message.projectId },
      ];
      for (const [index, each] of repeated.entries()) {
        await world.fetch(each);
        const answers = await world.results(message.assetId, index + 2);
        expect(answers.find(({ reportId }) => reportId === each.reportId)!.errorCode).toBe('analysis_failed');
        await eventually(async () => (await world.keys(reportPrefix(each))).length === 0);
      }
      expect(await read(message.projectId, message.assetId)).toMatchObject({ bytes: jpeg });
    });

    it('cannot be registered as uploads', async () => {
      host.answers.set('/by-url', () => ({ status: 200, body: jpeg }));
      const { message } = await fetched(`${host.origin}/by-url`);
      const { projectId, reportId, assetId, slotId } = message;
      const registration = world.assets.registerUploads({ projectId, reportId, uploads: [{ assetId, slotId }] });
      await expect(registration).rejects.toMatchObject({ code: 'validation_error', param: 'asset_id' });
    });

    it('are retried after a transient failure', async () => {
      host.answers.set('/flaky', (attempt) => (attempt === 1 ? { status: 503 } : { status: 200, body: jpeg }));
      expect((await fetched(`${host.origin}/flaky`)).errorCode).toBe('');
      expect(host.requests.filter((path) => path === '/flaky')).toHaveLength(2);
    });

    it('follow three redirects and not a fourth', async () => {
      for (let hop = 0; hop < 4; hop += 1) host.answers.set(`/hop${hop}`, () => ({ status: 302, headers: { location: `/hop${hop + 1}` } }));
      host.answers.set('/hop4', () => ({ status: 200, body: jpeg }));
      expect((await fetched(`${host.origin}/hop1`)).errorCode).toBe('');
      expect((await fetched(`${host.origin}/hop0`)).errorCode).toBe('image_url_forbidden');
    });

    it.each([
      ['not there', () => ({ status: 404 }), 'image_unreachable'],
      [
        'a page',
        () => ({ status: 200, headers: { 'content-type': 'image/jpeg' }, body: Buffer.from('<html>') }),
        'image_format_unsupported',
      ],
      ['cut off', () => ({ status: 200, body: Buffer.from([0xff, 0xd8, 0xff, 0xe0]) }), 'image_undecodable'],
      ['too large', () => ({ status: 200, body: Buffer.alloc(20 * 1024 * 1024 + 1) }), 'image_too_large'],
    ])('of an image that is %s end in its public code', async (what, answer, errorCode) => {
      const path = `/${encodeURIComponent(what)}`;
      host.answers.set(path, answer);
      expect((await fetched(`${host.origin}${path}`)).errorCode).toBe(errorCode);
    });

    it.each([
      'https://127.0.0.1:PORT/',
      'https://localhost:PORT/',
      'https://2130706433:PORT/',
      'https://[::ffff:127.0.0.1]:PORT/',
      'http://127.0.0.1:PORT/',
    ])('of %s open no connection', async (address) => {
      const other = await startImageHost();
      const { errorCode } = await fetched(address.replace('PORT', new URL(other.origin).port));
      expect([errorCode, other.connections()]).toEqual(['image_url_forbidden', 0]);
      await other.stop();
    });

    it('do not bypass the guard by a redirect', async () => {
      const other = await startImageHost();
      host.answers.set('/out', () => ({ status: 302, headers: { location: `${other.origin}/secret` } }));
      const { errorCode } = await fetched(`${host.origin}/out`);
      expect([errorCode, other.connections()]).toEqual(['image_url_forbidden', 0]);
      await other.stop();
    });
  });
});
