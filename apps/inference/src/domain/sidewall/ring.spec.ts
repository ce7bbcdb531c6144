import { emptyField, sampleField } from '../field';
import { findRing, onRing, unwrap } from './ring';

function wheel(size: number, x: number, y: number, inner: number, outer: number) {
  const field = emptyField(size, size);
  for (let i = 0; i < field.data.length; i++) {
    const r = Math.hypot((i % size) - x, Math.floor(i / size) - y);
    field.data[i] = r < inner ? 180 : r < outer ? 40 : 120;
  }
  return field;
}

it('finds the two circles of a wheel', () => {
  const ring = findRing(wheel(160, 76, 84, 48, 70))!;
  expect(Math.abs(ring.x - 76)).toBeLessThanOrEqual(2);
  expect(Math.abs(ring.y - 84)).toBeLessThanOrEqual(2);
  expect(Math.abs(ring.inner - 48)).toBeLessThanOrEqual(2);
  expect(Math.abs(ring.outer - 70)).toBeLessThanOrEqual(2);
  expect(ring.score).toBeGreaterThan(0.8);
});

it('finds a wheel far away where it is asked for one', () => {
  const far = wheel(240, 150, 100, 18, 26);
  const ring = findRing(far, 0.06)!;
  expect([Math.abs(ring.x - 150) <= 2, Math.abs(ring.inner - 18) <= 2, Math.abs(ring.outer - 26) <= 2]).toEqual([true, true, true]);
  expect(findRing(far)?.score ?? 0).toBeLessThan(0.2);
});

it('finds none on an empty picture', () => {
  expect(findRing(emptyField(100, 100))).toBeUndefined();
});

it('lays the ring out straight with the outer edge on top', () => {
  const field = wheel(160, 80, 80, 50, 70);
  const strip = unwrap(field, { x: 80, y: 80, inner: 40, outer: 75, score: 1 }, 0.1);
  expect(strip.height).toBe(35);
  expect(strip.width).toBe(Math.round(2 * Math.PI * 57.5 * 1.1));
  const column = (y: number) => strip.data[y * strip.width + 100]!;
  expect([column(1), column(15), column(33)].map(Math.round)).toEqual([120, 40, 180]);
});

it('finds a point of the ring laid out where it was before', () => {
  const field = emptyField(160, 160);
  field.data.forEach((_, i) => (field.data[i] = (i % 160) + 2 * Math.floor(i / 160)));
  const ring = { x: 80, y: 70, inner: 30, outer: 60, score: 1 };
  const strip = unwrap(field, ring, 0.1);
  for (const [x, y] of [
    [3, 2],
    [100, 15],
    [290, 28],
  ] as const) {
    const point = onRing(ring)({ x, y });
    expect(sampleField(field, point.x, point.y)).toBeCloseTo(strip.data[y * strip.width + x]!, 3);
  }
});
