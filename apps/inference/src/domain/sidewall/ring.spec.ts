import { emptyField, type Field } from '../field';
import { findRings, fittedRing } from './ring';

const findRing = (field: Field, smallestRim?: number) => findRings(field, smallestRim)[0];

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

it('finds a wheel far away where it is asked for one', () => {
  const far = wheel(240, 150, 100, 18, 26);
  const ring = findRing(far, 0.06)!;
  expect([Math.abs(ring.x - 150) <= 2, Math.abs(ring.inner - 18) <= 2, Math.abs(ring.outer - 26) <= 2]).toEqual([true, true, true]);
  expect(findRing(far)?.score ?? 0).toBeLessThan(0.2);
});

it('finds none on an empty picture', () => {
  expect(findRing(emptyField(100, 100))).toBeUndefined();
});

it('never makes one edge of two circles', () => {
  // Half axes of the rim that are just as far apart as the slimmest tire's edges.
  const oblique = wheel(220, 110, 110, 70, 400, 0.8);
  const { inner, outer } = fittedRing(oblique, { x: 110, y: 110, inner: 56, outer: 70, score: 0.5 });
  expect(outer.yy / inner.yy).toBeGreaterThan(1.15);
  expect(outer.xx / inner.xx).toBeGreaterThan(1.15);
});

describe('the edges of a ring', () => {
  const fitted = (field: Field) => fittedRing(field, findRing(field)!);

  it('stay circles where they are seen as such', () => {
    const { inner, outer } = fitted(wheel(160, 76, 84, 48, 70));
    for (const [edge, radius] of [
      [inner, 48],
      [outer, 70],
    ] as const) {
      for (const axis of [edge.xx, edge.yy]) expect(Math.abs(axis - radius)).toBeLessThan(2);
      expect([Math.abs(edge.x - 76) < 2, Math.abs(edge.y - 84) < 2]).toEqual([true, true]);
    }
  });

  it('become ellipses where the wheel is turned away', () => {
    const turnedAway = wheel(200, 100, 96, 52, 80, 0.88);
    const { inner, outer } = fitted(turnedAway);
    expect(Math.abs(inner.xx / inner.yy - 0.88)).toBeLessThan(0.04);
    expect(Math.abs(outer.xx / outer.yy - 0.88)).toBeLessThan(0.04);
    expect(Math.abs(outer.yy - 80)).toBeLessThan(2.5);
  });

  it('lie where they usually do where the outer one is not seen', () => {
    const outwards = fitted(wheel(160, 80, 80, 40, 400));
    expect([Math.abs(outwards.inner.xx - 40) < 2, Math.abs(outwards.outer.xx - 58) < 3]).toEqual([true, true]);
    const inwards = fitted(wheel(160, 80, 80, 1, 60));
    expect([Math.abs(inwards.outer.xx - 60) < 2, Math.abs(inwards.inner.xx - 41.4) < 2]).toEqual([true, true]);
  });
});
