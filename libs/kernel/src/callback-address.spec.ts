import { requireCallable } from './callback-address';

describe('a callback address', () => {
  it.each([
    ['https://partner.example/hook', false],
    ['HTTPS://partner.example/hook', false],
    ['http://127.0.0.1:8080/hook', true],
  ])('%s may be called (plain: %s)', (url, plain) => {
    expect(() => requireCallable(url, 'callback_url', plain)).not.toThrow();
  });

  it.each(['http://partner.example/hook', 'HTTP://partner.example/hook'])('%s may not where TLS is required', (url) => {
    expect(() => requireCallable(url, 'callback_url', false)).toThrow(
      expect.objectContaining({ code: 'validation_error', param: 'callback_url', message: 'callback_url: must be an absolute HTTPS URL' }),
    );
  });
});
