import { CreateReportRequest } from '@tire/contracts/api';
import { OPERATIONS, type Operation } from '@tire/contracts/operations';
import { DomainError, ERRORS, FAULTS_MAX, newId } from '@tire/kernel';
import type { FastifyRequest } from 'fastify';
import { bodySentAs, parseBody, requestParser } from './validation';

function refusalOf(body: unknown): [string, string | null] | undefined {
  try {
    parseBody(CreateReportRequest, body);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.param];
    throw error;
  }
}

describe('a request body', () => {
  it('is JSON that matches the schema', () => {
    expect(parseBody(CreateReportRequest, Buffer.from('\ufeff{"plate_number":"12가 3456","unknown":1}'))).toEqual({
      plate_number: '12가 3456',
    });
  });

  it.each<[string, unknown, string | null]>([
    ['nothing', undefined, null],
    ['an empty buffer', Buffer.alloc(0), null],
    ['broken JSON', Buffer.from('{"a":'), null],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), null],
    ['JSON that is not an object', Buffer.from('[1]'), null],
    ['nesting 100000 deep', Buffer.from('['.repeat(100_000)), null],
    ['metadata nested 30000 deep', Buffer.from(`{"metadata":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`), 'metadata'],
    ['an unknown template', Buffer.from('{"template":"tire_9t"}'), 'template'],
    [
      'an unknown slot',
      Buffer.from(
        '{"images":[{"module_type":"tire","slot":{"position":"front_left","image_type":"rim"},"source":{"url":"https://a.example/"}}]}',
      ),
      'images[0].slot.image_type',
    ],
  ])('is refused: %s', (_, body, param) => {
    expect(refusalOf(body)).toEqual(['validation_error', param]);
  });

  it.each([undefined, 'application/json', 'Application/JSON', 'application/vnd.partner+json', 'application/json ; charset=utf-8'])(
    'is accepted with the content type %s',
    (type) => {
      expect(refusalOf(bodySentAs(type, Buffer.from('{}')))).toBeUndefined();
    },
  );

  it.each(['', 'text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=application/json'])(
    'is refused with the content type %j, also if it is optional',
    (type) => {
      const other = bodySentAs(type, Buffer.from('{}'));
      expect(refusalOf(other)).toEqual(['validation_error', 'Content-Type']);
      expect(() => parseBody(CreateReportRequest, other, true)).toThrow(DomainError);
      expect(parseBody(CreateReportRequest, bodySentAs(type, Buffer.alloc(0)), true)).toEqual({});
    },
  );
});

describe('every fault of a request', () => {
  const faultsOf = (operation: Operation, request: { query?: object; headers?: object; body?: unknown }) => {
    try {
      requestParser(operation)({ query: {}, headers: {}, ...request } as FastifyRequest);
      return [];
    } catch (error) {
      return (error as DomainError).faults.map(({ param }) => param);
    }
  };
  const asBody = (value: object) => Buffer.from(JSON.stringify(value));

  it('shows the beginning of an unknown name only, which may be as long as an address', () => {
    const shown = `${'\u{1f697}'.repeat(64)}…`;
    expect(faultsOf(OPERATIONS.listReports, { query: { ['\u{1f697}'.repeat(4_000)]: '1', short: '2' } })).toEqual([shown, 'short']);
  });

  it('counts the characters of a searched id as those of a created one', () => {
    for (const [text, faults] of [
      ['\u{1f697}'.repeat(128), []],
      ['\u{1f697}'.repeat(129), ['external_vehicle_id']],
      ['', ['external_vehicle_id']],
    ] as const) {
      expect(faultsOf(OPERATIONS.listReports, { query: { external_vehicle_id: text } })).toEqual(faults);
      expect(faultsOf(OPERATIONS.createReport, { body: asBody({ external_vehicle_id: text }) })).toEqual(faults);
    }
  });

  it('is listed: of headers, then of the body, then of the query', () => {
    const headers = { 'idempotency-key': 'x'.repeat(256) };
    const image = { module_type: 'tyre', slot: { position: 'roof', image_type: 'tread' }, source: { url: 'ftp://a.example/' } };
    const body = asBody({ plate_number: 7, template: 'tire_9t', images: [image] });
    const ofImage = ['images[0].module_type', 'images[0].slot.position', 'images[0].source.url'];
    expect(faultsOf(OPERATIONS.createReport, { headers, body })).toEqual(['Idempotency-Key', 'plate_number', 'template', ...ofImage]);
    expect(faultsOf(OPERATIONS.registerImages, { query: { replace: 'x' }, body: asBody({ images: [] }) })).toEqual(['images', 'replace']);
    expect(faultsOf(OPERATIONS.registerImages, { query: { replace: 'x' }, body: Buffer.from('{') })).toEqual([null, 'replace']);
  });

  it('is listed up to a limit', () => {
    expect(faultsOf(OPERATIONS.createReport, { body: asBody({ images: Array(10_000).fill(1) }) })).toHaveLength(FAULTS_MAX);
  });

  it('has a message of its own', () => {
    const body = asBody({ images: [{}], metadata: 1, content_profile: { key: '' }, callback_url: 'x', external_vehicle_id: '' });
    try {
      parseBody(CreateReportRequest, body);
      throw new Error('It was accepted');
    } catch (error) {
      for (const { param, message } of (error as DomainError).faults) {
        expect(message.startsWith(`${param}: `)).toBe(true);
        expect(message).not.toContain(ERRORS.validation_error.message);
      }
    }
  });
});

