import type { UploadTarget } from '@tire/contracts/api';
import { slotId } from '@tire/kernel';
import { imageOf } from './sample-images';
import {
  freshTargets,
  idsOf,
  uploadImages,
  put,
  registration,
  reportThat,
  settled,
  sidewall,
  slotOf,
  targetOf,
  tread,
} from '../reports/reports';
import { EVERY_SLOT, TREADS, uploaded } from '../reports/reports';
import { apiOf, systemReady, UNKNOWN_ID } from '../world';

const api = apiOf('test');
const register = (report: string, images: object[], query?: string) => api.call('registerImages', { report, query, body: { images } });
const frontLeft = tread('front_left');
const treadsOnly = { template: 'tire_4t_0s' };
const newReport = (body: object = treadsOnly) => uploaded(api, body, []);

beforeAll(systemReady);

describe('upload-targets', () => {
  it('returns 201 with new targets for the listed slots only', async () => {
    const { report_id: report, targets } = await newReport();
    const answer = await api.call('createUploadTargets', { report, body: { slots: [TREADS[1], TREADS[3]] } });
    expect(answer.status).toBe(201);
    const fresh = answer.done.upload_targets;
    expect(answer.done.report_id).toBe(report);
    expect(fresh.map(({ slot }) => slotId(slot)).sort()).toEqual(idsOf([TREADS[1]!, TREADS[3]!]).sort());
    const known = new Set(targets.map(({ asset_id }) => asset_id));
    expect(fresh.filter(({ asset_id }) => known.has(asset_id))).toEqual([]);
    for (const { required_headers, expires_at } of fresh) {
      expect(required_headers).toEqual({ 'Cache-Control': 'max-age=60' });
      expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(7_100_000);
    }
    expect((await uploadImages(api, report, fresh)).status).toBe(202);
  });

  it.each([
    ['a slot that the template lacks', [frontLeft, sidewall('front_left')], 'slots[1].slot.image_type'],
    ['the same slot as the first', [sidewall('front_left')], 'slots[0].slot.image_type'],
    ['an unknown position', [{ module_type: 'tire', slot: { position: 'roof', image_type: 'tread' } }], 'slots[0].slot.position'],
    ['an unknown image type', [{ module_type: 'tire', slot: { position: 'rear_left', image_type: 'rim' } }], 'slots[0].slot.image_type'],
    ['another module', [{ ...frontLeft, module_type: 'plate' }], 'slots[0].module_type'],
    ['a slot twice', [frontLeft, frontLeft], 'slots[1].slot'],
    ['no slots', [], 'slots'],
    ['a missing list', undefined, 'slots'],
  ])('%s: 422, and issues no target', async (_, slots, param) => {
    const { report_id: report } = await newReport();
    expect((await api.call('createUploadTargets', { report, body: { slots } })).refusal).toEqual([422, 'validation_error', param]);
  });
});

describe('the Cache-Control of an upload', () => {
  let report: string;

  beforeAll(async () => {
    report = (await newReport({ template: 'tire_4t_4s' })).report_id;
  });

  const accepted = ['max-age=60', 'max-age=0', 'max-age=59', 'no-cache, no-store', 'public, max-age=60', 's-maxage=60', '60', 'No-Store'];
  it.each(accepted.map((value, index) => [value, EVERY_SLOT[index]!] as const))('%j: accepted', async (value, slot) => {
    const [target] = await freshTargets(api, report, [slot]);
    expect(await put(target!, undefined, value)).toBe(200);
    const answer = await register(report, [registration(target!)]);
    expect(answer.done.images).toEqual([{ slot_id: slotId(slot.slot), asset_id: target!.asset_id, status: 'accepted' }]);
  });

  it.each(['max-age=3600', 'max-age=61', 'public', null, 'max-age=60, s-maxage=3600', 'max-age=soon', 'immutable'])(
    '%j: the PUT succeeds, the registration fails, and a retry fails too',
    async (value) => {
      const [target] = await freshTargets(api, report, [frontLeft]);
      expect(await put(target!, undefined, value)).toBe(200);
      const tried = () => register(report, [registration(target!)], 'replace=true');
      for (const answer of [await tried(), await tried()]) {
        expect(answer.refusal).toEqual([422, 'validation_error', 'asset_id']);
        expect(answer.error.retryable).toBe(false);
      }
    },
  );
});

