import fc from 'fast-check';
import { canonicalJson } from './domain/canonical-json';
import { generateContent } from './domain/generate';
import { parseAroundOutlines } from './domain/outlines';
import { API_URL, CONTENT_REVISION, snapshotOf } from './domain/snapshot.fixture';
import { readSnapshot } from './snapshot';

const RUNS = 2_500;

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const asDrawn = fc.integer({ min: 0, max: 100_000 }).map((step) => String(step / 100_000));
/** As many ways to write a number as there are, and some that look like one. */
const odd = fc.constantFrom(
  ...['-0', '0.0', '1.0', '1.50', '0.50', '0.10', '1.01', '-0.1', '1e21', '1e0', '0.1e1', '5e-1', '5E-1', '1e-7', '1e999', '5e-324'],
  ...['0.000001', '0.0000001', '0.0000012', '0.123456789012345', '0.1234567890123456', '0.30000000000000004', '0.00000123456789012345'],
  ...['0.99999999999999994', '0.999999999999999999', '00.5', '.5', '0.', '+0.5', '0x1', 'null', '"0.5"', '[0.5]', '{}', ''],
);
const anyDouble = fc.double({ min: 0, max: 1, noNaN: true }).map(String);
const anyDigits = fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 1e9 })).map(([zeros, digits]) => `0.${'0'.repeat(zeros)}${digits}`);
const share = fc.oneof(often(60, asDrawn), often(1, odd), often(2, anyDouble), often(2, anyDigits));

const sound = fc.tuple(share, share).map(([x, y]) => `[${x},${y}]`);
const oddPoint = fc.oneof(
  fc.array(share, { maxLength: 4 }).map((shares) => `[${shares.join()}]`),
  fc.tuple(share, share, fc.constantFrom(' ', '\n', '\t')).map(([x, y, space]) => `[${x},${space}${y}]`),
  share,
);
const points = fc.array(fc.oneof(often(60, sound), often(1, oddPoint)), { maxLength: 9 });
const outline = fc.oneof(
  often(
    30,
    points.map((all) => `[${all.join()}]`),
  ),
  often(
    1,
    points.map((all) => `[${all.join()},]`),
  ),
  often(
    1,
    points.map((all) => `[[${all.join()}]]`),
  ),
  often(1, fc.constantFrom('null', '7', '"outline cut out #0"', '"outline cut out \\u00230"', '{}', '[[0,0]', '[0,0]]')),
);

/** What follows an outline in its mask, or stands in the mask itself under the same name. */
const trailer = fc.oneof(
  often(30, fc.constant('')),
  often(
    1,
    outline.map((again) => `,"polygon_xy_norm":${again}`),
  ),
  often(
    1,
    outline.map((again) => `,"polygon\\u005fxy_norm":${again}`),
  ),
  often(
    1,
    outline.map((again) => `,"more":{"polygon_xy_norm":${again}}`),
  ),
  often(
    1,
    outline.map((again) => `,"a\\",\\"polygon_xy_norm":${again}`),
  ),
);
const plate = fc.oneof(
  often(4, fc.constantFrom('12가 3456', null, 'outline cut out #1', '\\u0023', ',"polygon_xy_norm":[[0.5,0.5]],')),
  often(2, fc.string({ unit: 'binary' })),
);

const DEPTHS = [
  [6, 5.9, 5.8],
  [5, 5, 5],
  [2, 2, 1],
  [7, 3, 7],
] as const;
const MASKS = DEPTHS.flat().length;

/** The bytes of a ledger whose engine writes what it likes where an outline belongs. */
const snapshotText = fc
  .record({
    plate,
    drawings: fc.array(fc.tuple(outline, trailer), { minLength: MASKS, maxLength: MASKS }),
    side: fc.oneof(often(9, fc.constant('right')), often(1, fc.constant('top'))),
  })
  .map(({ plate: onPlate, drawings, side }) => {
    const left = drawings.map(([drawn, more]) => `"polygon_xy_norm":${drawn}${more}`);
    return JSON.stringify(snapshotOf({ plate: onPlate, depths: DEPTHS }))
      .replace('"vehicle_side":"right"', `"vehicle_side":"${side}"`)
      .replaceAll(/"polygon_xy_norm":\[\[.*?\]\]/g, () => left.shift()!);
  });

/** With a space where a writer of compact JSON has none: nothing is cut out of it. */
const spaced = (text: string): string => text.replaceAll('"polygon_xy_norm":', '"polygon_xy_norm": ');

const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The document and what was wrong, or that the bytes are no JSON or no snapshot. */
function made(text: string, print: (content: unknown) => string): { json: string; faults: readonly string[] } | 'refused' {
  const read = attempt(() => readSnapshot(Buffer.from(text)));
  if (!read) return 'refused';
  const { content, faults } = generateContent(read.snapshot, CONTENT_REVISION, API_URL);
  return { json: print(content), faults: [...read.faults, ...faults] };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const cutOutOf = (text: string): number => parseAroundOutlines(Buffer.from(text)).outlines.size;

describe('outlines that stay text', () => {
  it(`give the document and the faults that parsed ones give (${RUNS} analyses)`, () => {
    const seen = { refused: 0, faulty: 0, whole: 0, cutOut: 0 };
    fc.assert(
      fc.property(snapshotText, (text) => {
        const fast = made(text, (content) => canonicalJson(content).toString());
        expect(fast).toEqual(made(spaced(text), (content) => JSON.stringify(content, inOrder)));
        if (fast === 'refused') return void (seen.refused += 1);
        seen[fast.faults.length > 0 ? 'faulty' : 'whole'] += 1;
        seen.cutOut += cutOutOf(text);
        expect(cutOutOf(spaced(text))).toBe(0);
      }),
      { numRuns: RUNS },
    );
    // Of each kind enough that the comparison says something.
    expect(Math.min(seen.refused, seen.faulty, seen.whole)).toBeGreaterThan(RUNS / 20);
    expect(seen.cutOut).toBeGreaterThan((seen.faulty + seen.whole) * 2);
  }, 120_000);

  it.each([
    ['as the engine draws it', '[[0.12345,0],[1,0.5],[0.00001,0.99999]]', true],
    ['of no point', '[]', true],
    ['of the smallest number without an exponent', '[[0.000001,0]]', true],
    ['of fifteen digits', '[[0.123456789012345,0]]', true],
    ['of more digits than a number surely keeps', '[[0.1234567890123456,0]]', false],
    ['of a number that is printed with an exponent', '[[0.0000001,0]]', false],
    ['with a zero at the end of a number', '[[0.50,0]]', false],
    ['with a negative zero', '[[-0,0]]', false],
    ['with a point outside of the picture', '[[0.5,1.1]]', false],
    ['with spaces', '[[0.5, 0]]', false],
  ])('%s: %s, cut out: %s', (_name, outline, isCut) => {
    const text = `{"polygon_xy_norm":${outline}}`;
    expect(cutOutOf(text)).toBe(isCut ? 1 : 0);
    if (isCut) expect(JSON.stringify(JSON.parse(outline))).toBe(outline);
    else expect(parseAroundOutlines(Buffer.from(text)).value).toEqual(JSON.parse(text));
  });

  it('of hundreds of thousands of points are cut out, and refused where the last is unsound', () => {
    const many = new Array<string>(300_000).fill('[0.12345,0.54321]').join();
    expect(cutOutOf(`{"polygon_xy_norm":[${many}]}`)).toBe(1);
    expect(cutOutOf(`{"polygon_xy_norm":[${many},[2,0]]}`)).toBe(0);
  });
});
