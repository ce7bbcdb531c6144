import { emptyField } from '../../field';
import { plainOf, stripAround } from './text-view';

/** A strip of 2,000 pixels whose view is half as long. Each pixel has its column as value. */
const fine = emptyField(2_000, 10);
fine.data.forEach((_, i) => (fine.data[i] = i % 2_000));
const strip = plainOf(fine);
const view = emptyField(1_000, 5);
const box = (x: number, length: number) => ({ x, y: 2, length, height: 3, angleRad: 0 });
const partAround = (x: number, length: number) => {
  const { fine: part, toImage } = stripAround(strip, view, box(x, length), 300);
  return [part.data[0], part.width, toImage({ x: 10, y: 4 })];
};

it.each([
  ['around a short text', 500, 100, 700, 600],
  ['at the start of the strip', 20, 100, 0, 600],
  ['at its end', 990, 100, 1_400, 600],
  ['around a text that is longer than the least length', 500, 800, 200, 1_600],
  ['around a text that is longer than the strip', 500, 1_200, 0, 2_000],
])('a part %s has its place in the image', (_, x, length, left, width) => {
  expect(partAround(x, length)).toEqual([left, width, { x: left + 10, y: 4 }]);
});
