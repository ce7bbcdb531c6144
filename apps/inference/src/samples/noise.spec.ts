import { gaussianNoise, seeded } from './noise';

it.each([30_000, 30_001])('draws %i bytes around 128 with the given deviation', (count) => {
  const bytes = gaussianNoise(seeded(5), count, 12);
  const mean = bytes.reduce((sum, value) => sum + value, 0) / count;
  const spread = Math.sqrt(bytes.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count);
  expect(bytes).toHaveLength(count);
  expect(mean).toBeCloseTo(128, 0);
  expect(spread).toBeCloseTo(12, 0);
  expect(bytes.at(-1)).toBeGreaterThan(60);
});
