import { contentFixture } from '../content.fixture';
import { type DepthMark, depthMarks, type Point, type StoredSize } from './depth-marks';
import { listedDepths, type Overlay } from '../facts/grooves';
import { KOREAN } from '../words/words-ko';

const WORDS = { bald: '무늬 없음' };

const SIZE: StoredSize = { widthPx: 1_200, heightPx: 900 };
/** The value of the module: a fraction of the side of the square. */
const HEIGHT = 0.084;
const widthOf = ({ text }: Pick<DepthMark, 'text'>): number => text.length * 0.036 + 0.036;

const overlayOf = (depthsMm: readonly (number | null)[], polygons: readonly Point[][], degrees = 0, mirror_x = false): Overlay => {
  const [overlay] = contentFixture().render_data.tread_overlays;
  return {
    ...overlay!,
    remaining_depths_mm: [],
    groove_masks: polygons.map((polygon, index) => ({
      depth_mm: depthsMm[index] ?? null,
      score: 0.9,
      polygon_xy_norm: polygon.map(([x, y]): [number, number] => [x, y]),
    })),
    coordinate_system: { ...overlay!.coordinate_system, rotation_degrees_clockwise: degrees, mirror_x },
  };
};
const upright = (left: number, width: number, top = 0.1, bottom = 0.9): Point[] => [
  [left, top],
  [left + width, top],
  [left + width, bottom],
  [left, bottom],
];

function expectApart(marks: readonly DepthMark[]): void {
  const isOutside = ({ inSquare: [x, y], ...mark }: DepthMark) => Math.abs(x) + widthOf(mark) / 2 > 0.5 || Math.abs(y) + HEIGHT / 2 > 0.5;
  const overlap = (one: DepthMark, other: DepthMark) =>
    Math.abs(one.inSquare[0] - other.inSquare[0]) < (widthOf(one) + widthOf(other)) / 2 &&
    Math.abs(one.inSquare[1] - other.inSquare[1]) < HEIGHT;
  expect(marks.filter(isOutside)).toEqual([]);
  expect(marks.filter((one, index) => marks.slice(index + 1).some((other) => overlap(one, other)))).toEqual([]);
}

