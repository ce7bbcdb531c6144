import { acceptedStep, base32, codeAt, otpauthUri } from './totp';

const secret = Buffer.from('12345678901234567890');

describe('one-time codes', () => {
  // RFC 6238, appendix B: the last six of its eight digits.
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('the code at %i s is %s', (seconds, code) => {
    expect(codeAt(secret, Math.floor(seconds / 30))).toBe(code);
    expect(acceptedStep(secret, code, 0, new Date(seconds * 1_000))).toBe(Math.floor(seconds / 30));
  });

  it('a code is accepted once, and older ones are refused', () => {
    const now = new Date(1_000 * 30_000);
    expect(acceptedStep(secret, codeAt(secret, 1_000), 999, now)).toBe(1_000);
    expect(acceptedStep(secret, codeAt(secret, 1_000), 1_000, now)).toBeNull();
    expect(acceptedStep(secret, codeAt(secret, 999), 1_000, now)).toBeNull();
  });

  it.each([[998], [1_002]])('a code of step %i, more than one step from the clock, is refused', (step) => {
    expect(acceptedStep(secret, codeAt(secret, step), 0, new Date(1_000 * 30_000))).toBeNull();
  });

  it.each(['', '12345', '1234567', '      '])('%p is not a code', (code) => {
    expect(acceptedStep(secret, code, 0, new Date(1_000 * 30_000))).toBeNull();
  });

  // RFC 4648, section 10, without padding.
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('%p is %p in base 32', (text, expected) => {
    expect(base32(Buffer.from(text))).toBe(expected);
  });

  it('the otpauth URI is valid with special characters in the names', () => {
    const uri = new URL(otpauthUri(secret, 'Tires & more', 'a+b@shop.example'));
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      secret: base32(secret),
      issuer: 'Tires & more',
      digits: '6',
      period: '30',
    });
    expect(decodeURIComponent(uri.pathname)).toBe('/Tires & more:a+b@shop.example');
  });
});
