import { emptyField, type Field } from '../field';
import { resized, smoothed } from './enhance';

const ramp = (width: number, height: number): Field => {
  const field = emptyField(width, height);
  for (let i = 0; i < field.data.length; i++) field.data[i] = 3 * (i % width) + 5 * Math.floor(i / width);
  return field;
};
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
