import { bodyPlaces } from './body-places';

const KIB = 1024;

it.each([
  [{}, 0],
  [{ 'content-length': '0' }, 0],
  [{ 'content-length': '1' }, 1],
  [{ 'content-length': '32768' }, 1],
  [{ 'content-length': '32769' }, 2],
  [{ 'content-length': '262144' }, 8],
  [{ 'content-length': '9999999999' }, 8],
  [{ 'transfer-encoding': 'chunked' }, 8],
])('a body with %j takes %i places', (headers, places) => {
  expect(bodyPlaces(headers, 256 * KIB)).toBe(places);
});

it('a body takes as many places as its operation accepts', () => {
  expect(bodyPlaces({ 'content-length': String(700 * KIB) }, 768 * KIB)).toBe(22);
  expect(bodyPlaces({ 'transfer-encoding': 'chunked' }, 768 * KIB)).toBe(24);
});
