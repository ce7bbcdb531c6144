import { outboundConfig } from '@tire/platform';
import { z } from 'zod';
import { smsConfig, smsFaults, smsSettings } from './sms.config';

const schema = z.object({ ...smsConfig, ...outboundConfig });
const BODY = '{"to": "{{to}}", "text": "{{text}}"}';
const WHOLE = { SMS_URL: 'https://sms.example/messages', SMS_BODY: BODY };

describe('the settings of text messages', () => {
  it('are off without an address', () => {
    expect(smsSettings(schema.parse({}))).toBeNull();
    expect(smsSettings(schema.parse({ ...WHOLE, SMS_SUCCESS: 'a.b=ok' }))).toMatchObject({
      ...{ url: WHOLE.SMS_URL, method: 'POST', isIdempotent: false },
      provider: { success: { path: 'a.b', value: 'ok' }, idPath: null },
    });
  });

  it.each([
    ['nothing', {}, []],
    ['an address and a body', WHOLE, []],
    ['a body without an address', { SMS_BODY: BODY }, ['SMS_URL']],
    ['an address without a body', { SMS_URL: WHOLE.SMS_URL }, ['SMS_BODY']],
    ['a secret that nothing names', { ...WHOLE, SMS_SECRET: 's' }, ['SMS_SECRET']],
    ['a named secret that is missing', { ...WHOLE, SMS_HEADERS: '{"A": "{{secret}}"}' }, ['SMS_SECRET']],
    ['a named secret', { ...WHOLE, SMS_HEADERS: '{"A": "{{secret}}"}', SMS_SECRET: 's' }, []],
    ['a named sender that is missing', { ...WHOLE, SMS_BODY: '{"a": "{{to}} {{text}} {{from}}"}' }, ['SMS_FROM']],
    ['repetitions that nothing tells', { ...WHOLE, SMS_IDEMPOTENT: 'true' }, ['SMS_IDEMPOTENT']],
    ['repetitions that a header tells', { ...WHOLE, SMS_IDEMPOTENT: 'true', SMS_HEADERS: '{"A": "{{id}}"}' }, []],
  ])('%s', (_, given, variables) => {
    expect(smsFaults(schema.parse(given)).map(({ variable }) => variable)).toEqual(variables);
  });

  it.each([
    { SMS_BODY: '{' },
    { SMS_BODY: '{"to": "{{to}}"}' },
    { SMS_BODY: '"{{to}} {{text}} {{evil}}"' },
    { SMS_HEADERS: '["a"]' },
    { SMS_HEADERS: '{"Host": "x"}' },
    { SMS_HEADERS: '{"A": "x\\r\\nB: y"}' },
    { SMS_URL: 'not a url' },
    { SMS_SECRET: 'a\r\nB: c' },
    { SMS_SUCCESS: 'a' },
    { SMS_ID_PATH: '..' },
    { SMS_METHOD: 'GET' },
  ])('%j is refused', (given) => {
    expect(schema.safeParse({ ...WHOLE, ...given }).success).toBe(false);
  });
});
