import { emptyField, type Field } from '../field';
import { localStatistics, resized, smoothed } from './enhance';

const ramp = (width: number, height: number): Field => {
  const field = emptyField(width, height);
  for (let i = 0; i < field.data.length; i++) field.data[i] = 3 * (i % width) + 5 * Math.floor(i / width);
  return field;
};
/** Neither linear nor periodic. */
const uneven = (width: number, height: number): Field => ({
  width,
  height,
  data: ramp(width, height).data.map((_, i) => (i * 7919) % 251),
});
const at = ({ data, width }: Field, x: number, y: number) => data[y * width + x]!;

describe('a resized image', () => {
  it('is the mean of the covered pixels when it shrinks', () => {
    const small = resized(ramp(12, 8), 4, 2);
    expect([small.width, small.height]).toEqual([4, 2]);
    expect(at(small, 1, 1)).toBeCloseTo(3 * 4 + 5 * 5.5, 4);
  });

  it('is interpolated when it grows, and repeats its border', () => {
    const large = resized(ramp(4, 4), 8, 8);
    expect(at(large, 3, 4)).toBeCloseTo(3 * 1.25 + 5 * 1.75, 4);
    expect(at(large, 0, 0)).toBe(0);
    expect(at(large, 7, 7)).toBeCloseTo(3 * 3 + 5 * 3, 4);
  });

  it('is unchanged at its own size; single rows and columns can be resized', () => {
    expect(resized(ramp(5, 3), 5, 3)).toEqual(ramp(5, 3));
    expect([...resized(ramp(1, 1), 3, 1).data]).toEqual([0, 0, 0]);
    expect(resized(ramp(4, 1), 2, 1).data[1]).toBeCloseTo(7.5, 4);
  });
});

describe('a blurred image', () => {
  it('is unchanged on a linear ramp along either axis', () => {
    expect(at(smoothed(ramp(20, 12), 1.2), 10, 5)).toBeCloseTo(3 * 10 + 5 * 5, 3);
  });

  it('spreads a speckle and keeps its sum', () => {
    const speckle = emptyField(15, 9);
    speckle.data[4 * 15 + 7] = 100;
    const bell = smoothed(speckle, 1);
    expect([bell.width, bell.height]).toEqual([15, 9]);
    expect(bell.data.reduce((sum, value) => sum + value, 0)).toBeCloseTo(100, 3);
    expect(at(bell, 7, 4)).toBeCloseTo(100 / (2 * Math.PI), 0);
    expect(at(bell, 8, 4)).toBeCloseTo(at(bell, 7, 4) * Math.exp(-0.5), 3);
    expect(at(bell, 7, 5)).toBeCloseTo(at(bell, 8, 4), 3);
  });

  it('repeats its border', () => {
    const grey = emptyField(6, 3);
    grey.data.fill(7);
    for (const value of smoothed(grey, 2).data) expect(value).toBeCloseTo(7, 4);
  });
});

describe('the statistics around each pixel', () => {
  it.each([
    [9, 7, 2],
    [4, 6, 5],
    [5, 1, 1],
  ])('are mean and deviation of the square, as much of it as lies in an image of %i by %i', (width, height, radius) => {
    const field = uneven(width, height);
    const { mean, spread } = localStatistics(field, radius);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const square = Array.from(field.data.keys()).filter(
          (i) => Math.abs((i % width) - x) <= radius && Math.abs(Math.floor(i / width) - y) <= radius,
        );
        const meanOf = (of: (value: number) => number) => square.reduce((sum, i) => sum + of(field.data[i]!), 0) / square.length;
        const expected = meanOf((value) => value);
        expect(at(mean, x, y)).toBeCloseTo(expected, 3);
        expect(at(spread, x, y)).toBeCloseTo(Math.sqrt(meanOf((value) => (value - expected) ** 2)), 3);
      }
    }
  });
});
