import { plainName } from './plain-name';

it.each([
  ['한빛 타이어', '한빛 타이어'],
  ['St. Mary Tires', 'St. Mary Tires'],
  ['Buy at https://evil.example/now', 'Buy at https evil·example/now'],
  ['evil.example', 'evil·example'],
  ['Shop\r\nBcc: a@b', 'Shop Bcc: a@b'],
  ['a\u202Eb\u200Bc', 'a b c'],
  ['  two   spaces ', 'two spaces'],
])('%j is shown as %j', (name, shown) => {
  expect(plainName(name)).toBe(shown);
});

it('is bounded, by letters', () => {
  expect(plainName('🛞'.repeat(300), 10)).toBe('🛞'.repeat(10));
});
