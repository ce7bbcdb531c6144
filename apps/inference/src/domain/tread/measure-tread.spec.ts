import type { Point } from '../field';
import { drawn, four, GROOVE_HALF_PX, thresholds } from './drawn-tread.fixture';
import { measureTread, type View } from './measure-tread';
import type { TreadMaps } from './tread-maps';

const whole: View = { left: 0, top: 0, width: 1, height: 1 };

const measured = (maps: TreadMaps, view = whole) => {
  const { measurement } = measureTread(maps, view, thresholds);
  if (!measurement) throw new Error('not measured');
  return measurement;
};

const crosses = (a: Point, b: Point, c: Point, d: Point) => {
  const side = (p: Point, q: Point, r: Point) => Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
};

function isSimple(polygon: readonly Point[]): boolean {
  const edges = polygon.map((p, i) => [p, polygon[(i + 1) % polygon.length]!] as const);
  return edges.every(([a, b], i) => edges.every(([c, d], j) => i === j || !crosses(a, b, c, d)));
}

const areaOf = (polygon: readonly Point[]) =>
  Math.abs(
    polygon.reduce((sum, p, i) => sum + p.x * polygon[(i + 1) % polygon.length]!.y - polygon[(i + 1) % polygon.length]!.x * p.y, 0),
  ) / 2;

describe('four grooves in exact maps', () => {
  it.each([0, 8, -21, 35, -60])('become polygons at a tilt of %i degrees, each with its depth', (tiltDeg) => {
    const maps = drawn({ tiltDeg, width: 300, height: 300 });
    const { grooveMasks, individualRemainingDepthMm, tireRotationDegClockwise } = measured(maps);
    expect(individualRemainingDepthMm).toEqual([2, 3, 4.5, 6]);
    expect(Math.abs(tireRotationDegClockwise! + tiltDeg)).toBeLessThan(0.5);
    grooveMasks.forEach(({ polygonXyNorm, depthMm, score }, i) => {
      expect(isSimple(polygonXyNorm)).toBe(true);
      expect(polygonXyNorm.length).toBeLessThanOrEqual(200);
      expect(depthMm).toBe(individualRemainingDepthMm[i]);
      expect(score).toBeGreaterThan(0.95);
      const own = maps.depth.data.reduce((count, mm, at) => count + (mm === depthMm && maps.groove.data[at] === 1 ? 1 : 0), 0);
      expect(areaOf(polygonXyNorm) * 300 * 300).toBeGreaterThan(own * 0.9);
      expect(areaOf(polygonXyNorm) * 300 * 300).toBeLessThan(own * 1.1);
    });
  });

  it('are located to a pixel', () => {
    const { grooveMasks } = measured(drawn());
    grooveMasks.forEach(({ polygonXyNorm }, i) => {
      const xs = polygonXyNorm.map(({ x }) => x * 240);
      const middle = 120 + four[i]!.at * 80;
      expect(Math.abs(Math.min(...xs) - (middle - GROOVE_HALF_PX))).toBeLessThanOrEqual(1);
      expect(Math.abs(Math.max(...xs) - (middle + GROOVE_HALF_PX))).toBeLessThanOrEqual(1);
    });
  });

  it('are placed in the whole image when the maps show a part of it', () => {
    const inPart = measured(drawn(), { left: 0.5, top: 0.25, width: 0.5, height: 0.5 });
    const inWhole = measured(drawn());
    const moved = inWhole.grooveMasks[2]!.polygonXyNorm.map(({ x, y }) => ({ x: 0.5 + x / 2, y: 0.25 + y / 2 }));
    inPart.grooveMasks[2]!.polygonXyNorm.forEach(({ x, y }, i) => {
      expect(x).toBeCloseTo(moved[i]!.x, 4);
      expect(y).toBeCloseTo(moved[i]!.y, 4);
    });
    expect(inPart.treadRoiBboxNorm!.x1).toBeCloseTo(0.5 + inWhole.treadRoiBboxNorm!.x1 / 2, 4);
  });

  it.each<[string, [number, number, number], string, number[]]>([
    ['the outside on the left', [0.1, 0.8, 0.1], 'right', [2, 3, 4.5, 6]],
    ['the outside on the right', [0.1, 0.1, 0.8], 'left', [6, 4.5, 3, 2]],
    ['an outside that is not sure', [0.1, 0.6, 0.3], 'unknown', [2, 3, 4.5, 6]],
    ['no outside', [0.9, 0.05, 0.05], 'unknown', [2, 3, 4.5, 6]],
  ])('are ordered from the outside with %s', (_, side, vehicleSide, depths) => {
    const measurement = measured(drawn({}, { side }));
    expect([measurement.vehicleSide, measurement.individualRemainingDepthMm]).toEqual([vehicleSide, depths]);
    expect(measurement.grooveMasks.map(({ depthMm }) => depthMm)).toEqual(depths);
  });

  it.each([60, 89.5, 90, -89.5, -60])('keep that order at %d degrees, whichever end is up', (tiltDeg) => {
    const scene = { tiltDeg, width: 300, height: 300 };
    const turnedBy180 = { rotationRad: ((tiltDeg - 180) * Math.PI) / 180, side: [0.1, 0.1, 0.8] as const };
    const [one, other] = [drawn(scene, { side: [0.1, 0.8, 0.1] }), drawn(scene, turnedBy180)].map((maps) => measured(maps));
    expect(one!.individualRemainingDepthMm).toEqual([2, 3, 4.5, 6]);
    expect(other).toEqual(one);
  });

  it('give the tire their median depth and its lifetime', () => {
    expect(measured(drawn())).toMatchObject({ aggregatedRemainingDepthMm: 3.75, estimatedLifetimeKm: 17_917 });
    expect(measured(drawn({ grooves: four.slice(0, 3) }))).toMatchObject({ aggregatedRemainingDepthMm: 3 });
  });

  it('give the bounds of the tread', () => {
    const { x1, y1, x2, y2 } = measured(drawn()).treadRoiBboxNorm!;
    expect(Math.abs(x1 - 40 / 240)).toBeLessThan(0.02);
    expect(Math.abs(x2 - 200 / 240)).toBeLessThan(0.02);
    expect([y1 < 0.02, y2 > 0.98]).toEqual([true, true]);
  });
});

