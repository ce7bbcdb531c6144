import type { TireSize } from '@tire/contracts/events';
import { emptyField, type Field } from '../field';
import type { Line, SidewallScan } from './text/line-reader';
import { isSettled, measureSidewall } from './measure-sidewall';
import type { OtherKind } from './size/other-sizes';

const SIZE: TireSize = { sectionWidthMm: 225, aspectRatioPercent: 45, rimDiameterInch: 17 };
const ANOTHER: TireSize = { ...SIZE, aspectRatioPercent: 55 };
const LIMITS = { minConfidence: 0.65, minGuess: 0.3, line: { slope: 1, intercept: 0 }, minBandPx: 40 };
const TODAY = new Date('2026-11-21T00:00:00Z');
const surely = (text: string) => ({ text, certainty: [...text].map(() => 0.999) });

/** A rectangle, a fifth of the image long. */
const placeAt = (x: number, y: number) => [
  { x, y },
  { x: x + 0.2, y },
  { x: x + 0.2, y: y + 0.05 },
  { x, y: y + 0.05 },
];
const PLACE = placeAt(0.5, 0.25);
/** From the middle of that place to the right, and far beyond. */
const LONG = [
  { x: 0.55, y: 0.25 },
  { x: 1, y: 0.25 },
  { x: 1, y: 0.3 },
  { x: 0.55, y: 0.3 },
];
const BOX = { x: 0, y: 0, length: 10, height: 2, angleRad: 0 };

const line = (text: string, over: Partial<Line> = {}): Line => ({
  box: { ...BOX },
  outline: PLACE,
  decodedText: surely(text),
  readings: [],
  other: undefined,
  ...over,
});
const reads = (size: TireSize, logLikelihood = 0) => [{ size, logLikelihood }];
const other = (kind: OtherKind, certainty = 0.95) => ({ kind, certainty });

/** Half black, half light, with a sharp border. */
const image = (light = 160): Field => {
  const field = emptyField(60, 60);
  field.data.forEach((_, i) => (field.data[i] = i % 60 < 30 ? 20 : light));
  return field;
};
const scan = (lines: Line[], over: Partial<SidewallScan> = {}): SidewallScan => ({
  luminance: image(),
  ring: { score: 0.6, bandPx: 120 },
  isDistant: false,
  tread: 'unlikely',
  passes: [{ view: emptyField(1, 1), lines, detections: 1, recognitions: lines.length }],
  ...over,
});
const verdict = (of: SidewallScan) => measureSidewall(of, LIMITS, TODAY);

it('returns the size, its outline, and the other markings', () => {
  const found = verdict(
    scan([line('225/45R17 91W', { readings: reads(SIZE) }), line('DOT 1NTR 4DHR 2319'), line('HANKOOK'), line('RADIAL')]),
  );
  expect(found).toEqual({
    reasons: [],
    measurement: {
      quality: { recognized: true, confidence: 0.99 },
      size: SIZE,
      sizePlace: { polygonXyNorm: PLACE },
      loadIndex: 91,
      speedSymbol: 'W',
      manufactured: { week: 23, year: 2019, ageMonths: 89 },
      brand: 'Hankook',
    },
  });
});

it('takes the outline of the clearest line', () => {
  const best = placeAt(0.75, 0.75);
  const found = verdict(
    scan([
      line('225/45R17', { readings: reads(SIZE, -0.7) }),
      line('225/55R17', { readings: reads(ANOTHER, -3), outline: placeAt(0, 0) }),
      line('225/45R17', { readings: reads(SIZE), outline: best }),
    ]),
  );
  expect(found.measurement?.sizePlace).toEqual({ polygonXyNorm: best });
});

