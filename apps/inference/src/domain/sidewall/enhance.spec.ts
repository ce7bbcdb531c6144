import { emptyField, type Field } from '../field';
import { resized, smoothed } from './enhance';

const ramp = (width: number, height: number): Field => {
  const field = emptyField(width, height);
  for (let i = 0; i < field.data.length; i++) field.data[i] = 3 * (i % width) + 5 * Math.floor(i / width);
  return field;
};
const at = ({ data, width }: Field, x: number, y: number) => data[y * width + x]!;

describe('a resized image', () => {
  it('is the mean of what each pixel covers where it becomes smaller', () => {
    const small = resized(ramp(12, 8), 4, 2);
    expect([small.width, small.height]).toEqual([4, 2]);
    expect(at(small, 1, 1)).toBeCloseTo(3 * 4 + 5 * 5.5, 4);
  });

  it('lies between its neighbours where it becomes larger, and goes on at the border', () => {
    const large = resized(ramp(4, 4), 8, 8);
    expect(at(large, 3, 4)).toBeCloseTo(3 * 1.25 + 5 * 1.75, 4);
    expect(at(large, 0, 0)).toBe(0);
    expect(at(large, 7, 7)).toBeCloseTo(3 * 3 + 5 * 3, 4);
  });

  it('stays as it is at its own size, and a single row or column can be resized', () => {
    expect(resized(ramp(5, 3), 5, 3)).toEqual(ramp(5, 3));
    expect([...resized(ramp(1, 1), 3, 1).data]).toEqual([0, 0, 0]);
    expect(resized(ramp(4, 1), 2, 1).data[1]).toBeCloseTo(7.5, 4);
  });
});

describe('a smoothed image', () => {
  it('stays as it is where it rises evenly, both ways', () => {
    expect(at(smoothed(ramp(20, 12), 1.2), 10, 5)).toBeCloseTo(3 * 10 + 5 * 5, 3);
  });

  it('shows a speckle as a bell that holds as much', () => {
    const speckle = emptyField(15, 9);
    speckle.data[4 * 15 + 7] = 100;
    const bell = smoothed(speckle, 1);
    expect([bell.width, bell.height]).toEqual([15, 9]);
    expect(bell.data.reduce((sum, value) => sum + value, 0)).toBeCloseTo(100, 3);
    expect(at(bell, 7, 4)).toBeCloseTo(100 / (2 * Math.PI), 0);
    expect(at(bell, 8, 4)).toBeCloseTo(at(bell, 7, 4) * Math.exp(-0.5), 3);
    expect(at(bell, 7, 5)).toBeCloseTo(at(bell, 8, 4), 3);
  });

  it('goes on at the border', () => {
    const grey = emptyField(6, 3);
    grey.data.fill(7);
    for (const value of smoothed(grey, 2).data) expect(value).toBeCloseTo(7, 4);
  });
});
