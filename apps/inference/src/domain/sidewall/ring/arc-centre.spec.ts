import { seeded } from '../../../samples/noise';
import { emptyField, type Field, type Point } from '../../field';
import { findArcCentre } from './arc-centre';
import { straightened } from '../text/text-view';

/** Ribs around a centre, `period` pixels apart. */
function ribs(width: number, height: number, centre: Point, period = 12): Field {
  const field = emptyField(width, height);
  for (let i = 0; i < field.data.length; i++) {
    const r = Math.hypot((i % width) - centre.x, Math.floor(i / width) - centre.y);
    field.data[i] = 128 + 100 * Math.sin((2 * Math.PI * r) / period);
  }
  return field;
}

it.each<[string, Point]>([
  ['below', { x: 130, y: 420 }],
  ['below on the left', { x: -120, y: 380 }],
  ['above', { x: 100, y: -260 }],
  ['on the right', { x: 560, y: 60 }],
])('finds the centre of a partly visible wheel: %s', (_, centre) => {
  const found = findArcCentre(ribs(240, 160, centre))!;
  const miss = Math.hypot(found.x - centre.x, found.y - centre.y);
  expect(miss / Math.hypot(centre.x - 120, centre.y - 80)).toBeLessThan(0.15);
});

it('is far away, perpendicular to the lines, where lines are straight', () => {
  const field = emptyField(240, 160);
  for (let i = 0; i < field.data.length; i++) field.data[i] = 128 + 100 * Math.sin(Math.floor(i / 240) / 2);
  const found = findArcCentre(field)!;
  expect(Math.abs(found.y - 80)).toBeGreaterThan(1000);
  expect(Math.abs(found.x - 120)).toBeLessThan(200);
});

const noise = seeded(5);
it.each<[string, Field]>([
  ['nothing', emptyField(100, 100)],
  ['no lines', { ...emptyField(200, 150), data: Float32Array.from({ length: 30_000 }, () => 255 * noise()) }],
  ['a whole wheel', ribs(200, 200, { x: 100, y: 100 })],
])('does not exist where there is %s', (_, field) => {
  expect(findArcCentre(field)).toBeUndefined();
});

it('never lies inside the image, even if edges run around a point there', () => {
  const found = findArcCentre(ribs(200, 200, { x: 190, y: 190 }));
  expect(found === undefined || found.x > 200 || found.y > 200 || found.x < 0 || found.y < 0).toBe(true);
});

describe.each<[string, Point]>([
  ['below', { x: 90, y: 420 }],
  ['above', { x: 100, y: -260 }],
])('unwrapped around a centre %s', (_, centre) => {
  const field = ribs(240, 160, centre);
  const { fine, toImage } = straightened(field, centre);

  it('lines are horizontal in the middle', () => {
    const row = (y: number) => Array.from({ length: 41 }, (_, i) => fine.data[y * fine.width + Math.round(fine.width / 2) - 20 + i]!);
    for (let y = Math.round(fine.height * 0.4); y < fine.height * 0.6; y++) {
      expect(Math.max(...row(y)) - Math.min(...row(y))).toBeLessThan(25);
    }
  });

  it('up stays up and left stays left', () => {
    const at = (x: number, y: number) => toImage({ x: x * fine.width, y: y * fine.height });
    expect(at(0.5, 0.3).y).toBeLessThan(at(0.5, 0.7).y);
    expect(at(0.3, 0.5).x).toBeLessThan(at(0.7, 0.5).x);
  });
});
