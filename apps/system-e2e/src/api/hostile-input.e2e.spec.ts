import type { Report } from '@tire/contracts/api';
import { gzipSync } from 'node:zlib';
import type { Operation } from './operations';
import { expectRefused, rawBytes, rawHttp } from './raw-http';
import { stackUnderTest } from '../stack-under-test';
import { apiOf, systemReady, UNKNOWN_ID } from '../world';

const KIB = 1024;
const api = apiOf('test');
const authorization = `Bearer ${stackUnderTest().keys.test}`;
const json = { authorization, 'content-type': 'application/json' };
const { pathname: prefix } = new URL(stackUnderTest().base_url);
const withBody: Operation[] = ['createReport', 'createUploadTargets', 'registerImages', 'analyzeSlots'];
const bytes = (...values: number[]) => new Uint8Array(values);

let before: Report;
let report: string;

beforeAll(async () => {
  await systemReady();
  report = (await api.create({ template: 'tire_4t_0s', plate_number: 'untouched' })).done.report_id;
  before = await api.report(report);
});

/** None of these requests stored anything. */
afterAll(async () => {
  expect(await api.report(report)).toEqual(before);
});

describe.each(withBody)('%s', (operation) => {
  it.each([
    ['half an object', '{"template":'],
    ['two objects', '{}{}'],
    ['a trailing comma', '{"template": null,}'],
    ['single quotes', "{'a': 1}"],
    ['text that is not JSON', 'template=tire_4t_0s'],
    ['NaN', '{"plate_number": NaN}'],
    ['a raw control character', '{"plate_number": "a\u0001"}'],
    ['bytes that are not UTF-8', bytes(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d)],
    ['UTF-16', new Uint8Array(Buffer.from('{}', 'utf16le'))],
    ['NUL bytes', bytes(0, 0, 0, 0)],
    ['a hundred thousand opened brackets', '['.repeat(100_000)],
    ['a hundred thousand nested lists', `{"metadata": {"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}, "slots": 1, "images": 1}`],
    ['thirty thousand nested objects', `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`.replace('{', '{"images": 1, "slots": 1, ')],
    ['a list', '[{"template": "tire_4t_0s"}]'],
    ['null', 'null'],
    ['a number', '7'],
    ['text', '"tire_4t_0s"'],
    ['white space', ' \n'],
    ['compressed JSON', new Uint8Array(gzipSync('{}'))],
  ])('%s: 422', async (_, raw) => {
    const answer = await api.call(operation, { report, raw });
    expect(answer.refusal.slice(0, 2)).toEqual([422, 'validation_error']);
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON'])('the content type %s is JSON', async (type) => {
    const answer = await api.call(operation, { report, raw: '{"slots": 7, "images": 7}', headers: { 'content-type': type } });
    expect(answer.refusal).toEqual([
      422,
      'validation_error',
      operation === 'createReport' || operation === 'registerImages' ? 'images' : 'slots',
    ]);
  });
});

describe('a valid body with a wrong content type', () => {
  const slots = '{"slots": [{"module_type": "tire", "slot": {"position": "rear_left", "image_type": "tread"}}]}';
  const requests = [
    ['/reports', () => '/reports', '{}'],
    ['/upload-targets', () => `/reports/${report}/upload-targets`, slots],
    ['/analyze', () => `/reports/${report}/analyze`, '{}'],
  ] as const;
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml', 'nonsense'];

  it.each(requests)('%s', async (_, path, body) => {
    for (const type of types) {
      const answer = await rawHttp({ path: prefix + path(), headers: { authorization, 'content-type': type }, body });
      expectRefused(answer, [415, 422]);
    }
  });
});

describe('the size of a body', () => {
  const padded = (size: number) => '{"plate_number": "1"}'.padEnd(size, ' ');
  const create = (body: string, headers = {}) => rawHttp({ path: `${prefix}/reports`, headers: { ...json, ...headers }, body });

  it('may be up to 256 KiB', async () => {
    expect((await create(padded(256 * KIB))).status).toBe(201);
  });

  it.each([256 * KIB + 1, 300 * KIB])('refuses %d bytes', async (size) => {
    expectRefused(await create(padded(size), { 'content-length': String(size) }), [413]);
  });

  it('is limited also without a Content-Length', async () => {
    expectRefused(await create(padded(300 * KIB), { 'transfer-encoding': 'chunked' }), [413]);
  });

  it('an empty body is refused if the operation requires one', async () => {
    for (const operation of withBody.filter((name) => name !== 'analyzeSlots')) {
      expect((await api.call(operation, { report, raw: '' })).refusal).toEqual([422, 'validation_error', null]);
      expect((await api.call(operation, { report })).refusal).toEqual([422, 'validation_error', null]);
    }
  });
});

