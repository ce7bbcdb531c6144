import { Content, type ReportSlot, type SidewallResult, type TreadResult } from '@tire/contracts/api';
import { generateContent } from '../document/generate';
import { API_URL, CONTENT_REVISION, type Size, snapshotOf } from '../fixtures/snapshot.fixture';

const SIZE: Size = [225, 45, 17];
const TREAD = 'tire.tread.front_left';
const SIDEWALL = 'tire.sidewall.front_left';

type Change = (slots: ReportSlot[]) => ReportSlot[];

/** The content of a sound car, four treads at 6 mm and four sizes, after one change of its slots. */
function contentOf(change: Change) {
  const snapshot = snapshotOf({ sizes: [SIZE, SIZE, SIZE, SIZE] });
  const { content, faults } = generateContent({ ...snapshot, slots: change(snapshot.slots) }, CONTENT_REVISION, API_URL);
  return { content: Content.parse(content), faults };
}

const at =
  (id: string, change: (slot: ReportSlot) => ReportSlot[]): Change =>
  (slots) =>
    slots.flatMap((slot) => (slot.slot_id === id ? change(slot) : [slot]));

const withAnalysis = (slot: ReportSlot, change: Partial<ReportSlot['analysis']>): ReportSlot => ({
  ...slot,
  analysis: { ...slot.analysis, ...change },
});
const tread = (change: (result: TreadResult) => Partial<TreadResult>) =>
  at(TREAD, (slot) => {
    const result = slot.analysis.result as TreadResult;
    return [withAnalysis(slot, { result: { ...result, ...change(result) } })];
  });
const depths = (...values: number[]) => tread(() => ({ individual_depths: { individual_remaining_depth: values }, groove_masks: [] }));
const mask = (change: Partial<TreadResult['groove_masks'][number]>) =>
  tread(({ groove_masks }) => ({ groove_masks: groove_masks.map((one, index) => (index === 1 ? { ...one, ...change } : one)) }));
const size = (change: Partial<NonNullable<SidewallResult['size']>>) =>
  at(SIDEWALL, (slot) => [withAnalysis(slot, { result: { size: { ...(slot.analysis.result as SidewallResult).size!, ...change } } })]);
const resultOf =
  (id: string, other: string): Change =>
  (slots) =>
    at(id, (slot) => [withAnalysis(slot, { result: slots.find(({ slot_id }) => slot_id === other)!.analysis.result })])(slots);

type Case = readonly [what: string, change: Change];

/** The depths of the tire are not plausible: the tire is unknown, the others keep their verdicts. */
const UNKNOWN_TIRE: readonly Case[] = [
  ['a negative depth', depths(-0.1, 5, 5)],
  ['a depth deeper than any tire', depths(5, 5, 30.1)],
  ['depths in metres of road', depths(6000, 6000)],
  ['an empty list of depths beside masks', tread(() => ({ individual_depths: { individual_remaining_depth: [] } }))],
  ['masks that give other depths', mask({ depth_mm: 1.2 })],
  ['a mask that differs from its groove by one tenth', mask({ depth_mm: 6.1 })],
  ['the result of a sidewall', resultOf(TREAD, SIDEWALL)],
  ['the id of another position', at(TREAD, (slot) => [{ ...slot, slot_id: 'tire.tread.rear_left' }])],
  ['no slot', at(TREAD, () => [])],
  ['the slot twice', at(TREAD, (slot) => [slot, slot])],
];

/** Only the masks are not plausible: the depths remain valid. */
const KNOWN_TIRE: readonly Case[] = [
  ['fewer masks than depths', tread(({ groove_masks }) => ({ groove_masks: groove_masks.slice(1) }))],
  ['more masks than depths', tread(({ groove_masks }) => ({ groove_masks: [...groove_masks, groove_masks[0]!] }))],
];

/** The sidewall has no size that can be believed: the other three still have theirs. */
const UNREAD_SIZE: readonly Case[] = [
  ['a width that no tire has', size({ section_width: 1225 })],
  ['a width that does not end in 5', size({ section_width: 220 })],
  ['an aspect ratio off its steps', size({ aspect_ratio: 47 })],
  ['an aspect ratio of nothing', size({ aspect_ratio: 0 })],
  ['a rim that no tire has', size({ rim_diameter: 99 })],
  ['a negative rim', size({ rim_diameter: -17 })],
  ['a missing part', size({ rim_diameter: null })],
  ['a tire too high for its rim', size({ section_width: 355, aspect_ratio: 85, rim_diameter: 24 })],
  ['the result of a tread', resultOf(SIDEWALL, TREAD)],
  ['no slot', at(SIDEWALL, () => [])],
  ['the slot twice', at(SIDEWALL, (slot) => [slot, slot])],
];

const metricsOf = (content: Content, id: string) => content.sections.find(({ section_id }) => section_id === id)?.metrics;

describe('a tread whose depths are not plausible', () => {
  it.each(UNKNOWN_TIRE)('%s', (_what, change) => {
    const { content, faults } = contentOf(change);
    expect(content.tires.map(({ severity }) => severity)).toEqual(['unknown', 'good', 'good', 'good']);
    expect(content.tires[0]).toMatchObject({ minimum_remaining_depth_mm: null, wear_pattern: { code: 'mixed_or_uncertain' } });
    expect(content.overall?.severity).toBe('unknown');
    expect(metricsOf(content, 'position_variance')).toEqual({ front_axle_delta_mm: null, rear_axle_delta_mm: 0, max_axle_delta_mm: 0 });
    expect(content.sections).toHaveLength(5);
    expect(faults.join()).toContain(TREAD);
  });
});

describe('a tread whose masks are not plausible', () => {
  it.each(KNOWN_TIRE)('%s', (_what, change) => {
    const { content, faults } = contentOf(change);
    expect(content.tires.map(({ minimum_remaining_depth_mm }) => minimum_remaining_depth_mm)).toEqual([6, 6, 6, 6]);
    expect(content.overall?.severity).toBe('good');
    expect(content.render_data.tread_overlays[0]).toMatchObject({ groove_masks: [], remaining_depths_mm: [6, 6, 6, 6] });
    expect(faults.join()).toContain(TREAD);
  });
});

describe('a sidewall whose size is not plausible', () => {
  it.each(UNREAD_SIZE)('%s', (_what, change) => {
    const { content, faults } = contentOf(change);
    expect(metricsOf(content, 'sidewall_spec')).toEqual({
      recognized_count: 3,
      front_spec: '225/45R17',
      rear_spec: '225/45R17',
      front_rear_match: true,
    });
    expect(content.tires.every(({ severity }) => severity === 'good')).toBe(true);
    expect(faults.join()).toContain(SIDEWALL);
  });
});
