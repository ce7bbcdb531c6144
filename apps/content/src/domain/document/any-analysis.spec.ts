import { Content, type ContentSection } from '@tire/contracts/api';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { canonicalJson } from './canonical-json';
import { generateContent } from './generate';
import { API_URL, type Car, CONTENT_REVISION, NO_IMAGE, type Size, snapshotOf } from '../fixtures/snapshot.fixture';
import type { Snapshot } from '../source/source';
import { readSnapshot } from '../../revisions/snapshot';

/** CONTENT_PROPERTY_RUNS=100000 is the thorough run; the default keeps `npm test` short. */
const RUNS = Number(process.env['CONTENT_PROPERTY_RUNS'] ?? 600);
const PER_RUN_MS = 20;

const RANK = { good: 0, unknown: 1, caution: 2, critical: 3 };

const four = <T>(one: fc.Arbitrary<T>) => fc.tuple(one, one, one, one);
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

// Depths near the thresholds and the limits of rounding, and depths that no tire has.
const edge = fc.constantFrom(0, 0.04, 1.55, 1.6, 1.64, 1.649, 1.65, 2.95, 3, 3.04, 3.049, 3.05, 7.5, 7.45, 30, 1.25, 1.35);
const unsound = fc.constantFrom(-0.1, 30.1, 1e308, 5e-324);
const depth = fc.oneof(often(10, fc.double({ min: 0, max: 12, noNaN: true })), often(10, edge), often(1, unsound));
const even = fc
  .tuple(
    fc.double({ min: 0, max: 11, noNaN: true }),
    fc.array(fc.double({ min: 0, max: 0.8, noNaN: true }), { minLength: 3, maxLength: 5 }),
  )
  .map(([from, more]) => more.map((mm) => from + mm));
const sloped = fc
  .tuple(fc.double({ min: 0, max: 5, noNaN: true }), fc.double({ min: -2, max: 2, noNaN: true }), fc.integer({ min: 3, max: 5 }))
  .map(([from, step, grooves]) => Array.from({ length: grooves }, (_, index) => Math.max(0, from + step * index)));
const arched = fc
  .tuple(fc.double({ min: 0, max: 8, noNaN: true }), fc.double({ min: 0, max: 8, noNaN: true }))
  .map(([shoulder, center]) => [shoulder, center, center, shoulder]);

const oneDepths: fc.Arbitrary<NonNullable<Car['depths']>[number]> = fc.oneof(
  often(4, fc.array(depth, { maxLength: 7 })),
  often(4, even),
  often(3, sloped),
  often(3, arched),
  often(2, fc.constantFrom(null, NO_IMAGE)),
);
const anySize: fc.Arbitrary<Size> = fc.tuple(
  fc.integer({ min: 0, max: 400 }),
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 30 }),
);
const oneSize: fc.Arbitrary<NonNullable<Car['sizes']>[number]> = fc.oneof(
  often(6, fc.constantFrom<Size>([225, 45, 17], [225, 45, 17], [245, 40, 18], [205, 55, 16])),
  often(1, anySize),
  often(2, fc.constantFrom(null, NO_IMAGE)),
);
const car: fc.Arbitrary<Car> = fc.record({
  depths: four(oneDepths),
  sizes: fc.option(four(oneSize), { nil: undefined }),
  template: fc.constantFrom('tire_4t_2s', 'tire_4t_4s'),
  mode: fc.constantFrom('automatic', 'automatic', 'manual'),
  rulesetVersion: fc.constantFrom('1.0', '1.1'),
  confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
});

type Damage = (slots: Snapshot['slots']) => Snapshot['slots'];
const index = fc.nat({ max: 7 });
/** Snapshots that the contract allows: slots are missing or doubled, or hold the analysis of another slot. A slot without an image has none. */
const damage: fc.Arbitrary<Damage> = fc.oneof(
  often(
    8,
    fc.constant<Damage>((slots) => slots),
  ),
  often(
    1,
    index.map(
      (at): Damage =>
        (slots) =>
          slots.filter((_slot, i) => i !== at),
    ),
  ),
  often(
    1,
    index.map((at): Damage => (slots) => [...slots, ...slots.slice(at, at + 1)]),
  ),
  often(
    1,
    fc.tuple(index, index).map(
      ([at, from]): Damage =>
        (slots) =>
          slots.map((slot, i) => (i === at && slot.asset ? { ...slot, analysis: (slots[from] ?? slot).analysis } : slot)),
    ),
  ),
);

function bytesOf(one: Car, damageSlots: Damage): Buffer {
  const snapshot = snapshotOf(one);
  return Buffer.from(JSON.stringify({ ...snapshot, slots: damageSlots(snapshot.slots) }));
}

const jsonOf = (bytes: Buffer): string => canonicalJson(generateContent(readSnapshot(bytes), CONTENT_REVISION, API_URL).content).toString();

type SectionOf<Id extends ContentSection['section_id']> = Extract<ContentSection, { section_id: Id }>;
const sectionOf = <Id extends ContentSection['section_id']>(content: Content, id: Id) =>
  content.sections.find((section): section is SectionOf<Id> => section.section_id === id);

const tenth = (value: number): number => Math.round(value * 10) / 10;
const shown = (value: number, unit: string): string => `${value.toFixed(1)}${unit}`;

function neverBetterThanItsWorstTire({ overall, tires, sections }: Content): void {
  const worst = Math.max(...tires.map(({ severity }) => RANK[severity]));
  assert.ok(RANK[overall!.severity] >= worst);
  assert.equal(RANK[sections.find(({ section_id }) => section_id === 'tread_wear')!.severity], worst);
}

/** The sentence of a tire compares its depth with a limit. */
const COMPARISON = /가 (\d+\.\d)mm로 (?:권장 기준|마모 한계선)\((\d\.\d)mm\)(보다 깊|보다 얕|과 같|에 이르)/;