describe('two sizes on one wheel', () => {
  const THIRD: TireSize = { ...SIZE, aspectRatioPercent: 65 };
  const there = { outline: placeAt(0, 0), box: { x: 0, y: 0, length: 11, height: 2, angleRad: 0 } };
  const first = [0, -0.1, 0].map((logLikelihood) => line('225/45R17', { readings: reads(SIZE, logLikelihood), box: BOX }));
  /** The first size, and what the second place shows; the numbers are those of rendered wheels that got the first size. */
  const withSecond = (...second: Line['readings'][]) => [...first, ...second.map((readings) => line('225/55R17', { ...there, readings }))];

  it.each<[string, Line[]]>([
    ['as sure as each other', withSecond(reads(ANOTHER), reads(ANOTHER))],
    [
      'the second of which may be either of two, which halves its vote',
      withSecond(
        [...reads(ANOTHER, -0.03), ...reads(THIRD, -0.08)],
        [...reads(ANOTHER), ...reads(THIRD, -1.8)],
        [...reads(ANOTHER, -2.64), ...reads(THIRD, -2.78)],
      ),
    ],
    ['whose places a long box joins to one', [...first, line('17 91W 225/55R17', { ...there, outline: LONG, readings: reads(ANOTHER) })]],
  ])('%s: gives none, and asks nobody', (_, lines) => {
    const { measurement, reasons } = verdict(scan(lines));
    expect(measurement).toMatchObject({ quality: { recognized: false, confidence: undefined } });
    expect([measurement?.size, measurement?.sizePlace, measurement?.guess]).toEqual([undefined, undefined, undefined]);
    expect(reasons).toEqual(['unreadable']);
    expect(isSettled(lines, LIMITS)).toBe(true);
  });

  it.each<[string, Line[]]>([
    ['the same one twice', withSecond(reads(SIZE), reads(SIZE))],
    ['a second one that is not sure', withSecond(reads(ANOTHER, -3.7))],
    [
      'and another one in another box of the same text, where a misread digit explains it',
      [...first, line('225/55R17', { box: there.box, readings: [...reads(ANOTHER), ...reads(SIZE, -1.3)] })],
    ],
  ])('%s: the first one is given', (_, lines) => {
    expect(verdict(scan(lines))).toMatchObject({ measurement: { size: SIZE, quality: { recognized: true } }, reasons: [] });
    expect(isSettled(lines, LIMITS)).toBe(true);
  });

  it('are searched for until a size is sure', () => {
    expect(isSettled([], LIMITS)).toBe(false);
    expect(isSettled([line('225/45R17', { readings: reads(SIZE, -2) })], LIMITS)).toBe(false);
  });
});

it('returns none of contradicting dates, load indices or brands', () => {
  const found = verdict(
    scan([
      line('225/45R17 91W', { readings: reads(SIZE) }),
      line('225/45R17 94V', { readings: reads(SIZE) }),
      line('DOT 1NTR 4DHR 2319'),
      line('DOT 1NTR 4DHR 2819'),
      line('HANKOOK'),
      line('KUMHO'),
    ]),
  );
  const { loadIndex, speedSymbol, manufactured, brand } = found.measurement!;
  expect([loadIndex, speedSymbol, manufactured, brand]).toEqual([undefined, undefined, undefined, undefined]);
});

it('returns date and brand without a size, but no outline and no load index', () => {
  const { measurement } = verdict(scan([line('DOT 1NTR 4DHR 2319'), line('225/45R17 91W', { readings: reads(SIZE, -2) })]));
  expect(measurement).toMatchObject({
    quality: { recognized: false, confidence: undefined },
    manufactured: { week: 23 },
  });
  expect([measurement?.size, measurement?.sizePlace, measurement?.loadIndex]).toEqual([undefined, undefined, undefined]);
});

describe('a guess', () => {
  /** The score of one line is the root of the likelihood of its size. */
  const guessOf = (probability: number, over: Partial<Line> = {}) =>
    verdict(scan([line('225/45R17', { readings: reads(SIZE, 2 * Math.log(probability)), ...over })])).measurement;

  it.each([
    ['below the bar', 0.6, undefined, SIZE],
    ['at the least that is worth a question', 0.31, undefined, SIZE],
    ['below that', 0.29, undefined, undefined],
    ['of a size that was read', 0.7, SIZE, undefined],
  ])('%s', (_, probability, size, guess) => {
    const found = guessOf(probability);
    expect([found?.size, found?.guess]).toEqual([size, guess]);
  });

  it('is none where the tire has a size of another kind', () => {
    expect(guessOf(0.6, { other: other('truck') })).toMatchObject({ size: undefined, guess: undefined });
  });
});

describe('a size of another kind of tire', () => {
  it.each<OtherKind>(['truck', 'motorcycle', 'flotation', 'no_aspect_ratio'])('%s: is recognized and not returned', (kind) => {
    const found = verdict(scan([line('12R22.5', { other: other(kind) })]));
    expect([found.measurement?.size, found.reasons]).toEqual([undefined, ['unsupported_size']]);
  });

  it('is not mistaken for a truncated car size', () => {
    expect(verdict(scan([line('165R16', { other: other('no_aspect_ratio', 0.7) })])).reasons).toEqual(['unreadable']);
  });

  it("also votes against its beginning, which was read elsewhere as a car's size", () => {
    const lines = [line('225/70R19', { readings: reads(SIZE) }), line('225/70R19.5', { other: other('truck') })];
    expect(verdict(scan(lines))).toMatchObject({ measurement: { quality: { recognized: false } }, reasons: ['unsupported_size'] });
  });

  it("does not vote against where it cannot begin like a car's size", () => {
    const lines = [line('225/45R17', { readings: reads(SIZE) }), line('155R16', { other: other('no_aspect_ratio') })];
    expect(verdict(scan(lines))).toMatchObject({ measurement: { size: SIZE }, reasons: [] });
  });
});

