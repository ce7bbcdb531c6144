import { randomUUID } from 'node:crypto';
import { POSITIONS } from '@tire/kernel';
import { ImageHost } from '../images/image-host';
import { byAddress, EVERY_SLOT, idsOf, SIDEWALLS, slotOf, tread, TREADS, uploaded, type Listed } from './reports';
import { stackUnderTest } from '../stack-under-test';
import { apiOf, systemReady } from '../world';

const UPLOAD_LIFETIME_MS = 7_200_000;
const api = apiOf('test');
const profile = { key: 'tire-standard', version: '1.0', locale: 'ko-KR' };
const rule = (image_type: string, minimum_success_count: number) => ({
  module_type: 'tire',
  image_type,
  allowed_positions: expect.arrayContaining([...POSITIONS]) as unknown,
  minimum_success_count,
});

beforeAll(systemReady);

describe.each([
  ['tire_4t_2s', EVERY_SLOT, [rule('tread', 4), rule('sidewall', 2)]],
  ['tire_4t_4s', EVERY_SLOT, [rule('tread', 4), rule('sidewall', 4)]],
  ['tire_4t_0s', TREADS, [rule('tread', 4)]],
] as [string, Listed[], object[]][])('template %s', (template, slots, requirements) => {
  it('returns an upload target for each slot, and a report that waits for images', async () => {
    const beforeMs = Date.now();
    const answer = await api.create({ template });
    expect(answer.status).toBe(201);
    const { report_id, status, share_url, upload_targets: targets = [] } = answer.done;
    expect(status).toBe('awaiting_images');
    expect(targets.map(({ module_type, slot }) => ({ module_type, slot }))).toEqual(expect.arrayContaining(slots));
    expect(targets).toHaveLength(slots.length);
    expect(new Set(targets.map(({ asset_id }) => asset_id)).size).toBe(slots.length);
    for (const { required_headers, expires_at } of targets) {
      expect(required_headers).toEqual({ 'Cache-Control': 'max-age=60' });
      expect(Math.abs(Date.parse(expires_at) - beforeMs - UPLOAD_LIFETIME_MS)).toBeLessThan(100_000);
    }
    const report = await api.report(report_id);
    expect(report.template).toEqual({ key: template, version: '1.0', requirements: expect.arrayContaining(requirements) as unknown });
    expect(report.template.requirements).toHaveLength(requirements.length);
    expect(report.slots.map(({ slot_id }) => slot_id).sort()).toEqual(idsOf(slots).sort());
    expect(report).toMatchObject({
      schema_version: 'report.v1',
      report_id,
      analysis_status: 'awaiting_images',
      publication_status: 'unpublished',
      summary_status: 'pending',
      analysis_revision: null,
      creation: { source_channel: 'partner_api', mode: 'automatic' },
      links: { share: share_url, self: `${stackUnderTest().base_url}/reports/${report_id}` },
      timestamps: { analysis_completed_at: null, published_at: null },
    });
    for (const { asset, status: slotStatus } of report.slots) expect([asset, slotStatus]).toEqual([null, 'pending']);
  });
});