describe('text and numbers that cannot be stored', () => {
  it.each([
    ['NUL', '{"plate_number": "a\\u0000b"}', 'plate_number'],
    ['NUL in an id', '{"external_inspection_id": "\\u0000"}', 'external_inspection_id'],
    ['half of a surrogate pair', '{"external_vehicle_id": "\\ud83d"}', 'external_vehicle_id'],
    ['the wrong half', '{"plate_number": "\\ude97 car"}', 'plate_number'],
    ['NUL within metadata', '{"metadata": {"a": [{"b": "\\u0000"}]}}', 'metadata'],
    ['a surrogate in a key of metadata', '{"metadata": {"a": {"\\ud83d": 1}}}', 'metadata'],
    ['NUL in an address', '{"callback_url": "https://partner.example/\\u0000"}', 'callback_url'],
    ['a line break in an address', '{"callback_url": "https://partner.example/\\r\\nx: y"}', 'callback_url'],
    ['a number out of range', '{"metadata": {"a": 1e999}}', 'metadata'],
    ['a number for text', '{"plate_number": 1e999}', 'plate_number'],
    ['a very long number for text', `{"external_vehicle_id": ${'9'.repeat(10_000)}}`, 'external_vehicle_id'],
    ['an object for text', '{"plate_number": {"toString": null}}', 'plate_number'],
    ['a list for an object', '{"content_profile": ["tire-standard"]}', 'content_profile'],
    ['an object for a list', '{"images": {"length": 1}}', 'images'],
    ['true for a template', '{"template": true}', 'template'],
    ['a built-in property name for a template', '{"template": "constructor"}', 'template'],
    ['ten thousand images', `{"images": [${Array.from({ length: 10_000 }, () => '1').join(',')}]}`, 'images[0]'],
  ])('%s', async (_, raw, param) => {
    expect((await api.call('createReport', { raw })).refusal).toEqual([422, 'validation_error', param]);
  });

  it('names of built-in properties are ordinary names in metadata, or refused', async () => {
    const metadata = '{"__proto__": {"a": 1}, "constructor": 2, "toJSON": 3}';
    const answer = await api.call('createReport', { raw: `{"metadata": ${metadata}}` });
    if (answer.status === 422) return expect(answer.refusal).toEqual([422, 'validation_error', 'metadata']);
    expect((await api.report(answer.done.report_id)).client_context.metadata).toEqual(JSON.parse(metadata));
  });
});

describe('addresses, methods and headers', () => {
  it.each([
    ['GET', '/nothing'],
    ['GET', ''],
    ['GET', '/reports/'],
    ['GET', '/vehicles'],
    ['DELETE', '/vehicles/car-1'],
    ['GET', '/vehicles/%00'],
    ['GET', `/vehicles/${'a'.repeat(129)}`],
    ['PUT', '/reports'],
    ['PATCH', `/reports/${UNKNOWN_ID}`],
    ['PUT', `/reports/${UNKNOWN_ID}`],
    ['GET', `/reports/${UNKNOWN_ID}/nothing`],
    ['GET', `/reports/${UNKNOWN_ID}/analyze`],
    ['DELETE', `/reports/${UNKNOWN_ID}/content`],
    ['POST', `/reports/${UNKNOWN_ID}/content/${UNKNOWN_ID}`],
    ['OPTIONS', '/reports'],
    ['TRACE', '/reports'],
    ['GET', '//reports'],
    ['GET', '/reports/%zz'],
    ['GET', '/reports/%ff'],
    ['GET', `/reports/${UNKNOWN_ID}%00`],
    ['GET', `/reports/..%2f..%2fhealth`],
    ['GET', `/reports/${'a'.repeat(10_000)}`],
    ['POST', `/reports/%2e%2e/images`],
    ['GET', `/reports/${UNKNOWN_ID}/content/${'%20'.repeat(1_000)}`],
  ])('%s %s', async (method, path) => {
    expectRefused(await rawHttp({ method, path: `${prefix}${path}`, headers: json }), [400, 404, 405]);
  });

  it('HEAD returns only the status', async () => {
    const { status, text } = await rawHttp({ method: 'HEAD', path: `${prefix}/reports/${UNKNOWN_ID}`, headers: json });
    expect([status, text]).toEqual([404, '']);
  });

  it.each(['replace=yes', 'replace=', 'replace=1', 'replace=true&replace=false', 'replace[]=true'])('?%s', async (query) => {
    const images = [{ module_type: 'tire', slot: { position: 'rear_left', image_type: 'tread' }, asset_id: UNKNOWN_ID }];
    const answer = await api.call('registerImages', { report, query, body: { images } });
    expect(answer.refusal.slice(0, 2)).toEqual([422, 'validation_error']);
  });

  it.each([
    ['a header of 20 KiB', { path: `${prefix}/reports`, headers: { ...json, 'x-long': 'a'.repeat(20 * KIB) } }],
    [
      'two thousand headers',
      { path: `${prefix}/reports`, headers: { ...json, 'x-many': Array.from({ length: 2_000 }, () => 'abcdefgh') } },
    ],
    ['an address of 20 KiB', { path: `${prefix}/reports/${'a'.repeat(20 * KIB)}`, headers: json }],
    ['a query of 20 KiB', { path: `${prefix}/reports?${'a'.repeat(20 * KIB)}`, headers: json }],
  ])('%s', async (_, request) => {
    expectRefused(await rawHttp({ method: 'GET', ...request }), [400, 414, 431]);
  });

  it.each([
    ['not HTTP', 'hello\r\n\r\n'],
    ['an unknown method', 'BREW /api/v1/reports HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['two lengths', `POST ${prefix}/reports HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    [
      'a length and chunks',
      `POST ${prefix}/reports HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['an invalid length', `POST ${prefix}/reports HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n{}`],
    ['a space in the address', `GET ${prefix}/reports /x HTTP/1.1\r\nHost: a\r\n\r\n`],
  ])('refuses %s on a raw connection', async (_, wire) => {
    expectRefused(await rawBytes(wire), [400]);
  });

  it('a valid request id is reused, and an invalid one is replaced', async () => {
    const idFor = async (id: string) =>
      (await api.call('getReport', { report, headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await idFor('partner-1234')).toBe('partner-1234');
    for (const id of ['a'.repeat(5_000), 'a b\tc', '<script>']) expect(await idFor(id)).not.toBe(id);
  });
});