describe('the reason why a size was not read', () => {
  const nothing = scan([], { ring: undefined });
  it.each<[string, SidewallScan, string[], boolean]>([
    ['nothing is there', nothing, ['not_a_sidewall'], false],
    ['scribbles without a ring', scan([line('II')], { ring: undefined }), ['not_a_sidewall'], false],
    ['nothing is to be seen in the dark', { ...nothing, luminance: image(30) }, ['too_dark'], false],
    ['a wheel in the dark', scan([], { luminance: image(30) }), ['too_dark'], true],
    ['a wheel far away', scan([line('MICHELIN')], { ring: { score: 0.6, bandPx: 25 } }), ['too_far'], true],
    ['surely a tread', { ...nothing, tread: 'surely', isDistant: true }, ['tread_in_sidewall_slot'], false],
    ['likely a tread', scan([], { tread: 'likely' }), ['tread_in_sidewall_slot'], false],
    ['likely a tread, with letters', scan([line('TUBELESS')], { tread: 'likely' }), ['tread_in_sidewall_slot'], false],
    [
      'likely a tread, with a size of another vehicle',
      scan([line('33X12.50R20', { other: { kind: 'flotation', certainty: 0.9 } })], { tread: 'likely' }),
      ['unsupported_size'],
      true,
    ],
    ['a wheel farther away than that', { ...nothing, isDistant: true }, ['too_far'], false],
    ['a wheel whose letters nobody can read', scan([line('TUBELESS')]), ['unreadable'], true],
    ['letters without a ring', scan([line('TUBELESS')], { ring: undefined }), ['unreadable'], true],
  ])('%s', (_, of, reasons, isSidewall) => {
    const found = verdict(of);
    expect([found.reasons, found.measurement !== undefined]).toEqual([reasons, isSidewall]);
  });

  it('is absent where a size was read', () => {
    const likely = scan([line('225/45R17', { readings: reads(SIZE) })], { tread: 'likely' });
    expect(verdict(likely)).toMatchObject({ measurement: { size: SIZE }, reasons: [] });
    const dark = scan([line('225/45R17', { readings: reads(SIZE) })], { luminance: image(30), ring: { score: 1, bandPx: 20 } });
    expect(verdict(dark)).toMatchObject({ measurement: { size: SIZE }, reasons: [] });
  });
});

it('maps the score to a probability with the calibration line', () => {
  const halfSure = scan([line('225/45R17', { readings: reads(SIZE, -0.3) })]);
  const confidenceUnder = (slope: number, intercept: number) =>
    measureSidewall(halfSure, { ...LIMITS, minConfidence: 0, line: { slope, intercept } }, TODAY).measurement?.quality?.confidence;
  expect(confidenceUnder(1, 0)).toBeCloseTo(0.86, 2);
  expect(confidenceUnder(1, 2)).toBeCloseTo(0.97, 2);
  expect(measureSidewall(halfSure, { ...LIMITS, line: { slope: 1, intercept: -2 } }, TODAY).measurement?.size).toBeUndefined();
});

const PLACE_BOX = { x: 3, y: 0, length: 10, height: 2, angleRad: 0 };

describe('several readings', () => {
  const box = (x: number) => ({ x, y: 0, length: 10, height: 2, angleRad: 0 });
  const confidenceOf = (...lines: Line[]) =>
    measureSidewall(scan(lines), { ...LIMITS, minConfidence: 0 }, TODAY).measurement!.quality!.confidence!;
  const halfSure = { readings: reads(SIZE, -2) };

  it('give one vote per place', () => {
    const once = confidenceOf(line('225/45R17', halfSure));
    expect(confidenceOf(line('225/45R17', halfSure), line('225/45R17', { ...halfSure, box: box(1) }))).toBe(once);
    expect(confidenceOf(line('225/45R17', halfSure), line('225/45R17', { ...halfSure, outline: placeAt(0, 0.8) }))).toBeGreaterThan(once);
  });

  it('are decided by the box with the complete text, whatever its parts are read as', () => {
    const whole = line('225/45R17', { readings: reads(SIZE), box: box(1) });
    const part = line('45R17', { readings: reads(ANOTHER, -6), box: box(2) });
    expect(confidenceOf(whole, part, part)).toBe(confidenceOf(whole));
  });

  it('may elect a size that none of them ranks first', () => {
    const third: TireSize = { ...SIZE, rimDiameterInch: 18 };
    const both = (first: TireSize) => [...reads(first), ...reads(third, -0.05)];
    const lines = [SIZE, SIZE, ANOTHER, ANOTHER].map((size) => line('2254517', { readings: both(size), box: PLACE_BOX }));
    expect(measureSidewall(scan(lines), LIMITS, TODAY).measurement).toMatchObject({ size: third, sizePlace: { polygonXyNorm: PLACE } });
  });
});
