import { bodyPlaces } from './body-places';

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
  expect(bodyPlaces(headers)).toBe(places);
});
