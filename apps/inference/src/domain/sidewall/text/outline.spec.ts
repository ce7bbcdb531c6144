import { outlineOf } from './outline';

const same = (point: { x: number; y: number }) => point;
const box = { x: 50, y: 40, length: 40, height: 10, angleRad: 0 };

it('surrounds the box of a straight line, in shares of the image', () => {
  const outline = outlineOf(box, same, { width: 100, height: 100 });
  expect(outline[0]).toEqual({ x: 0.305, y: 0.355 });
  expect(outline[8]).toEqual({ x: 0.705, y: 0.355 });
  expect(outline[9]).toEqual({ x: 0.705, y: 0.455 });
  expect(outline.at(-1)).toEqual({ x: 0.305, y: 0.455 });
});

it('surrounds the box of a vertical line, too', () => {
  const outline = outlineOf({ ...box, angleRad: Math.PI / 2 }, same, { width: 100, height: 100 });
  expect(outline[0]!.x).toBeCloseTo(0.555);
  expect(outline[0]!.y).toBeCloseTo(0.205);
});

it('ends at the border of the image', () => {
  const outline = outlineOf({ ...box, x: 95, y: -2 }, same, { width: 100, height: 100 });
  expect(outline.every(({ x, y }) => x >= 0 && x <= 1 && y >= 0 && y <= 1)).toBe(true);
  expect(Math.max(...outline.map(({ x }) => x))).toBe(1);
});

it('is bent like the line in the image', () => {
  const bent = ({ x, y }: { x: number; y: number }) => ({ x, y: y + (x - 50) ** 2 / 100 });
  const outline = outlineOf(box, bent, { width: 100, height: 100 });
  expect(outline[4]!.y).toBeLessThan(outline[0]!.y - 0.03);
});