describe('request parameters', () => {
  const parse = (operation: Operation, request: { query?: object; headers?: object; body?: unknown }) =>
    requestParser(operation)({ query: {}, headers: {}, ...request } as FastifyRequest);
  const paramRefused = (operation: Operation, request: { query?: object; headers?: object; body?: unknown }) => {
    try {
      return [parse(operation, request)];
    } catch (error) {
      return (error as DomainError).param;
    }
  };
  const { createReport, registerImages, listRequests, listConsoleReports, getUsage } = OPERATIONS;
  const body = Buffer.from(
    JSON.stringify({ images: [{ asset_id: newId(), module_type: 'tire', slot: { position: 'front_left', image_type: 'tread' } }] }),
  );

  it('an idempotency key has 1 to 255 printable characters', () => {
    for (const key of ['x', 'x'.repeat(255), ' ~'])
      expect(parse(createReport, { headers: { 'idempotency-key': key }, body: Buffer.from('{}') }).headers).toEqual({
        'Idempotency-Key': key,
      });
    for (const key of ['', 'x'.repeat(256), 'ä', 'a\tb'])
      expect(paramRefused(createReport, { headers: { 'idempotency-key': key }, body: Buffer.from('{}') })).toBe('Idempotency-Key');
  });

  it.each([
    [undefined, false],
    ['false', false],
    ['true', true],
  ])('the flag %p is parsed as %p', (replace, expected) => {
    expect(parse(registerImages, { query: { replace }, body }).query).toEqual({ replace: expected });
  });

  it.each(['', '1', 'TRUE', ['true', 'true']])('the flag %j is refused', (replace) => {
    expect(paramRefused(registerImages, { query: { replace }, body })).toBe('replace');
  });

  it('a page has a limit and a cursor', () => {
    const cursor = newId();
    expect(parse(listRequests, {}).query).toEqual({ limit: 20 });
    expect(parse(listRequests, { query: { limit: '100', cursor } }).query).toEqual({ limit: 100, cursor });
    for (const limit of ['', '0', '101', '1.5', 'x', ['1', '2']]) expect(paramRefused(listRequests, { query: { limit } })).toBe('limit');
    for (const bad of ['x', [cursor, cursor]]) expect(paramRefused(listRequests, { query: { cursor: bad } })).toBe('cursor');
    expect(paramRefused(listRequests, { query: { key_id: 'x' } })).toBe('key_id');
  });

  it('an empty search is ignored', () => {
    expect(parse(listConsoleReports, { query: { search: '' } }).query).toEqual({ limit: 20, search: undefined });
    expect(paramRefused(listConsoleReports, { query: { search: 'x'.repeat(129) } })).toBe('search');
    expect(paramRefused(listConsoleReports, { query: { mode: 'x' } })).toBe('mode');
  });

  it('a period needs two dates', () => {
    expect(paramRefused(getUsage, { query: { from: '2026-11-01' } })).toBe('to');
    expect(paramRefused(getUsage, { query: { from: '2026-13-01', to: '2026-11-01' } })).toBe('from');
  });
});
