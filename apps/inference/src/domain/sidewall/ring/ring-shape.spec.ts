import { emptyField, sampleField, type Point } from '../../field';
import { coverage, ellipseDistance, fitEllipse, meanRadius, onEllipse, type Ellipse } from './ellipse';
import { naturalHeight, onRingShape, scaledRing, unwrapShape } from './ring-shape';

const oblique: Ellipse = { x: 60, y: 55, xx: 30, xy: 4, yy: 42 };
const pointsOn = (ellipse: Ellipse, from: number, to: number) =>
  Array.from({ length: 120 }, (_, i) => {
    const angle = from + ((to - from) * i) / 120;
    return onEllipse(ellipse, Math.cos(angle), Math.sin(angle));
  });

const inTurn = (points: readonly Point[]) => Float64Array.from(points.flatMap(({ x, y }) => [x, y]));

it('fits an ellipse despite outliers', () => {
  const stray = Array.from({ length: 30 }, (_, i) => ({ x: 100 + i / 3, y: 20 + i }));
  const found = fitEllipse(inTurn([...pointsOn(oblique, 0, 2 * Math.PI), ...stray]))!;
  for (const key of ['x', 'y', 'xx', 'xy', 'yy'] as const) expect(Math.abs(found[key] - oblique[key])).toBeLessThan(0.7);
});

it.each([
  [2, 2],
  [1, 1.5],
  [0.7, 3],
])('scales to an image %f times as wide and %f times as high', (byX, byY) => {
  const { inner } = scaledRing({ inner: oblique, outer: oblique, score: 1 }, byX, byY);
  for (const { x, y } of pointsOn(oblique, 0, 2 * Math.PI)) {
    expect(ellipseDistance(inner, { x: (x + 0.5) * byX - 0.5, y: (y + 0.5) * byY - 0.5 })).toBeCloseTo(1, 6);
  }
});

it('fits a circle to an ambiguous arc', () => {
  const circle: Ellipse = { x: 50, y: 50, xx: 40, xy: 0, yy: 40 };
  const arc = inTurn(pointsOn(circle, 0.3, 1.4));
  const found = fitEllipse(arc)!;
  expect(Math.abs(meanRadius(found) - 40)).toBeLessThan(4);
  expect(coverage(found, arc)).toBeLessThan(0.25);
});

it('unwraps an oblique ring with straight edges, outer edge on top', () => {
  const field = emptyField(128, 128);
  const outer: Ellipse = { x: 64, y: 64, xx: 35, xy: 0, yy: 50 };
  for (let i = 0; i < field.data.length; i++) {
    const distance = ellipseDistance(outer, { x: i % 128, y: Math.floor(i / 128) });
    field.data[i] = distance > 1 ? 120 : distance > 0.66 ? 40 : 180;
  }
  const ring = { outer, inner: { x: 64, y: 64, xx: 0.66 * 35, xy: 0, yy: 0.66 * 50 }, score: 1 };
  const strip = unwrapShape(field, ring, 0.1, 60);
  expect(naturalHeight(ring)).toBeGreaterThan(10);
  for (let x = 0; x < strip.width; x += 7) {
    expect(strip.data[30 * strip.width + x]).toBeCloseTo(40, 0);
    expect(strip.data[x]).toBeGreaterThan(60);
    expect(strip.data[59 * strip.width + x]).toBeGreaterThan(100);
  }
  for (const [x, y] of [
    [5, 30],
    [200, 44],
  ] as const) {
    const point = onRingShape(ring, 60)({ x, y });
    expect(sampleField(field, point.x, point.y)).toBeCloseTo(strip.data[y * strip.width + x]!, 3);
  }
});