describe('registering', () => {
  it('returns 202 and accepted; the report shows the asset; a repetition returns unchanged and measures nothing', async () => {
    const { report_id: report, targets } = await newReport();
    const target = targetOf(targets, frontLeft);
    const first = await uploadImages(api, report, [target]);
    const image = { slot_id: 'tire.tread.front_left', asset_id: target.asset_id };
    expect([first.status, first.done]).toEqual([
      202,
      { report_id: report, analysis_status: 'processing', images: [{ ...image, status: 'accepted' }] },
    ]);
    const pending = (await register(report, [registration(target)])).done;
    expect(pending.images).toEqual([{ ...image, status: 'unchanged' }]);
    const measured = await reportThat(api, report, ({ analysis_status }) => analysis_status !== 'processing');
    expect(measured.analysis_status).toBe('awaiting_images');
    expect(slotOf(measured, frontLeft)).toMatchObject({
      status: 'success',
      asset: { asset_id: target.asset_id, source: { kind: 'atrace_upload', url: null, client_asset_id: null } },
    });
    for (const query of [undefined, 'replace=true', 'replace=false']) {
      const repeated = await register(report, [registration(target)], query);
      expect([repeated.status, repeated.done]).toEqual([
        202,
        { report_id: report, analysis_status: 'awaiting_images', images: [{ ...image, status: 'unchanged' }] },
      ]);
    }
    expect(slotOf(await api.report(report), frontLeft)).toEqual(slotOf(measured, frontLeft));
  });

  describe('refuses', () => {
    let report: string;
    let targets: UploadTarget[];
    let good: UploadTarget;

    beforeAll(async () => {
      ({ report_id: report, targets } = await newReport());
      good = targetOf(targets, frontLeft);
      await put(good);
    });

    it.each([
      ['an asset without an id', () => [{ ...frontLeft }], 'images[0].asset_id'],
      ['an invalid id', () => [{ ...frontLeft, asset_id: 'x' }], 'images[0].asset_id'],
      ['an id that was never issued', () => [{ ...frontLeft, asset_id: UNKNOWN_ID }], 'asset_id'],
      ['nothing uploaded', () => [registration(targetOf(targets, tread('rear_left')))], 'asset_id'],
      ['an upload for another slot', () => [{ ...registration(good), slot: tread('rear_right').slot }], 'asset_id'],
      ['a valid upload beside a missing one', () => [registration(good), registration(targetOf(targets, tread('rear_left')))], 'asset_id'],
      [
        'a slot that the template lacks',
        () => [registration(good), { ...registration(good), ...sidewall('front_left') }],
        'images[1].slot.image_type',
      ],
      [
        'an unknown position',
        () => [{ ...registration(good), slot: { position: 'roof', image_type: 'tread' } }],
        'images[0].slot.position',
      ],
      ['another module', () => [{ ...registration(good), module_type: 'exterior' }], 'images[0].module_type'],
      ['a slot twice', () => [registration(good), registration(good)], 'images[1].slot'],
      ['no images', () => [], 'images'],
    ] as [string, () => object[], string][])('%s: 422, and applies nothing of the request', async (_, images, param) => {
      const answer = await register(report, images());
      expect(answer.refusal).toEqual([422, 'validation_error', param]);
      expect(answer.error.retryable).toBe(false);
      expect(await api.report(report)).toMatchObject({ analysis_status: 'awaiting_images', slots: TREADS.map(() => ({ asset: null })) });
    });

    it('the request format before v1.1, slots without asset_id', async () => {
      const answer = await api.call('registerImages', { report, body: { slots: [frontLeft] } });
      expect(answer.refusal).toEqual([422, 'validation_error', 'images']);
    });

    it('a value of replace that is neither true nor false', async () => {
      expect((await register(report, [registration(good)], 'replace=yes')).refusal).toEqual([422, 'validation_error', 'replace']);
    });

    it("another report's upload", async () => {
      const other = await newReport();
      expect((await register(other.report_id, [registration(good)])).refusal).toEqual([422, 'validation_error', 'asset_id']);
    });

    it.each([
      ['text', new TextEncoder().encode('no image')],
      ['no bytes', new Uint8Array()],
      ['a GIF', new TextEncoder().encode('GIF89a\u0001\u0000\u0001\u0000')],
      ['the first bytes of a photograph', imageOf(frontLeft.slot).slice(0, 200)],
    ])('%s in place of a photograph', async (_, bytes) => {
      const [target] = await freshTargets(api, report, [frontLeft]);
      expect(await put(target!, bytes)).toBe(200);
      expect((await register(report, [registration(target!)])).refusal).toEqual([422, 'validation_error', 'asset_id']);
    });
  });
});

