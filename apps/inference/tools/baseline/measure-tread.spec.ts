import { emptyField, type Point } from '../../src/domain/field';
import type { FilterMaps } from './filter-maps';
import { measureFilterMaps, type FilterThresholds } from './measure-tread';

const thresholds: FilterThresholds = {
  minTreadShare: 0.08,
  minResponse: 0.02,
  maxResponse: 0.05,
  minLengthShare: 0.4,
  minRelativeScore: 0.25,
  minRibBalance: 0.4,
  minContinuity: 0.5,
  maxDarkness: 0.92,
  maxWander: 0.009,
  minRubber: 0.3,
  maxSpacingVariation: 0.25,
  minOverlap: 0.6,
  minSpacingShare: 0.04,
  minGrooves: 2,
  maxConfidence: 0.5,
};
const calibration = { treadWidthMm: 200, wallLightShare: 0, scale: 1, offsetMm: 0, deepestMm: 9 };

interface Line {
  /** Signed distance of the line from the middle, across its direction. */
  readonly offset: number;
  readonly darkness: number;
}

/** The exact maps of an image with dark lines 6 pixels wide, tilted clockwise. */
function mapsOf(size: number, tiltDeg: number, lines: readonly Line[], rubber = 1): FilterMaps {
  const [tread, groove, directionX, directionY, reflectance] = [0, 1, 2, 3, 4].map(() => emptyField(size, size));
  const angle = (tiltDeg * Math.PI) / 180;
  for (let i = 0; i < size * size; i++) {
    const across = ((i % size) - size / 2) * Math.cos(angle) + (Math.floor(i / size) - size / 2) * Math.sin(angle);
    tread!.data[i] = rubber;
    reflectance!.data[i] = 0.2;
    for (const { offset, darkness } of lines) {
      const distance = Math.abs(across - offset);
      const strength = 0.4 * Math.max(0, 1 - distance / 4);
      groove!.data[i]! += strength;
      directionX!.data[i]! += strength * Math.cos(2 * angle);
      directionY!.data[i]! += strength * Math.sin(2 * angle);
      if (distance < 3) reflectance!.data[i] = 0.2 * darkness;
    }
  }
  return { tread: tread!, groove: groove!, directionX: directionX!, directionY: directionY!, reflectance: reflectance! };
}

const four: Line[] = [-60, -20, 20, 60].map((offset, i) => ({ offset, darkness: [0.2, 0.4, 0.5, 0.6][i]! }));

const crosses = (a: Point, b: Point, c: Point, d: Point) => {
  const side = (p: Point, q: Point, r: Point) => Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
};

function isSimple(polygon: readonly Point[]): boolean {
  const edges = polygon.map((p, i) => [p, polygon[(i + 1) % polygon.length]!] as const);
  return edges.every(([a, b], i) =>
    edges.every(([c, d], j) => Math.abs(i - j) < 2 || Math.abs(i - j) === edges.length - 1 || !crosses(a, b, c, d)),
  );
}

describe('a tread with four straight grooves', () => {
  it.each([0, 12, -25])('is measured at a tilt of %i degrees', (tiltDeg) => {
    const measurement = measureFilterMaps(mapsOf(200, tiltDeg, four), thresholds, calibration)!;
    expect(measurement.individualRemainingDepthMm).toHaveLength(4);
    expect(measurement.tireRotationDegClockwise).toBeCloseTo(-tiltDeg, -0.5);
    expect(measurement.vehicleSide).toBe('unknown');
  });

  it('orders grooves from left to right, the darker the deeper', () => {
    const { individualRemainingDepthMm: depths, groovesFirstX } = withFirstX(
      measureFilterMaps(mapsOf(200, 0, four), thresholds, calibration)!,
    );
    expect(groovesFirstX).toEqual([...groovesFirstX].sort((a, b) => a - b));
    expect(depths).toEqual([...depths].sort((a, b) => b - a));
  });

  it('draws each groove as a simple polygon around its pixels', () => {
    const { grooveMasks } = measureFilterMaps(mapsOf(200, 12, four), thresholds, calibration)!;
    for (const { polygonXyNorm } of grooveMasks) {
      expect(polygonXyNorm.length).toBeGreaterThan(8);
      expect(polygonXyNorm.length).toBeLessThanOrEqual(200);
      expect(isSimple(polygonXyNorm)).toBe(true);
      expect(polygonXyNorm.every(({ x, y }) => x >= 0 && x <= 1 && y >= 0 && y <= 1)).toBe(true);
    }
  });

  it('takes the median of the grooves for the whole tire', () => {
    const { individualRemainingDepthMm: depths, aggregatedRemainingDepthMm } = measureFilterMaps(
      mapsOf(200, 0, four),
      thresholds,
      calibration,
    )!;
    const sorted = [...depths].sort((a, b) => a - b);
    expect(aggregatedRemainingDepthMm).toBeCloseTo((sorted[1]! + sorted[2]!) / 2, 1);
  });
});

describe('not measured', () => {
  it.each<[string, FilterMaps]>([
    ['smooth rubber', mapsOf(160, 0, [])],
    ['one dark line', mapsOf(160, 0, [{ offset: 0, darkness: 0.3 }])],
    ['grooves without rubber', mapsOf(160, 0, four, 0)],
  ])('%s', (_, maps) => {
    expect(measureFilterMaps(maps, thresholds, calibration)).toBeUndefined();
  });
});

function withFirstX(measurement: NonNullable<ReturnType<typeof measureFilterMaps>>) {
  return { ...measurement, groovesFirstX: measurement.grooveMasks.map(({ polygonXyNorm }) => polygonXyNorm[0]!.x) };
}
