import { loadIndexCost } from './load-index';

const size = (sectionWidthMm: number, aspectRatioPercent: number, rimDiameterInch: number) => ({
  sectionWidthMm,
  aspectRatioPercent,
  rimDiameterInch,
});

it.each([
  [size(205, 55, 16), 91],
  [size(205, 55, 16), 94],
  [size(195, 65, 15), 91],
  [size(195, 65, 15), 95],
  [size(155, 70, 13), 75],
  [size(225, 45, 17), 94],
  [size(265, 60, 18), 110],
  [size(315, 35, 20), 110],
])('%j with %d, standard or extra load, costs almost nothing', (of, loadIndex) => {
  expect(loadIndexCost(of, loadIndex)).toBeGreaterThan(-0.1);
});

it.each([
  [size(195, 50, 15), 89],
  [size(205, 65, 16), 91],
  [size(255, 50, 17), 93],
  [size(165, 60, 15), 84],
])('%j with %d is most likely another size', (of, loadIndex) => {
  expect(loadIndexCost(of, loadIndex)).toBeLessThan(-1.5);
});

it('a misread load index does not exclude a size', () => {
  expect(loadIndexCost(size(205, 55, 16), 31)).toBeGreaterThan(-6);
});
