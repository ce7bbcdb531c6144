import { emptyField, type Field } from '../../field';
import { edgesOf } from './edges';
import { onEllipse, type Ellipse } from './ellipse';
import { findCircles, findRings, fittedRing, type Search } from './ring';

const findRing = (field: Field, search?: Search) => findCircles(field, search)?.dark.ring;

function wheel(size: number, x: number, y: number, inner: number, outer: number, squeezed = 1) {
  const field = emptyField(size, size);
  for (let i = 0; i < field.data.length; i++) {
    const r = Math.hypot(((i % size) - x) / squeezed, Math.floor(i / size) - y);
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

it('finds a small wheel when the search allows it', () => {
  const far = wheel(240, 150, 100, 18, 26);
  const ring = findRing(far, { smallestRim: 0.06, large: 0 })!;
  expect([Math.abs(ring.x - 150) <= 2, Math.abs(ring.inner - 18) <= 2, Math.abs(ring.outer - 26) <= 2]).toEqual([true, true, true]);
  expect(findRing(far)?.score ?? 0).toBeLessThan(0.2);
});

it('prefers the clear ring to a larger, fainter circle', () => {
  const far = wheel(240, 150, 100, 18, 26);
  for (let i = 0; i < far.data.length; i++) {
    const [x, y] = [(i % 240) - 150, Math.floor(i / 240) - 100];
    const isArc = Math.abs(Math.atan2(y, x)) < 1.2;
    if (isArc && Math.hypot(x, y) > 60) far.data[i] = 90;
  }
  expect(Math.abs(findRing(far, { smallestRim: 0.06, large: 0 })!.inner - 18)).toBeLessThan(3);
});

it('finds none on an empty image', () => {
  expect(findRings(emptyField(100, 100))).toEqual([]);
});

/** The largest distance of an ellipse from a squeezed circle, in pixels across the squeeze. */
const worstMiss = (edge: Ellipse, x: number, y: number, radius: number, acrossX: number, acrossY: number) =>
  Math.max(
    ...Array.from({ length: 24 }, (_, i) => {
      const point = onEllipse(edge, Math.cos((i * Math.PI) / 12), Math.sin((i * Math.PI) / 12));
      return Math.abs(Math.hypot((point.x - x) / acrossX, (point.y - y) / acrossY) - radius);
    }),
  );

it.each([
  [0.95, 1],
  [0.88, 1],
  [0.8, 1],
  [0.74, 1],
  [1, 0.9],
  [1, 0.8],
])('finds a wheel seen at an angle, %f as wide and %f as high', (acrossX, acrossY) => {
  const size = 240;
  const field = emptyField(size, size);
  for (let i = 0; i < field.data.length; i++) {
    const [x, y] = [i % size, Math.floor(i / size)];
    const r = Math.hypot((x - 122) / acrossX, (y - 118) / acrossY);
    field.data[i] = r < 72 ? 150 + 30 * Math.cos(6 * Math.atan2(y - 118, x - 122)) : r < 104 ? 40 : 30 + y / 2;
  }
  const [ring] = findRings(field);
  expect(worstMiss(ring!.inner, 122, 118, 72, acrossX, acrossY)).toBeLessThan(4);
  expect(worstMiss(ring!.outer, 122, 118, 104, acrossX, acrossY)).toBeLessThan(5);
});

it('finds the wheel, not a rounder object on it', () => {
  const hub = wheel(200, 100, 100, 70, 96);
  for (let i = 0; i < hub.data.length; i++) {
    const r = Math.hypot((i % 200) - 100, Math.floor(i / 200) - 100);
    if (r > 44 && r < 60) hub.data[i] = 20;
  }
  const [ring] = findRings(hub);
  expect([Math.abs(ring!.inner.xx - 70) < 3, Math.abs(ring!.outer.xx - 96) < 3]).toEqual([true, true]);
});

it('never fits both circles to one edge', () => {
  // The half axes of the rim differ by as much as the edges of the slimmest tire.
  const oblique = wheel(220, 110, 110, 70, 400, 0.8);
  const { inner, outer } = fittedRing(edgesOf(oblique), { x: 110, y: 110, inner: 56, outer: 70, score: 0.5 });
  expect(outer.yy / inner.yy).toBeGreaterThan(1.15);
  expect(outer.xx / inner.xx).toBeGreaterThan(1.15);
});

describe('the edges of a ring', () => {
  const fitted = (field: Field) => fittedRing(edgesOf(field), findRing(field)!);

  it('stay circles where the wheel is seen from the front', () => {
    const { inner, outer } = fitted(wheel(160, 76, 84, 48, 70));
    for (const [edge, radius] of [
      [inner, 48],
      [outer, 70],
    ] as const) {
      for (const axis of [edge.xx, edge.yy]) expect(Math.abs(axis - radius)).toBeLessThan(2);
      expect([Math.abs(edge.x - 76) < 2, Math.abs(edge.y - 84) < 2]).toEqual([true, true]);
    }
  });

  it('become ellipses where the wheel is seen at an angle', () => {
    const rejected = wheel(200, 100, 96, 52, 80, 0.88);
    const { inner, outer } = fitted(rejected);
    expect(Math.abs(inner.xx / inner.yy - 0.88)).toBeLessThan(0.04);
    expect(Math.abs(outer.xx / outer.yy - 0.88)).toBeLessThan(0.04);
    expect(Math.abs(outer.yy - 80)).toBeLessThan(2.5);
  });

  it('are at the usual ratio where the outer one is not visible', () => {
    const outwards = fitted(wheel(160, 80, 80, 40, 400));
    expect([Math.abs(outwards.inner.xx - 40) < 2, Math.abs(outwards.outer.xx - 58) < 3]).toEqual([true, true]);
    const inwards = fitted(wheel(160, 80, 80, 1, 60));
    expect([Math.abs(inwards.outer.xx - 60) < 2, Math.abs(inwards.inner.xx - 41.4) < 2]).toEqual([true, true]);
  });
});
