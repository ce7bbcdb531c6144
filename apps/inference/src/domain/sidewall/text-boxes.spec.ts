import { emptyField } from '../field';
import { cutOut, textBoxes } from './text-boxes';

function marked(boxes: readonly (readonly [number, number, number, number])[]) {
  const field = emptyField(300, 100);
  for (const [left, top, right, bottom] of boxes) for (let y = top; y < bottom; y++) field.data.fill(1, y * 300 + left, y * 300 + right);
  return field;
}

it('grows each area by what the detector leaves off', () => {
  const [box] = textBoxes(marked([[50, 40, 150, 60]]), 0.3, 8);
  expect(box!.x).toBeCloseTo(99.5, 0);
  expect(box!.height).toBeGreaterThan(40);
  expect(box!.length).toBeGreaterThan(120);
  expect(box!.angleRad).toBeCloseTo(0);
});

it('joins neighbours on one line and leaves strangers alone', () => {
  expect(
    textBoxes(
      marked([
        [20, 40, 100, 60],
        [115, 40, 180, 60],
      ]),
      0.3,
      8,
    ),
  ).toHaveLength(3);
  expect(
    textBoxes(
      marked([
        [20, 10, 100, 30],
        [200, 70, 280, 90],
      ]),
      0.3,
      8,
    ),
  ).toHaveLength(2);
});

it('forgets specks', () => {
  expect(textBoxes(marked([[20, 40, 23, 42]]), 0.3, 8)).toEqual([]);
});

it('cuts a box out upright', () => {
  const field = marked([[100, 40, 200, 60]]);
  const crop = cutOut(field, { x: 149.5, y: 49.5, length: 100, height: 40, angleRad: 0 }, 48, 960);
  expect([crop.width, crop.height]).toEqual([120, 48]);
  expect(crop.data[2 * 120 + 60]).toBe(0);
  expect(crop.data[24 * 120 + 60]).toBe(1);
});
