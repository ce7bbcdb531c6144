import { faultOfBody, faultOfHeaders, outcomeOfAnswer, requestOf, type Json, type SmsInterface } from './sms-request';

const BODY = {
  to: '{{to}}',
  from: '{{from}}',
  parts: [{ text: '{{ text }}', number: '{{to_national}}' }],
  kind: '{{kind}}',
  n: 1,
  at: null,
};
const OF_PROVIDER: SmsInterface = {
  headers: { Authorization: 'Bearer {{secret}}', 'Idempotency-Key': '{{id}}' },
  body: BODY,
  success: { path: 'header.isSuccessful', value: 'true' },
  idPath: 'body.ids.0',
};
const SENDER = { from: '021234567', secret: 's3cret' };
const MESSAGE = { id: 'm-1', to: '+821012345678', text: '점검 결과' };

describe('the request for a text message', () => {
  it('has the values at the named places', () => {
    const { headers, body } = requestOf(OF_PROVIDER, MESSAGE, SENDER);
    expect(headers).toEqual({ Authorization: 'Bearer s3cret', 'Idempotency-Key': 'm-1', 'content-type': 'application/json' });
    expect(JSON.parse(body)).toEqual({
      ...{ to: '+821012345678', from: '021234567', kind: 'SMS', n: 1, at: null },
      parts: [{ text: '점검 결과', number: '01012345678' }],
    });
  });

  it('keeps the code of another country', () => {
    const { body } = requestOf(OF_PROVIDER, { ...MESSAGE, to: '+201012345678' }, SENDER);
    expect(JSON.parse(body)).toMatchObject({ to: '+201012345678', parts: [{ number: '+201012345678' }] });
  });

  it('gets no field and no header from a value', () => {
    const text = '", "to": "+821099999999", "x": "\r\nX-Evil: 1 {{secret}} {{to}}';
    const { headers, body } = requestOf(OF_PROVIDER, { ...MESSAGE, text }, SENDER);
    expect(JSON.parse(body)).toMatchObject({ to: '+821012345678', parts: [{ text }] });
    expect(Object.keys(headers)).toEqual(['Authorization', 'Idempotency-Key', 'content-type']);
    expect(Object.keys(JSON.parse(body) as object)).toEqual(Object.keys(BODY));
  });

  it('says when the text is longer than a short message', () => {
    const kindOf = (text: string) => (JSON.parse(requestOf(OF_PROVIDER, { ...MESSAGE, text }, SENDER).body) as { kind: string }).kind;
    expect([kindOf('가'.repeat(45)), kindOf(`${'가'.repeat(45)}a`)]).toEqual(['SMS', 'LMS']);
  });
});

describe('the interface of a provider', () => {
  it.each<[string, Json, RegExp | null]>([
    ['whole', BODY, null],
    ['without a receiver', { text: '{{text}}' }, /\{\{to\}\}/],
    ['without a text', { to: '{{to}}' }, /\{\{text\}\}/],
    ['with an unknown place', { to: '{{to}}', text: '{{text}} {{password}}' }, /password/],
    ['with a property of objects as a place', { to: '{{to}}', text: '{{text}} {{constructor}}' }, /constructor/],
  ])('has a body that is %s', (_, body, fault) => {
    if (fault) expect(faultOfBody(body)).toMatch(fault);
    else expect(faultOfBody(body)).toBeNull();
  });

  it.each<[Record<string, string>, RegExp | null]>([
    [{ Authorization: 'Bearer {{secret}}' }, null],
    [{ 'X-To': '{{to}}' }, /\{\{to\}\}/],
    [{ 'X-Text': '{{text}}' }, /\{\{text\}\}/],
    [{ Host: 'evil.example' }, /Host/],
    [{ 'Content-Length': '1' }, /Content-Length/],
    [{ 'a b': '1' }, /a b/],
    [{ A: 'x\r\nB: y' }, /characters/],
  ])('has the headers %j', (headers, fault) => {
    if (fault) expect(faultOfHeaders(headers)).toMatch(fault);
    else expect(faultOfHeaders(headers)).toBeNull();
  });
});

describe('the answer of a provider', () => {
  const TAKEN = { header: { isSuccessful: true }, body: { ids: ['r-77'] } };
  const whole = JSON.stringify(TAKEN);

  it.each<[string, number, string, object]>([
    ['taken', 200, whole, { kind: 'sent', reference: 'r-77' }],
    ['taken, with an id that is a number', 202, JSON.stringify({ ...TAKEN, body: { ids: [77] } }), { kind: 'sent', reference: '77' }],
    ['taken, without an id', 200, JSON.stringify({ header: { isSuccessful: 'true' } }), { kind: 'sent' }],
    ['taken, with an id that is none', 200, JSON.stringify({ ...TAKEN, body: { ids: ['a b\n'] } }), { kind: 'sent' }],
    ['refused in the body', 200, JSON.stringify({ header: { isSuccessful: false } }), { kind: 'refused' }],
    ['no word about it', 200, '{}', { kind: 'unknown' }],
    ['no JSON', 200, '<html>', { kind: 'unknown' }],
    ['refused', 400, whole, { kind: 'refused' }],
    ['wrong login', 401, '', { kind: 'unavailable' }],
    ['too many', 429, '', { kind: 'unavailable' }],
    ['a redirect', 302, '', { kind: 'unavailable' }],
    ['timeout at the provider', 408, '', { kind: 'unknown' }],
    ['broken', 500, '', { kind: 'unknown' }],
    ['bad gateway', 502, '', { kind: 'unknown' }],
    ['away', 503, '', { kind: 'unavailable' }],
  ])('%s', (_, status, body, outcome) => {
    expect(outcomeOfAnswer(OF_PROVIDER, status, body)).toEqual(outcome);
  });

  it('needs no body where the status decides', () => {
    expect(outcomeOfAnswer({ ...OF_PROVIDER, success: null }, 204, '')).toEqual({ kind: 'sent' });
  });
});
