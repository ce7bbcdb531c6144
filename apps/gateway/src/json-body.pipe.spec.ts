import { CreateReportRequest } from '@tire/contracts';
import { DomainError } from '@tire/kernel';
import { bodySentAs, JsonBody } from './json-body.pipe';

const pipe = new JsonBody(CreateReportRequest);

function refusalOf(body: unknown): [string, string | null] | undefined {
  try {
    pipe.transform(body);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.param];
    throw error;
  }
}

describe('the body of a request', () => {
  it('is JSON that its schema accepts', () => {
    expect(pipe.transform(Buffer.from('\ufeff{"plate_number":"12가 3456","unknown":1}'))).toEqual({ plate_number: '12가 3456' });
  });

  it.each<[string, unknown, string | null]>([
    ['nothing', undefined, null],
    ['no bytes', Buffer.alloc(0), null],
    ['broken JSON', Buffer.from('{"a":'), null],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), null],
    ['JSON that is no object', Buffer.from('[1]'), null],
    ['nesting without end', Buffer.from('['.repeat(100_000)), null],
    ['metadata nested 30000 deep', Buffer.from(`{"metadata":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`), 'metadata'],
    ['an unknown template', Buffer.from('{"template":"tire_9t"}'), 'template'],
    [
      'a slot that does not exist',
      Buffer.from(
        '{"images":[{"module_type":"tire","slot":{"position":"front_left","image_type":"rim"},"source":{"url":"https://a.example/"}}]}',
      ),
      'images[0].slot.image_type',
    ],
  ])('is refused when it is %s', (_, body, param) => {
    expect(refusalOf(body)).toEqual(['validation_error', param]);
  });

  it.each([undefined, 'application/json', 'Application/JSON', 'application/vnd.partner+json', 'application/json ; charset=utf-8'])(
    'may be sent as %s',
    (type) => {
      expect(refusalOf(bodySentAs(type, Buffer.from('{}')))).toBeUndefined();
    },
  );

  it.each(['', 'text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=application/json'])(
    'may not be sent as %j, also where it may be missing',
    (type) => {
      const foreign = bodySentAs(type, Buffer.from('{}'));
      expect(refusalOf(foreign)).toEqual(['validation_error', 'Content-Type']);
      const optional = new JsonBody(CreateReportRequest, { whenEmpty: {} });
      expect(() => optional.transform(foreign)).toThrow(DomainError);
      expect(optional.transform(bodySentAs(type, Buffer.alloc(0)))).toEqual({});
    },
  );
});
