import { hashDistance } from './image-hash';

it.each([
  ['0000000000000000', '0000000000000000', 0],
  ['0000000000000000', 'ffffffffffffffff', 64],
  ['8000000000000001', '0000000000000003', 2],
])('%s and %s differ in %i bits', (a, b, bits) => {
  expect(hashDistance(a, b)).toBe(bits);
  expect(hashDistance(b, a)).toBe(bits);
});