it('a groove under a stone stays one groove with a lower score', () => {
  const { grooveMasks } = measured(drawn({ hidden: (along) => Math.abs(along) < 20 }));
  expect(grooveMasks).toHaveLength(4);
  expect(grooveMasks[0]!.score).toBeCloseTo(0.8, 1);
  expect(isSimple(grooveMasks[0]!.polygonXyNorm)).toBe(true);
});

it('the depth of a groove is that of its most certain pixels', () => {
  const maps = drawn();
  maps.groove.data.forEach((inside, i) => {
    if (inside !== 1 || maps.depth.data[i] !== 2 || i % 3 === 0) return;
    maps.depth.data[i] = 5;
    maps.spread.data[i] = 2;
  });
  expect(measured(maps).individualRemainingDepthMm[0]).toBe(2);
});

it('a speck beside long grooves is no groove', () => {
  const maps = drawn({ grooves: four.slice(0, 3) });
  for (let y = 90; y < 96; y++) for (let x = 164; x < 174; x++) maps.groove.data[y * 240 + x] = 1;
  expect(measured(maps).grooveMasks).toHaveLength(3);
});

it('confidence falls with undecided pixels', () => {
  const certainty = measured(drawn()).quality!.confidence!;
  const blurry = drawn();
  blurry.groove.data.forEach((value, i) => (blurry.groove.data[i] = value === 1 ? 0.7 : 0.3));
  const unsure = drawn();
  unsure.spread.data.fill(2);
  for (const maps of [blurry, unsure, drawn({}, { isTread: 0.6 })])
    expect(measured(maps).quality!.confidence!).toBeLessThan(certainty * 0.7);
});

describe('a photograph that should be taken again', () => {
  it.each<[string, TreadMaps, string[]]>([
    ['nothing is wrong', drawn(), []],
    ['dark', drawn({}, { brightness: 0.05 }), ['too_dark']],
    ['bright', drawn({}, { brightness: 0.95 }), ['too_bright']],
    ['blurred', drawn({}, { blurPx: 4 }), ['blurred']],
    ['far', drawn({ width: 900, height: 300, half: 40 }), ['too_far']],
    ['at an angle', oblique(), ['too_oblique']],
  ])('%s: is measured, with the reason', (_, maps, reasons) => {
    const verdict = measureTread(maps, whole, thresholds);
    expect([verdict.measurement !== undefined, verdict.reasons]).toEqual([true, reasons]);
  });

  it.each<[string, TreadMaps, string[]]>([
    ['no tread', drawn({}, { isTread: 0.4 }), ['not_a_tread']],
    ['no tread, in the dark', drawn({}, { isTread: 0.1, brightness: 0.01 }), ['too_dark', 'not_a_tread']],
    ['a tread without grooves', drawn({ grooves: [] }), ['not_a_tread']],
    ['no pixel of rubber', drawn({ half: 0.1, grooves: [] }), ['not_a_tread']],
    ['specks of rubber', specks(), ['not_a_tread']],
    ['rubber that is nowhere likely', hesitant(), ['not_a_tread']],
  ])('%s: is refused, with the reason', (_, maps, reasons) => {
    const verdict = measureTread(maps, whole, thresholds);
    expect([verdict.measurement, verdict.reasons]).toEqual([undefined, reasons]);
  });
});

/** One pixel too few of tread, all at one lateral position, with grooves on hardly any tread. */
function specks(): TreadMaps {
  const maps = drawn();
  maps.tread.data.fill(0.45);
  for (let i = 0; i < 199; i++) maps.tread.data[i * 240 + 50] = 1;
  return maps;
}

function hesitant(): TreadMaps {
  const maps = drawn();
  maps.tread.data.forEach((value, i) => (maps.tread.data[i] = value * 0.45));
  return maps;
}

/** The right shoulder has far fewer pixels than the left one. */
function oblique(): TreadMaps {
  const maps = drawn();
  maps.lateral.data.forEach((value, i) => (maps.lateral.data[i] = value < 0 ? value * 0.99 : value > 0.9 ? 0.95 : value * 0.3));
  maps.tread.data.forEach((_, i) => (maps.tread.data[i] = Math.abs(maps.lateral.data[i]!) <= 1 ? maps.tread.data[i]! : 0));
  return maps;
}
