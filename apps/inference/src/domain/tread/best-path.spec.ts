import { emptyField, type Field } from '../field';
import { pathSearch } from './best-path';

const COSTS = { bias: 0.5, stepPenalty: 0.25 };
const LINES = [
  { at: 10, value: 0.9 },
  { at: 30, value: 0.8 },
  { at: 48, value: 0.7 },
];

/** Three lines that bend. */
function lines(width = 60, height = 50): Field {
  const field = emptyField(width, height);
  for (let y = 0; y < height; y++) {
    const bend = Math.round(4 * Math.sin(y / 9));
    for (const { at, value } of LINES) field.data[y * width + at + bend] = value;
  }
  return field;
}

describe('a search for paths', () => {
  it('finds the strongest line first, as long as the field is high', () => {
    const path = pathSearch(lines(), COSTS).best()!;
    expect([path.top, path.xs.length, path.xs[0]]).toEqual([0, 50, 10]);
    expect(path.strength).toBeCloseTo(0.9, 5);
  });

  it('finds nothing on an empty field', () => {
    expect(pathSearch(emptyField(20, 10), COSTS).best()).toBeUndefined();
  });

  it('finds after each clearing what a search from the start finds', () => {
    const response = lines();
    const search = pathSearch(response, COSTS);
    const found = [];
    for (let path = search.best(); path; path = search.best()) {
      expect(path).toEqual(pathSearch({ ...response, data: response.data.slice() }, COSTS).best());
      found.push(path.xs[0]);
      path.xs.forEach((x, i) => search.clear(path!.top + i, Math.max(0, x - 2), x + 2));
    }
    expect(found.slice(0, 3)).toEqual([10, 30, 48]);
  });
});
