import type { TreadMeasurement } from '@tire/contracts/events';
import { groovesAcross } from './across';
import { calibrated, fitted, crossValidated, MIN_IMAGES } from './calibration';
import { errorTable, pairsOf, type Compared } from './errors';
import { readingsOf, ReadingsFault } from './readings';

describe('gauge.csv', () => {
  it('accepts any order of rows, spaces, a byte order mark, and both line ends', () => {
    const csv = '\uFEFFfile, groove, depth_mm\r\nb.jpg, 2, 3.5\r\na.jpg,1,6\r\n\r\nb.jpg,1,0\r\n';
    expect([...readingsOf(csv)]).toEqual([
      ['b.jpg', [0, 3.5]],
      ['a.jpg', [6]],
    ]);
  });

  it.each([
    ['name,groove,depth_mm\na.jpg,1,2', 'line 1'],
    ['file,groove,depth_mm\na.jpg,1,2\na.jpg,0,2', 'line 3: groove must be 1 to 9, is 0'],
    ['file,groove,depth_mm\na.jpg,1.5,2', 'line 2: groove must be 1 to 9'],
    ['file,groove,depth_mm\na.jpg,1,', 'line 2: depth_mm must be 0 to 25'],
    ['file,groove,depth_mm\na.jpg,1,-1', 'line 2: depth_mm'],
    ['file,groove,depth_mm\na.jpg,1,45', 'line 2: depth_mm'],
    ['file,groove,depth_mm\na.jpg,1,2;5', 'line 2: depth_mm'],
    ['file,groove,depth_mm\na.jpg,1', 'line 2: must be'],
    ['file,groove,depth_mm\na.jpg,1,2\na.jpg,1,3', 'line 3: groove 1 of a.jpg is there twice'],
    ['file,groove,depth_mm\na.jpg,1,2\na.jpg,3,3', 'a.jpg has groove 3 and no groove 2'],
  ])('refuses %j', (csv, message) => {
    expect(() => readingsOf(csv)).toThrow(ReadingsFault);
    expect(() => readingsOf(csv)).toThrow(message);
  });
});

const depthsAcross = (...of: Parameters<typeof groovesAcross>) => groovesAcross(...of).map(({ depthMm }) => depthMm);

describe('the order across an image', () => {
  const groove = (depthMm: number, x: number, y: number) => ({
    depthMm,
    score: 1,
    polygonXyNorm: [
      { x: x - 0.01, y: y - 0.3 },
      { x: x + 0.01, y: y + 0.3 },
    ],
  });
  const measured = (...grooveMasks: ReturnType<typeof groove>[]) => ({ grooveMasks }) as unknown as TreadMeasurement;
  const upright = { width: 400, height: 300, orientation: 1 };

  it('is from left to right, whatever the order of the measurement', () => {
    expect(depthsAcross(measured(groove(3, 0.8, 0.5), groove(2, 0.5, 0.5), groove(1, 0.2, 0.5)), upright)).toEqual([1, 2, 3]);
  });

  it('is from the top down where the tread lies on its side', () => {
    expect(depthsAcross(measured(groove(2, 0.5, 0.7), groove(1, 0.52, 0.2)), upright)).toEqual([1, 2]);
  });

  /** Stored x = 0.2, 0.8; ordered as the viewer sees them. */
  it.each([
    [1, [1, 2]],
    [2, [2, 1]],
    [3, [2, 1]],
    [4, [1, 2]],
    [5, [1, 2]],
    [6, [1, 2]],
    [7, [2, 1]],
    [8, [2, 1]],
  ])('is that of the upright image: EXIF orientation %i', (orientation, order) => {
    expect(depthsAcross(measured(groove(1, 0.2, 0.5), groove(2, 0.8, 0.5)), { ...upright, orientation })).toEqual(order);
  });
});

const image = (file: string, gaugeMm: number[], measuredMm: number[] | null): Compared => ({ file, gaugeMm, measuredMm });

describe('errors against a gauge', () => {
  it('cover images with equal groove counts; the others are counted', () => {
    const table = errorTable([image('a', [2, 4.2], [2.4, 4.2]), image('b', [6], [4.8]), image('c', [3, 3], [3]), image('d', [3], null)]);
    expect(table).toMatchObject({ images: 4, refused: 1, countExact: 2, grooves: 3 });
    expect(table.meanAbsoluteMm).toBeCloseTo((0.4 + 0 + 1.2) / 3);
    expect(table.biasMm).toBeCloseTo((0.4 + 0 - 1.2) / 3);
    expect([table.within05, table.within10]).toEqual([2 / 3, 2 / 3]);
    expect(table.buckets.map(({ fromMm, grooves }) => [fromMm, grooves])).toEqual([
      [2, 1],
      [4, 1],
      [6, 1],
    ]);
  });
});

describe('calibration', () => {
  const truth = [1.7, 2.4, 3.1, 3.9, 4.6, 5.4, 6.2, 7.1];
  const line = (gaugeMm: number) => (gaugeMm - 0.3) / 1.2;

  it('finds the line, also with a quarter of wrong readings', () => {
    const pairs = truth.map((gaugeMm) => ({ gaugeMm, measuredMm: line(gaugeMm), intervalMm: null }));
    expect(fitted(pairs).scale).toBeCloseTo(1.2);
    expect(fitted(pairs).offsetMm).toBeCloseTo(0.3);
    const spoilt = pairs.map((pair, i) => (i % 4 === 1 ? { ...pair, gaugeMm: 12 } : pair));
    expect(fitted(spoilt).scale).toBeCloseTo(1.2, 1);
  });

  it('gives only an offset for a small range of depths, and bounds the slope', () => {
    const close = [3, 3.4, 3.9].map((gaugeMm, i) => ({ gaugeMm, measuredMm: 4 + i * 0.3, intervalMm: null }));
    expect(fitted(close)).toEqual({ scale: 1, offsetMm: expect.closeTo(-0.9, 5) as number });
    const steep = truth.map((gaugeMm) => ({ gaugeMm: gaugeMm * 5, measuredMm: gaugeMm, intervalMm: null }));
    expect(fitted(steep).scale).toBe(2);
  });

  it('is cross-validated', () => {
    const noisy = truth.map((gaugeMm, i) => image(`${i}`, [gaugeMm, gaugeMm], [line(gaugeMm) + 0.2 * (-1) ** i, line(gaugeMm)]));
    const { calibration, leftOutMeanAbsoluteMm } = crossValidated(noisy);
    const seen = noisy.flatMap(pairsOf).map(({ gaugeMm, measuredMm }) => Math.abs(calibrated(measuredMm, calibration) - gaugeMm));
    expect(leftOutMeanAbsoluteMm).toBeGreaterThan(seen.reduce((sum, error) => sum + error, 0) / seen.length);
    expect(leftOutMeanAbsoluteMm).toBeLessThan(0.3);
  });

  it('needs enough images', () => {
    const few = truth.slice(0, MIN_IMAGES - 1).map((gaugeMm) => image('x', [gaugeMm], [gaugeMm]));
    expect(() => crossValidated([...few, image('y', [1, 2], [1])])).toThrow('7 photographs have as many grooves');
  });

  it('never makes a depth negative', () => expect(calibrated(0.2, { scale: 1, offsetMm: -1 })).toBe(0));
});