describe('the echoed fields', () => {
  it.each([
    ['nothing', {}],
    ['null for all optional fields', { plate_number: null, metadata: null, template: null, images: null, content_profile: null }],
  ])('%s: the response has null, {} and the default template', async (_, body) => {
    expect(await api.report((await api.create(body)).done.report_id)).toMatchObject({
      vehicle: { plate_number: null },
      client_context: { external_inspection_id: null, external_vehicle_id: null, metadata: {} },
      template: { key: 'tire_4t_2s' },
    });
  });

  it('are returned unchanged', async () => {
    const text = '한국 e\u0301 \u{1f697}';
    const metadata = { 'shop id': text, nested: { list: [1, -0.5, 1e21, true, null, '', [], {}] }, '': 'empty', __proto: 1 };
    const external = { external_inspection_id: randomUUID(), external_vehicle_id: `${text}#?/` };
    const { report_id } = (await api.create({ plate_number: '12가 3456', metadata, content_profile: profile, unknown: 1, ...external }))
      .done;
    const report = await api.report(report_id);
    expect(report).toMatchObject({ vehicle: { plate_number: '12가 3456' }, client_context: external });
    expect(report.client_context.metadata).toEqual(metadata);
    expect((await api.call('getContent', { report: report_id })).done.content_profile).toEqual(profile);
  });

  it('have the profile in English where it is requested', async () => {
    const { report_id } = (await api.create({ content_profile: { locale: 'en-US' } })).done;
    const content = (await api.call('getContent', { report: report_id })).done;
    expect(content.content_profile).toEqual({ ...profile, locale: 'en-US' });
    expect(content.generator.copy_version).toBe('2.0');
  });

  it.each([
    ['plate_number', (length: number) => ({ plate_number: '\u{1f697}'.repeat(length) }), 32],
    ['external_inspection_id', (length: number) => ({ external_inspection_id: randomUUID().padEnd(length, 'x') }), 128],
    ['external_vehicle_id', (length: number) => ({ external_vehicle_id: '가'.repeat(length) }), 128],
    ['callback_url', (length: number) => ({ callback_url: 'https://partner.example/'.padEnd(length, 'x') }), 2_048],
    ['metadata', (length: number) => ({ metadata: { a: 'x'.repeat(length - '{"a":""}'.length) } }), 16 * 1024],
  ])('%s is limited to its maximum length', async (param, body, length) => {
    expect((await api.create(body(length))).status).toBe(201);
    expect((await api.create(body(length + 1))).refusal).toEqual([422, 'validation_error', param]);
  });
});

describe('customer URL mode', () => {
  let host: ImageHost;

  beforeAll(async () => {
    host = await ImageHost.open();
  });
  afterAll(() => host.close());

  it('returns 202, processing and no targets; the submitted address and asset id are unchanged', async () => {
    const release = host.hold('/photo%7E/../%ea%b0%80?b=2&a=%3D&&');
    const url = `${host.origin.replace('https', 'HTTPS')}/photo%7E/../%ea%b0%80?b=2&a=%3D&&#part`;
    const images = [
      { ...tread('front_left'), source: { url, client_asset_id: 'asset/가' } },
      { ...tread('rear_right'), source: { url } },
    ];
    try {
      const answer = await api.create({ template: 'tire_4t_0s', images });
      expect(answer.status).toBe(202);
      expect(Object.keys(answer.done).sort()).toEqual(['report_id', 'share_url', 'status']);
      expect(answer.done.status).toBe('processing');
      const report = await api.report(answer.done.report_id);
      expect(slotOf(report, tread('front_left')).asset?.source).toEqual({ kind: 'partner_url', url, client_asset_id: 'asset/가' });
      expect(slotOf(report, tread('rear_right')).asset?.source).toEqual({ kind: 'partner_url', url, client_asset_id: null });
      expect(slotOf(report, tread('rear_left')).asset).toBeNull();
    } finally {
      release();
    }
  });
});

const image = (slot: object, source: object = { url: 'https://partner.example/a.jpg' }) => ({ module_type: 'tire', ...slot, source });
const withSource = (source: object) => ({ images: [image(TREADS[0]!), image(TREADS[1]!, source)] });
const deep = (levels: number): object => (levels === 1 ? {} : { a: deep(levels - 1) });