describe('an upload address', () => {
  it('is valid for its own object only, and does not permit reads', async () => {
    const { targets } = await newReport();
    const { upload_url } = targets[0]!;
    const bent = new URL(upload_url);
    bent.pathname = bent.pathname.replace(/[0-9a-f](?=[^0-9a-f]*$)/, (digit) => (digit === '0' ? '1' : '0'));
    const answers = await Promise.all([
      fetch(bent, { method: 'PUT', body: 'x' }),
      fetch(upload_url),
      fetch(upload_url, { method: 'DELETE' }),
    ]);
    for (const { status } of answers) expect([400, 403, 404, 405]).toContain(status);
  });
});

describe('replacing', () => {
  it('requires replace=true if the slot has a result, also during a replacement; the last image counts', async () => {
    const { report_id: report } = await uploaded(api, treadsOnly, [frontLeft]);
    const before = await reportThat(api, report, ({ analysis_status }) => analysis_status === 'awaiting_images');
    const [first, second, third] = await Promise.all([1, 2, 3].map(async () => (await freshTargets(api, report, [frontLeft]))[0]!));
    await Promise.all([put(first!), put(second!), put(third!, imageOf(tread('rear_right').slot))]);

    const refused = await register(report, [registration(first!)]);
    expect(refused.refusal.slice(0, 2)).toEqual([409, 'slot_already_succeeded']);
    expect((await register(report, [registration(first!)], 'replace=false')).status).toBe(409);
    expect(await api.report(report)).toEqual(before);

    const replaced = (await register(report, [registration(second!)], 'replace=true')).done;
    expect(replaced).toMatchObject({ analysis_status: 'processing', images: [{ asset_id: second!.asset_id, status: 'accepted' }] });
    expect((await register(report, [registration(first!)])).refusal.slice(0, 2)).toEqual([409, 'slot_already_succeeded']);
    const last = (await register(report, [registration(third!)], 'replace=true')).done;
    expect(last.images).toEqual([{ slot_id: 'tire.tread.front_left', asset_id: third!.asset_id, status: 'accepted' }]);

    const after = await reportThat(api, report, ({ analysis_status }) => analysis_status === 'awaiting_images');
    const [old, now] = [slotOf(before, frontLeft), slotOf(after, frontLeft)];
    expect(now).toMatchObject({ status: 'success', asset: { asset_id: third!.asset_id } });
    expect(now.analysis.result).not.toEqual(old.analysis.result);
  });

  it('does not require replace=true for a failed slot', async () => {
    const { report_id: report, targets } = await newReport();
    const target = targetOf(targets, frontLeft);
    await put(target, imageOf(sidewall('front_left').slot));
    await register(report, [registration(target)]);
    const failed = await reportThat(api, report, ({ analysis_status }) => analysis_status === 'failed');
    expect(slotOf(failed, frontLeft).analysis).toMatchObject({ status: 'failed', error: { code: 'tread_not_found', retryable: true } });
    const answer = await uploadImages(api, report, await freshTargets(api, report, TREADS));
    expect(answer.done.images.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
    expect(await settled(api, report)).toMatchObject({ analysis_status: 'complete', publication_status: 'published' });
  });
});
