import type { Content, ContentSection, ContentTire } from '@tire/contracts/api';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { anyCar, anySide, drawn } from '../fixtures/any-car.fixture';
import { API_URL, CONTENT_REVISION } from '../fixtures/snapshot.fixture';
import { KOREAN } from '../copy/ko-2.0';
import { generateContent } from './generate';

/** CONTENT_PROPERTY_RUNS=100000 is the thorough run; the default keeps `npm test` short. */
const RUNS = Number(process.env['CONTENT_PROPERTY_RUNS'] ?? 400);
const PER_RUN_MS = 20;

const RANK = { good: 0, unknown: 1, caution: 2, critical: 3 };
const AXLES = ['front', 'rear'] as const;

type Section = ContentSection['section_id'];
const sectionOf = <Id extends Section>({ sections }: Content, id: Id) =>
  sections.find((one): one is Extract<ContentSection, { section_id: Id }> => one.section_id === id);

const isShared = ({ same_image_slot_ids: others }: ContentTire): boolean => (others ?? []).length > 0;
const isUnseen = ({ unseen_parts: parts }: ContentTire): boolean => (parts ?? []).length > 0;
const isFaulty = (tire: ContentTire): boolean => tire.severity === 'critical' || !!tire.bald || isShared(tire) || isUnseen(tire);
const isMeasured = ({ minimum_remaining_depth_mm: depthMm, bald }: ContentTire): boolean => depthMm !== null || !!bald;

function neverBetterThanATire({ overall, tires, sections }: Content): void {
  const worst = Math.max(...tires.map(({ severity }) => RANK[severity]));
  assert.ok(RANK[overall!.severity] >= worst);
  for (const { section_id, severity } of sections)
    if (overall!.severity !== 'critical') assert.notEqual(severity, 'critical', `${section_id} is worse than the car`);
}

/** The sections that are about treads. Sizes are read from other images. */
function goodOfSoundTiresOnly(content: Content): void {
  for (const id of ['tread_wear', 'braking_distance', 'wear_pattern', 'position_variance'] as const)
    if (sectionOf(content, id)?.severity === 'good') assert.ok(!content.tires.some(isFaulty), id);
  const sizes = sectionOf(content, 'sidewall_spec');
  const { sidewall_specs: specs } = content.render_data;
  if (sizes?.severity === 'good') assert.ok(specs.every(({ same_image_slot_ids: others }) => others!.length === 0));
}

function criticalOfMeasuredTiresOnly(content: Content): void {
  if (content.tires.some((tire) => tire.severity === 'critical' && isMeasured(tire))) return;
  for (const { section_id, severity } of content.sections) assert.notEqual(severity, 'critical', section_id);
  assert.notEqual(content.overall!.severity, 'critical');
}

/** Aged rubber: neither its wheel nor its stop is good, and no kilometres are left. */
function oldTiresNotGood(content: Content): void {
  for (const { age_advice: advice, severity, remaining_distance_km: km } of content.tires) {
    if (advice !== 'replace') continue;
    assert.notEqual(severity, 'good');
    assert.equal(km, null);
    assert.notEqual(sectionOf(content, 'braking_distance')!.severity, 'good');
  }
}

/** The sentences for grooves whose wear is not known. Grooves that surely differ have other sentences. */
const UNKNOWN_WEAR = (['wear.fewGrooves', 'wear.lowConfidence', 'wear.wideInterval'] as const).map((reason) => KOREAN.sentences[reason]());

/** Kilometres are those of wear that may be even, and are round. */
function kilometresOfEvenWearOnly(content: Content): void {
  for (const { remaining_distance_km: km, wear_pattern: wear, bald, unseen_parts: unseen } of content.tires) {
    if (!km) continue;
    assert.ok(!unseen?.length);
    assert.ok(!bald && (wear === null || wear.code === 'even_wear' || UNKNOWN_WEAR.includes(wear.description)));
    for (const end of km) assert.equal(end % (end < 10_000 ? 100 : 1_000), 0);
  }
}

/** Grooves beside a bald zone or an unseen part, and images in two slots, compare nothing. */
function axlesOfSoundTiresOnly(content: Content): void {
  const { metrics } = sectionOf(content, 'position_variance')!;
  for (const axle of AXLES) {
    const ofAxle = content.tires.filter(({ position }) => position.startsWith(axle));
    if (ofAxle.some((tire) => tire.bald || isShared(tire) || isUnseen(tire))) assert.equal(metrics[`${axle}_axle_delta_mm`], null);
  }
}

/** An image in two slots is named at both. */
function sharedBothWays({ tires, render_data: { sidewall_specs } }: Content): void {
  const others = new Map<string, readonly string[]>(
    [...tires, ...sidewall_specs].map(({ slot_id, same_image_slot_ids }) => [slot_id, same_image_slot_ids!]),
  );
  for (const [id, ids] of others) for (const other of ids) assert.ok(others.get(other)?.includes(id), `${id} and ${other}`);
}

describe('severities of content 2.0', () => {
  it(
    `of sections, tires and the car agree (${RUNS} analyses)`,
    () => {
      fc.assert(
        fc.property(anyCar, anySide, (one, sides) => {
          const { content } = generateContent(drawn(one, sides), CONTENT_REVISION, API_URL);
          neverBetterThanATire(content);
          goodOfSoundTiresOnly(content);
          criticalOfMeasuredTiresOnly(content);
          oldTiresNotGood(content);
          kilometresOfEvenWearOnly(content);
          axlesOfSoundTiresOnly(content);
          sharedBothWays(content);
        }),
        { numRuns: RUNS },
      );
    },
    120_000 + RUNS * PER_RUN_MS,
  );
});
