import { emptyField } from '../../field';
import { clamped } from '../enhance';
import { cutOut, meanAlong, textBoxes, widthOf } from './text-boxes';

function marked(boxes: readonly (readonly [number, number, number, number])[]) {
  const field = emptyField(300, 100);
  for (const [left, top, right, bottom] of boxes) for (let y = top; y < bottom; y++) field.data.fill(1, y * 300 + left, y * 300 + right);
  return field;
}

it('grows each area by the margin that the detector omits', () => {
  const [box] = textBoxes(marked([[50, 40, 150, 60]]), 0.3, 8);
  expect(box!.x).toBeCloseTo(99.5, 0);
  expect(box!.height).toBeGreaterThan(40);
  expect(box!.length).toBeGreaterThan(120);
  expect(box!.angleRad).toBeCloseTo(0);
});

it('joins neighbours on one line and nothing else', () => {
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

it('joins the three pieces of a line, but not two rows', () => {
  const pieces = [
    [20, 40, 70, 60],
    [82, 40, 130, 60],
    [142, 40, 190, 60],
  ] as const;
  const boxes = textBoxes(marked(pieces), 0.3, 8);
  const longest = boxes.reduce((best, box) => (box.length > best.length ? box : best));
  expect(boxes).toHaveLength(6);
  expect([Math.abs(longest.x - 105) < 8, Math.abs(longest.y - 49.5) < 1, longest.length > 170, longest.length < 230]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  const rows = [
    [20, 20, 160, 36],
    [30, 44, 170, 60],
  ] as const;
  expect(textBoxes(marked(rows), 0.3, 8)).toHaveLength(2);
});

it('ignores specks', () => {
  expect(textBoxes(marked([[20, 40, 23, 42]]), 0.3, 8)).toEqual([]);
});

it('crops a box upright', () => {
  const field = marked([[100, 40, 200, 60]]);
  const box = { x: 149.5, y: 49.5, length: 100, height: 40, angleRad: 0 };
  const crop = cutOut(field, box, widthOf(box, 48, 960), 48);
  expect([crop.width, crop.height]).toEqual([120, 48]);
  expect(crop.data[2 * 120 + 60]).toBe(0);
  expect(crop.data[24 * 120 + 60]).toBe(1);
});

it('crops a tilted box across an edge: each pixel is the mean of interpolated points', () => {
  const field = emptyField(60, 40);
  field.data.forEach((_, i) => (field.data[i] = (i * 7919) % 251));
  const box = { x: 50, y: 12, length: 70, height: 30, angleRad: 0.3 };
  const crop = cutOut(field, box, 35, 10);
  const at = (x: number, y: number) => {
    const [u, v] = [(x / 35 - 0.5) * 70, (y / 10 - 0.5) * 30];
    return clamped(field, 50 + u * Math.cos(0.3) - v * Math.sin(0.3), 12 + u * Math.sin(0.3) + v * Math.cos(0.3));
  };
  for (const [x, y] of [
    [0, 0],
    [17, 4],
    [34, 9],
    [30, 2],
  ] as const) {
    const points = [1, 3, 5].flatMap((i) => [1, 3, 5].map((j) => at(x + i / 6, y + j / 6)));
    expect(crop.data[y * 35 + x]).toBeCloseTo(points.reduce((sum, point) => sum + point, 0) / 9, 3);
  }
});

it('averages a map along a tilted line of text', () => {
  const map = emptyField(100, 60);
  for (let x = 0; x < 100; x++) for (let y = 0; y < 60; y++) map.data[y * 100 + x] = Math.abs(y - 30 - (x - 50) / 5) < 4 ? 1 : 0;
  const box = { x: 50, y: 30, length: 80, height: 10 };
  expect(meanAlong(map, { ...box, angleRad: Math.atan(0.2) })).toBeCloseTo(1);
  expect(meanAlong(map, { ...box, angleRad: -0.6 })).toBeLessThan(0.5);
});