function tiresAgree({ tires }: Content): void {
  for (const { minimum_remaining_depth_mm: depthMm, severity, narrative } of tires) {
    if (depthMm === null) {
      assert.equal(severity, 'unknown');
      assert.doesNotMatch(narrative!, /\d/);
      continue;
    }
    assert.equal(severity, depthMm <= 1.6 ? 'critical' : depthMm <= 3 ? 'caution' : 'good');
    const [, shownDepth, limit, relation] = COMPARISON.exec(narrative!)!;
    assert.equal(shownDepth, depthMm.toFixed(1));
    const order = Math.sign(Number(shownDepth) - Number(limit));
    assert.equal(relation, order > 0 ? '보다 깊' : order < 0 ? '보다 얕' : severity === 'critical' ? '에 이르' : '과 같');
  }
}

/** Every number in the text of a section is one of its metrics. */
function sectionsAgree(content: Content): void {
  for (const { section_id, paragraphs, metrics } of content.sections) {
    const known = Object.values(metrics).flatMap((value) => (typeof value === 'number' ? [value.toFixed(1), String(value)] : []));
    const specs = section_id === 'sidewall_spec' ? Object.values(metrics).filter((value) => typeof value === 'string') : [];
    const text = specs.reduce((left, spec) => left.replaceAll(spec, ''), paragraphs.join(' '));
    for (const [number] of text.matchAll(/\d+(?:\.\d+)?/g)) assert.ok(known.includes(number), text);
  }
}

function brakingAgrees(content: Content): void {
  const { metrics, paragraphs, severity } = sectionOf(content, 'braking_distance')!;
  const lowest = sectionOf(content, 'tread_wear')!.metrics.minimum_remaining_depth_mm;
  assert.equal(metrics.current_tire_distance_m === null, lowest === null);
  if (lowest === null) return assert.equal(severity, 'unknown');
  const gapM = tenth(metrics.current_tire_distance_m! - metrics.new_tire_distance_m!);
  const percent = tenth((gapM / metrics.new_tire_distance_m!) * 100);
  assert.equal(metrics.distance_gap_m, gapM);
  assert.equal(metrics.band, percent < 10 ? 'short' : percent < 30 ? 'moderate' : 'long');
  if (content.generator.ruleset_version === '1.1') assert.equal(metrics.distance_gap_percent, percent);
  assert.ok(paragraphs[0]!.includes(shown(metrics.current_tire_distance_m!, 'm')));
  assert.equal(
    paragraphs.some((one) => one.startsWith(`차이는 약 ${shown(gapM, 'm')}`)),
    gapM > 0,
  );
}

function axlesAgree(content: Content): void {
  const [frontLeft, frontRight, rearLeft, rearRight] = content.tires.map(({ minimum_remaining_depth_mm }) => minimum_remaining_depth_mm);
  const { metrics, paragraphs } = sectionOf(content, 'position_variance')!;
  const delta = (left: number | null, right: number | null) => (left === null || right === null ? null : tenth(Math.abs(left - right)));
  const front = delta(frontLeft!, frontRight!);
  const rear = delta(rearLeft!, rearRight!);
  assert.deepEqual([metrics.front_axle_delta_mm, metrics.rear_axle_delta_mm], [front, rear]);
  for (const [axle, deltaMm] of [
    ['앞바퀴', front],
    ['뒷바퀴', rear],
  ] as const) {
    const sentence = paragraphs.find((one) => one.startsWith(axle))!;
    if (deltaMm) assert.ok(sentence.includes(shown(deltaMm, 'mm')), sentence);
    else if (metrics.max_axle_delta_mm !== null)
      assert.ok(sentence.endsWith(deltaMm === 0 ? '같습니다.' : '확인하지 못했습니다.'), sentence);
  }
}

function sizesAgree(content: Content): void {
  const section = sectionOf(content, 'sidewall_spec');
  const recognized = content.render_data.sidewall_specs.filter((spec) => spec.recognized).length;
  if (!section) return assert.deepEqual(content.render_data.sidewall_specs, []);
  const manual = sectionOf(content, 'wear_pattern') === undefined;
  if (!manual) assert.equal(section.metrics.recognized_count, recognized);
  for (const spec of [section.metrics.front_spec, section.metrics.rear_spec])
    if (spec !== null) assert.ok(section.paragraphs.join(' ').includes(spec));
}

function readsLikeKorean({ overall, tires, sections }: Content): void {
  const texts = [
    overall!.headline,
    ...overall!.paragraphs,
    ...tires.map(({ narrative }) => narrative!),
    ...sections.flatMap(({ paragraphs }) => paragraphs),
  ];
  for (const text of texts) assert.match(text, /^[가-힣][^/]*(?:\d+\/\d+R\d+[^/]*)?[다요]\.$/);
  for (const { paragraphs } of [overall!, ...sections]) assert.equal(new Set(paragraphs).size, paragraphs.length);
}

describe('any analysis', () => {
  it(
    `gives a valid and consistent document (${RUNS} analyses)`,
    () => {
      fc.assert(
        fc.property(car, damage, (one, damageSlots) => {
          const bytes = bytesOf(one, damageSlots);
          const json = jsonOf(bytes);
          assert.equal(jsonOf(Buffer.from(bytes)), json);
          const content = Content.parse(JSON.parse(json));
          neverBetterThanItsWorstTire(content);
          tiresAgree(content);
          sectionsAgree(content);
          brakingAgrees(content);
          axlesAgree(content);
          sizesAgree(content);
          readsLikeKorean(content);
        }),
        { numRuns: RUNS },
      );
    },
    120_000 + RUNS * PER_RUN_MS,
  );
});
