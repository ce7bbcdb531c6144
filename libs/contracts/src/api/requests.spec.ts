import type { z } from 'zod';
import { AnalyzeRequest, CreateReportRequest, paramOf, RegisterImagesRequest, UploadTargetsRequest } from './index';

const slot = { position: 'front_left', image_type: 'tread' };
const image = { module_type: 'tire', slot, source: { url: 'https://images.example/a.jpg' } };
const assetId = '0193f3a0-0000-7000-8000-000000000001';
const registered = { asset_id: assetId, module_type: 'tire', slot };

const paramOfFirst = (schema: z.ZodType, body: unknown): string | null | undefined => {
  const issue = schema.safeParse(body).error?.issues[0];
  return issue && paramOf(issue.path);
};

const nested = (depth: number): unknown => (depth === 0 ? {} : { a: nested(depth - 1) });

describe('the creation request', () => {
  it.each<[string, unknown]>([
    ['nothing at all', {}],
    ['nulls for what is optional', { plate_number: null, template: null, images: null, metadata: null, content_profile: null }],
    ['fields that nobody knows', { colour: 'red', images: [{ ...image, weight: 1 }] }],
    ['a plate of 32 characters, each of two UTF-16 units', { plate_number: '😀'.repeat(32) }],
    ['an address of 2048 characters', { callback_url: `https://a.example/${'x'.repeat(2_048 - 18)}` }],
    ['an address with characters of Korean', { images: [{ ...image, source: { url: 'https://images.example/타이어.jpg?a=1&A=%2f' } }] }],
    ['metadata of exactly 16 KiB', { metadata: { a: 'x'.repeat(16 * 1024 - 8) } }],
    ['metadata 64 levels deep', { metadata: nested(63) }],
    ['an image per slot', { images: [image, { ...image, slot: { ...slot, image_type: 'sidewall' } }] }],
    ['part of a content profile', { content_profile: { key: 'tire-standard' } }],
  ])('accepts %s', (_, body) => {
    expect(CreateReportRequest.safeParse(body).error).toBeUndefined();
  });

  it.each<[string, unknown, string | null]>([
    ['a body that is no object', [], null],
    ['a plate of 33 characters', { plate_number: 'x'.repeat(33) }, 'plate_number'],
    ['a plate that is a number', { plate_number: 1234 }, 'plate_number'],
    ['a NUL character', { plate_number: '12\u0000' }, 'plate_number'],
    ['half of a surrogate pair', { external_vehicle_id: '\ud83d' }, 'external_vehicle_id'],
    ['an inspection id of 129 characters', { external_inspection_id: 'x'.repeat(129) }, 'external_inspection_id'],
    ['an empty inspection id', { external_inspection_id: '' }, 'external_inspection_id'],
    ['an unknown template', { template: 'tire_9t' }, 'template'],
    ['an address of 2049 characters', { callback_url: `https://a.example/${'x'.repeat(2_049 - 18)}` }, 'callback_url'],
    ['a callback that is no web address', { callback_url: 'javascript:alert(1)' }, 'callback_url'],
    ['metadata that is a list', { metadata: [] }, 'metadata'],
    ['metadata one byte over 16 KiB', { metadata: { a: 'x'.repeat(16 * 1024 - 7) } }, 'metadata'],
    ['metadata counted in bytes, not characters', { metadata: { a: '가'.repeat(6_000) } }, 'metadata'],
    ['metadata 65 levels deep', { metadata: nested(64) }, 'metadata'],
    ['metadata with a number that JSON cannot say', { metadata: { a: [Infinity] } }, 'metadata'],
    ['metadata with a name that objects have by nature', { metadata: JSON.parse('{"__proto__": {}}') as object }, 'metadata'],
    ['it further down', { metadata: JSON.parse('{"a": [{"__proto__": 1}]}') as object }, 'metadata'],
    ['a NUL in a key of metadata', { metadata: { a: [{ 'b\u0000': 1 }] } }, 'metadata'],
    ['no images in images', { images: [] }, 'images'],
    ['another module', { images: [{ ...image, module_type: 'plate' }] }, 'images[0].module_type'],
    ['a position that no car has', { images: [{ ...image, slot: { ...slot, position: 'roof' } }] }, 'images[0].slot.position'],
    ['an unknown image type', { images: [image, { ...image, slot: { ...slot, image_type: 'rim' } }] }, 'images[1].slot.image_type'],
    ['a slot twice', { images: [image, image] }, 'images[1].slot'],
    ['an image without a source', { images: [{ module_type: 'tire', slot }] }, 'images[0].source'],
    ['plain HTTP', { images: [{ ...image, source: { url: 'http://images.example/a.jpg' } }] }, 'images[0].source.url'],
    ['user name and password', { images: [{ ...image, source: { url: 'https://a:b@images.example/' } }] }, 'images[0].source.url'],
    [
      'an address that a parser would repair',
      { images: [{ ...image, source: { url: ' https://images.example/\n' } }] },
      'images[0].source.url',
    ],
    ['an address without a host', { images: [{ ...image, source: { url: 'https:///a.jpg' } }] }, 'images[0].source.url'],
    [
      'a client asset id of 129 characters',
      { images: [{ ...image, source: { ...image.source, client_asset_id: 'x'.repeat(129) } }] },
      'images[0].source.client_asset_id',
    ],
  ])('refuses %s', (_, body, param) => {
    expect(paramOfFirst(CreateReportRequest, body)).toBe(param);
  });

  it('keeps the submitted address as it is', () => {
    const url = 'HTTPS://Images.example:443/a/../b%2F?z=1&a=2#f';
    expect(CreateReportRequest.parse({ images: [{ ...image, source: { url } }] }).images?.[0]?.source.url).toBe(url);
  });
});

describe('requests about slots of a report', () => {
  it.each<[string, z.ZodType, unknown, string | null | undefined]>([
    ['registration', RegisterImagesRequest, { images: [registered] }, undefined],
    ['registration without asset_id', RegisterImagesRequest, { images: [{ module_type: 'tire', slot }] }, 'images[0].asset_id'],
    ['registration in the form of version 1.0', RegisterImagesRequest, { slots: [{ module_type: 'tire', slot }] }, 'images'],
    [
      'registration of an asset that is no UUID',
      RegisterImagesRequest,
      { images: [{ ...registered, asset_id: 'a' }] },
      'images[0].asset_id',
    ],
    ['registration of a slot twice', RegisterImagesRequest, { images: [registered, registered] }, 'images[1].slot'],
    ['upload targets', UploadTargetsRequest, { slots: [{ module_type: 'tire', slot }] }, undefined],
    ['upload targets for nothing', UploadTargetsRequest, { slots: [] }, 'slots'],
    ['analysis of every failed slot', AnalyzeRequest, {}, undefined],
    [
      'analysis of an unknown slot',
      AnalyzeRequest,
      { slots: [{ module_type: 'tire', slot: { position: 'roof' } }] },
      'slots[0].slot.position',
    ],
  ])('%s', (_, schema, body, param) => {
    expect(paramOfFirst(schema, body)).toBe(param);
  });
});