describe('refused requests and the parameter of the error', () => {
  it.each([
    ['an unknown template', { template: 'tire_9t' }, 'template'],
    ['a template of another type', { template: ['tire_4t_0s'] }, 'template'],
    ['a sidewall that the template lacks', { template: 'tire_4t_0s', images: [image(SIDEWALLS[0]!)] }, 'images[0].slot.image_type'],
    [
      'the same sidewall as the second image',
      { template: 'tire_4t_0s', images: [image(TREADS[0]!), image(SIDEWALLS[0]!)] },
      'images[1].slot.image_type',
    ],
    ['an unknown position', { images: [image({ slot: { position: 'roof', image_type: 'tread' } })] }, 'images[0].slot.position'],
    ['an unknown image type', { images: [image({ slot: { position: 'rear_left', image_type: 'rim' } })] }, 'images[0].slot.image_type'],
    ['a planned module type', { images: [{ ...image(TREADS[0]!), module_type: 'dashboard' }] }, 'images[0].module_type'],
    ['no module type', { images: [{ ...image(TREADS[0]!), module_type: undefined }] }, 'images[0].module_type'],
    ['no slot', { images: [image({})] }, 'images[0].slot'],
    ['no source', { images: [TREADS[0]] }, 'images[0].source'],
    ['no address', withSource({}), 'images[1].source.url'],
    ['a slot twice', { images: [image(TREADS[0]!), image(TREADS[1]!), image(TREADS[0]!)] }, 'images[2].slot'],
    ['an empty list of images', { images: [] }, 'images'],
    ['images that are not a list', { images: { 0: image(TREADS[0]!) } }, 'images'],
    ['an image that is not an object', { images: ['https://partner.example/a.jpg'] }, 'images[0]'],
    ['an invalid address', withSource({ url: 'a.jpg' }), 'images[1].source.url'],
    ['an HTTP address', withSource({ url: 'http://partner.example/a.jpg' }), 'images[1].source.url'],
    ['an address with a user', withSource({ url: 'https://user@partner.example/a.jpg' }), 'images[1].source.url'],
    ['an address with a password', withSource({ url: 'https://user:secret@partner.example/a.jpg' }), 'images[1].source.url'],
    ['an address without a host', withSource({ url: 'https:///a.jpg' }), 'images[1].source.url'],
    ['an address of another scheme', withSource({ url: 'file:///etc/passwd' }), 'images[1].source.url'],
    ['an address that is too long', withSource({ url: 'https://a.example/'.padEnd(2_049, 'a') }), 'images[1].source.url'],
    [
      'an asset id that is too long',
      withSource({ url: 'https://a.example/', client_asset_id: 'a'.repeat(129) }),
      'images[1].source.client_asset_id',
    ],
    ['a plate that is a number', { plate_number: 1234 }, 'plate_number'],
    ['an inspection that is an object', { external_inspection_id: {} }, 'external_inspection_id'],
    ['a vehicle that is a list', { external_vehicle_id: ['a'] }, 'external_vehicle_id'],
    ['a callback to no address', { callback_url: 'partner' }, 'callback_url'],
    ['a callback with a password', { callback_url: 'https://user:secret@partner.example/' }, 'callback_url'],
    ['a callback of another scheme', { callback_url: 'ftp://partner.example/' }, 'callback_url'],
    ['metadata that is a list', { metadata: [] }, 'metadata'],
    ['metadata that is text', { metadata: '{}' }, 'metadata'],
    ['metadata that is too deep', { metadata: deep(1_000) }, 'metadata'],
    ['metadata that is too large', { metadata: { a: '가'.repeat(6_000) } }, 'metadata'],
    ['a profile that is text', { content_profile: 'tire-standard' }, 'content_profile'],
    ['a body that is a list', [], null],
    ['a body that is null', null, null],
  ] as [string, object, string | null][])('%s', async (_, body, param) => {
    const answer = await api.create(body);
    expect(answer.refusal).toEqual([422, 'validation_error', param]);
    expect(answer.error).toMatchObject({ type: 'invalid_request_error', retryable: false });
  });

  it.each([{ key: 'tire-other' }, { version: '2.0' }, { version: '1' }, { locale: 'en' }, { locale: 'fr-FR' }])(
    'the profile %j',
    async (unsupported) => {
      const [status, code, param] = (await api.create({ content_profile: { ...profile, ...unsupported } })).refusal;
      expect([status, code]).toEqual([422, 'validation_error']);
      expect(param).toMatch(/^content_profile\b/);
    },
  );

  it('a refused request stores nothing', async () => {
    const external_inspection_id = randomUUID();
    const key = { 'idempotency-key': randomUUID() };
    const refused = { external_inspection_id, template: 'tire_4t_0s', images: [image(TREADS[0]!), image(SIDEWALLS[0]!)] };
    expect((await api.create(refused, key)).status).toBe(422);
    const created = await uploaded(api, { external_inspection_id, template: 'tire_4t_4s' }, []);
    expect(await api.report(created.report_id)).toMatchObject({ analysis_status: 'awaiting_images', template: { key: 'tire_4t_4s' } });
    expect((await api.create({}, key)).status).toBe(201);
  });

  it('a valid image beside an invalid one starts nothing', async () => {
    const host = await ImageHost.open();
    const external_inspection_id = randomUUID();
    const images = [...byAddress(host, TREADS), image(SIDEWALLS[0]!)];
    expect((await api.create({ external_inspection_id, template: 'tire_4t_0s', images })).status).toBe(422);
    expect((await api.create({ external_inspection_id, template: 'tire_4t_0s' })).done.upload_targets).toHaveLength(4);
    await host.close();
  });
});
