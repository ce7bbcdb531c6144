import { askedBy, askedLanguage } from './language';

it.each([
  ['en', 'en'],
  ['ko', 'ko'],
  ['EN', 'en'],
  ['en)', 'en'],
  ['en-US', 'en'],
  ['en에서', 'en'],
  ['english', null],
  ['de', null],
  ['', null],
  [['en', 'ko'], null],
  [undefined, null],
])('?lang=%j asks for %j', (named, language) => {
  expect(askedLanguage(named, 'fr').language).toBe(language);
});

it.each([
  [undefined, 'ko'],
  ['', 'ko'],
  ['*', 'ko'],
  ['de-DE', 'ko'],
  ['en-US,en;q=0.9', 'en'],
  ['ko-KR,ko;q=0.9,en;q=0.8', 'ko'],
  ['ko;q=0.4, en-GB; q=0.9', 'en'],
  ['de, en;q=0.1, ko;q=0', 'en'],
  [`${'x,'.repeat(5_000)}en`, 'ko'],
])('a browser with %j prefers %s', (header, preferred) => {
  expect(askedLanguage(undefined, header).preferred).toBe(preferred);
  expect(askedLanguage('en', header).preferred).toBe('en');
});

it.each([
  ['/r/T', null],
  ['/r/T?lang=en', 'en'],
  ['/r/T.pdf?x=1&lang=en', 'en'],
  ['/r/abc%?lang=en', 'en'],
  ['/r/T?lang=en%EC%97%90%EC%84%9C', 'en'],
  ['/r/T?lang=en%E', 'en'],
  ['/r/T?lang=en&lang=ko', null],
  ['http://share.example/r/T?lang=en', 'en'],
])('%s asks for %j', (url, language) => {
  expect(askedBy({ url, headers: { 'accept-language': 'ko' } })).toEqual({ language, preferred: language ?? 'ko' });
});
