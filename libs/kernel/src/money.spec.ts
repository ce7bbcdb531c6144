import { majorText, minorDigits, minorOf } from './money';

it.each([
  ['KRW', 0, 1500, '1500'],
  ['JPY', 0, 0, '0'],
  ['USD', 2, 1250, '12.50'],
  ['USD', 2, 5, '0.05'],
  ['KWD', 3, 1, '0.001'],
])('an amount of %s has %i decimals: %i is %s', (currency, digits, amountMinor, text) => {
  expect(minorDigits(currency)).toBe(digits);
  expect(majorText(amountMinor, currency)).toBe(text);
  expect(minorOf(text, currency)).toBe(amountMinor);
});

it.each([
  ['1,500', 'KRW', 1500],
  [' 12.5 ', 'USD', 1250],
  ['1,234,567.89', 'USD', 123_456_789],
  ['15.0', 'KRW', null],
  ['12.505', 'USD', null],
  ['1,50', 'USD', null],
  ['-1', 'USD', null],
  ['', 'USD', null],
  ['1e3', 'USD', null],
  ['.5', 'USD', null],
])('the text %j as an amount of %s is %p', (text, currency, amountMinor) => expect(minorOf(text, currency)).toBe(amountMinor));
