import { callbackFaults } from './callback-address';

describe('a callback address', () => {
  it.each([
    ['https://partner.example/hook', false],
    ['HTTPS://partner.example/hook', false],
    ['http://127.0.0.1:8080/hook', true],
  ])('%s may be called (plain: %s)', (url, plain) => {
    expect(callbackFaults(url, 'callback_url', plain)).toEqual([]);
  });

  it.each(['http://partner.example/hook', 'HTTP://partner.example/hook'])('%s may not where TLS is required', (url) => {
    expect(callbackFaults(url, 'callback_url', false)).toEqual([
      { param: 'callback_url', message: 'callback_url: must be an absolute HTTPS URL' },
    ]);
  });
});
