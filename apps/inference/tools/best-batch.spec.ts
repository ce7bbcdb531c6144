import { bestBatch } from './best-batch';

const curve = (...rates: number[]) => rates.map((pictures_per_s, i) => ({ size: 2 ** i, pictures_per_s }));

it.each([
  ['nothing was measured', curve(), 1],
  ['a batch gains nothing', curve(10, 10.2, 10.4, 9), 1],
  ['it gains up to a point', curve(10, 18, 30, 31, 20), 4],
  ['it gains late', curve(10, 10.5, 11, 16), 8],
])('%s', (_, points, size) => {
  expect(bestBatch(points)).toBe(size);
});
