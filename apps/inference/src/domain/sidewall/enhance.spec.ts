import { emptyField, type Field } from '../field';
import { resized } from './enhance';

const ramp = (width: number, height: number): Field => {
  const field = emptyField(width, height);
  for (let i = 0; i < field.data.length; i++) field.data[i] = 3 * (i % width) + 5 * Math.floor(i / width);
  return field;
};
const at = ({ data, width }: Field, x: number, y: number) => data[y * width + x]!;

describe('a resized picture', () => {
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
