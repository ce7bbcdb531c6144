import { byteRange } from './byte-range';

it.each([
  [undefined, 10, 'whole'],
  ['bytes=0-3', 10, { start: 0, end: 3 }],
  ['bytes=0-', 10, { start: 0, end: 9 }],
  ['bytes=4-400', 10, { start: 4, end: 9 }],
  ['bytes=-4', 10, { start: 6, end: 9 }],
  ['bytes=-400', 10, { start: 0, end: 9 }],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=0-0', 0, 'unsatisfiable'],
  ['bytes=3-2', 10, 'whole'],
  ['bytes=0-1,3-4', 10, 'whole'],
  ['bytes=-', 10, 'whole'],
  ['pages=1-2', 10, 'whole'],
] as const)('%j of %i bytes', (header, sizeBytes, expected) => {
  expect(byteRange(header, sizeBytes)).toEqual(expected);
});