describe('depths on their grooves', () => {
  it('are in the middle of each groove', () => {
    const marks = depthMarks(overlayOf([6.24, 10], [upright(0.1, 0.1), upright(0.6, 0.1)]), SIZE, WORDS);
    expect(marks.map(({ text }) => text)).toEqual(['6.2', '10.0']);
    for (const [index, x] of [0.15, 0.65].entries()) {
      expect(marks[index]!.inImage[0]).toBeCloseTo(x);
      expect(marks[index]!.inImage[1]).toBeCloseTo(0.5);
    }
  });

  it('of thin and close grooves are in several rows, each on its groove', () => {
    const lefts = [0.3, 0.36, 0.42, 0.48, 0.54];
    const marks = depthMarks(
      overlayOf(
        [3.4, 3.5, 3.6, 3.7, 3.8],
        lefts.map((left) => upright(left, 0.01)),
      ),
      SIZE,
      WORDS,
    );
    expect(marks).toHaveLength(5);
    expectApart(marks);
    for (const [index, { inImage }] of marks.entries()) {
      expect(inImage[0]).toBeCloseTo(lefts[index]! + 0.005);
      expect(inImage[1]).toBeGreaterThan(0.1);
      expect(inImage[1]).toBeLessThan(0.9);
    }
  });

  // The corner that each clockwise rotation moves there, and then the flip.
  it.each([
    [0, false, [-0.3, -0.225]],
    [90, false, [0.225, -0.3]],
    [180, false, [0.3, 0.225]],
    [270, false, [-0.225, 0.3]],
    [0, true, [0.3, -0.225]],
    [90, true, [-0.225, -0.3]],
  ] as const)(
    'with a rotation of %i degrees and flip %s, a depth in the upper left quarter is shown at %j',
    (degrees, mirrored, [x, y]) => {
      const square = upright(0.1, 0.2, 0.1, 0.3);
      const [mark] = depthMarks(overlayOf([5], [square], degrees, mirrored), SIZE, WORDS);
      expect(mark!.inSquare[0]).toBeCloseTo(x);
      expect(mark!.inSquare[1]).toBeCloseTo(y);
      expect(mark!.inImage[0]).toBeCloseTo(0.2);
      expect(mark!.inImage[1]).toBeCloseTo(0.2);
    },
  );

  it('a bent groove has its depth inside it', () => {
    const bent: Point[] = [
      [0.2, 0],
      [0.3, 0],
      [0.8, 0.5],
      [0.3, 1],
      [0.2, 1],
      [0.7, 0.5],
    ];
    const [mark] = depthMarks(overlayOf([5], [bent]), SIZE, WORDS);
    expect(mark!.inImage[0]).toBeCloseTo(0.75);
  });

  it.each([[SIZE], [{ widthPx: 900, heightPx: 1_200 }], [{ widthPx: 0, heightPx: 0 }]])(
    'never overlap in %j, for any number of grooves',
    (size) => {
      const polygons = Array.from({ length: 24 }, (_, index) => upright(0.4 + index / 1_000, 0.001, 0.45, 0.55));
      for (const degrees of [0, 30, 90, 135]) {
        const marks = depthMarks(overlayOf(Array(24).fill(12.5), polygons, degrees, true), size, WORDS);
        expect(marks.length).toBeGreaterThan(15);
        expectApart(marks);
      }
    },
  );

  it('are omitted without a depth, a groove, or a visible part of it', () => {
    expect(depthMarks(overlayOf([null, 5], [upright(0.1, 0.1), []]), SIZE, WORDS)).toEqual([]);
    const [corner] = depthMarks(overlayOf([5], [upright(0, 0.01, 0, 0.01)], 45), SIZE, WORDS);
    expect(corner === undefined || Math.abs(corner.inSquare[0]) < 0.5).toBe(true);
  });

  it('a groove of one point or of a line has its depth near it', () => {
    const marks = depthMarks(
      overlayOf(
        [5, 6],
        [
          [[0.5, 0.5]],
          [
            [0.2, 0.5],
            [0.2, 0.5],
          ],
        ],
      ),
      SIZE,
      WORDS,
    );
    expect(marks).toHaveLength(2);
    expect(Math.hypot(marks[0]!.inSquare[0], marks[0]!.inSquare[1])).toBeLessThan(0.06);
  });

  it('zones without pattern have a label of their own, which no depth displaces', () => {
    const overlay = overlayOf([3.2, 3.1], [upright(0.3, 0.05), upright(0.6, 0.05)]);
    const zone = {
      place: 'center' as const,
      from_share: 0.4,
      to_share: 0.6,
      polygon_xy_norm: [...upright(0.35, 0.3)].map(([x, y]): [number, number] => [x, y]),
    };
    const marks = depthMarks({ ...overlay, bald_zones: { share_of_width: 0.3, worn_smooth: false, zones: [zone] } }, SIZE, WORDS);
    expect(marks.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['bald 무늬 없음', 'depth 3.2', 'depth 3.1']);
    expect(marks[0]!.inImage[0]).toBeCloseTo(0.5);
    expectApart(marks.slice(1));
  });

  it('a mark has the digits of the list under the image', () => {
    const overlay = { ...overlayOf([1.449999, 2.25], [upright(0.3, 0.05), upright(0.6, 0.05)]), remaining_depths_mm: [1.45, 2.25] };
    const marks = depthMarks(overlay, SIZE, WORDS).map(({ text }) => text);
    expect(marks).toEqual(['1.5', '2.3']);
    expect(listedDepths(KOREAN, overlay, []).map(({ text }) => text)).toEqual(marks);
  });
});
