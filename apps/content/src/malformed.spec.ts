import { Content } from '@tire/contracts';
import { canonicalJson } from './domain/canonical-json';
import { generateContent } from './domain/generate';
import { API_URL, CONTENT_REVISION, type Size, snapshotOf } from './domain/snapshot.fixture';
import { readSnapshot } from './snapshot';

type Json = Record<string, unknown>;
interface Raw extends Json {
  slots: (Json & { slot: Json; analysis: Json & { result: Json } })[];
}

const SIZE: Size = [225, 45, 17];
const FRONT_LEFT_TREAD = 0;
const FRONT_LEFT_SIDEWALL = 4;

/** A sound car of which one thing is changed as it lies in the stored bytes: NaN and Infinity are what JSON makes of them. */
function contentOf(change: (raw: Raw) => void) {
  const raw = JSON.parse(JSON.stringify(snapshotOf({ sizes: [SIZE, SIZE, SIZE, SIZE] }))) as Raw;
  change(raw);
  // 1e999 is a number that JSON can carry and no machine can hold.
  const bytes = Buffer.from(JSON.stringify(raw).replaceAll('"<too large>"', '1e999'));
  const read = readSnapshot(bytes);
  const made = generateContent(read.snapshot, CONTENT_REVISION, API_URL);
  const json = canonicalJson(made.content).toString();
  expect(json).not.toMatch(/NaN|Infinity|undefined/);
  return { content: Content.parse(JSON.parse(json)), faults: [...read.faults, ...made.faults] };
}

const TOO_LARGE = '<too large>';
const tread = (change: (result: Json, slot: Raw['slots'][number]) => void) => (raw: Raw) =>
  change(raw.slots[FRONT_LEFT_TREAD]!.analysis.result, raw.slots[FRONT_LEFT_TREAD]!);
const sidewall = (change: (result: Json, slot: Raw['slots'][number]) => void) => (raw: Raw) =>
  change(raw.slots[FRONT_LEFT_SIDEWALL]!.analysis.result, raw.slots[FRONT_LEFT_SIDEWALL]!);
const depths = (...values: unknown[]) =>
  tread((result) => {
    result['individual_depths'] = { individual_remaining_depth: values };
    result['groove_masks'] = [];
  });
const mask = (change: Json) =>
  tread((result) => {
    const masks = result['groove_masks'] as Json[];
    masks[1] = { ...masks[1], ...change };
  });
const slotAt = (index: number, change: Json) => (raw: Raw) => Object.assign(raw.slots[index]!, change);
const analysisAt = (index: number, change: Json) => (raw: Raw) => Object.assign(raw.slots[index]!.analysis, change);

type Case = readonly [what: string, change: (raw: Raw) => unknown];

/** What is wrong takes the depths with it: the tire is unknown, the others stand. */
const UNKNOWN_TIRE: readonly Case[] = [
  ['depths that were NaN, which JSON makes null', depths(null, 5, 5, 5)],
  ['a depth too large for a number', depths(5, TOO_LARGE, 5)],
  ['a negative depth', depths(-0.1, 5, 5)],
  ['a depth deeper than any tire', depths(5, 5, 30.1)],
  ['a depth in metres of road', depths(6000, 6000)],
  ['depths that are text', depths('5.0', '5.1')],
  ['depths that are lists', depths([5], [5])],
  ['depths that are no list', tread((result) => (result['individual_depths'] = { individual_remaining_depth: 5 }))],
  ['no list of depths', tread((result) => (result['individual_depths'] = {}))],
  ['null instead of depths', tread((result) => (result['individual_depths'] = null))],
  ['no depths at all', tread((result) => delete result['individual_depths'])],
  ['an empty list of depths beside masks', tread((result) => (result['individual_depths'] = { individual_remaining_depth: [] }))],
  ['masks that give other depths', mask({ depth_mm: 1.2 })],
  ['a mask one tenth beside its groove', mask({ depth_mm: 6.1 })],
  ['a result that is text', analysisAt(FRONT_LEFT_TREAD, { result: 'even' })],
  ['a result that is a list', analysisAt(FRONT_LEFT_TREAD, { result: [] })],
  ['an empty result', analysisAt(FRONT_LEFT_TREAD, { result: {} })],
  ['the result of a sidewall', analysisAt(FRONT_LEFT_TREAD, { result: { size: null } })],
  ['success without a result', analysisAt(FRONT_LEFT_TREAD, { result: null, quality: null })],
  ['success with an error', analysisAt(FRONT_LEFT_TREAD, { error: { code: 'analysis_failed', retryable: true } })],
  ['failure with a result', analysisAt(FRONT_LEFT_TREAD, { status: 'failed', error: { code: 'analysis_failed', retryable: true } })],
  ['an unknown status', analysisAt(FRONT_LEFT_TREAD, { status: 'maybe' })],
  ['an unknown provenance', analysisAt(FRONT_LEFT_TREAD, { provenance: 'oracle' })],
  ['an unknown operation of the engine', analysisAt(FRONT_LEFT_TREAD, { engine: { operation: 'tire.rim' } })],
  ['an end that is no time', analysisAt(FRONT_LEFT_TREAD, { completed_at: 'yesterday' })],
  ['no analysis', slotAt(FRONT_LEFT_TREAD, { analysis: null })],
  ['an asset that is text', slotAt(FRONT_LEFT_TREAD, { asset: 'photo.jpg', analysis: null })],
  ['an unknown position', slotAt(FRONT_LEFT_TREAD, { slot: { position: 'spare', image_type: 'tread' } })],
  ['an unknown type of image', slotAt(FRONT_LEFT_TREAD, { slot: { position: 'front_left', image_type: 'rim' } })],
  ['an id that is not of its position', slotAt(FRONT_LEFT_TREAD, { slot_id: 'tire.tread.spare' })],
  [
    'the id of another position',
    slotAt(FRONT_LEFT_TREAD, { slot_id: 'tire.tread.rear_left', slot: { position: 'front_left', image_type: 'tread' } }),
  ],
  ['an unknown module', slotAt(FRONT_LEFT_TREAD, { module_type: 'battery' })],
  ['no slot', (raw) => raw.slots.splice(FRONT_LEFT_TREAD, 1)],
  ['null instead of a slot', (raw) => raw.slots.splice(FRONT_LEFT_TREAD, 1, null as never)],
  ['the slot twice', (raw) => raw.slots.push(raw.slots[FRONT_LEFT_TREAD]!)],
];

/** What is wrong costs itself only: the depths stand. */
const KNOWN_TIRE: readonly Case[] = [
  ['an unknown side of the vehicle', tread((result) => (result['vehicle_side'] = 'top'))],
  ['a rotation that is text', tread((result) => (result['tire_rotation'] = '90'))],
  ['a rotation too large for a number', tread((result) => (result['tire_rotation'] = TOO_LARGE))],
  ['an aggregate that is text', tread((result) => (result['aggregated_depth'] = 'deep'))],
  ['no aggregate', tread((result) => delete result['aggregated_depth'])],
  ['a region outside of the image', tread((result) => (result['tread_roi'] = { bbox_xyxy_norm: [-1, 0, 2, 1] }))],
  ['a region with three corners', tread((result) => (result['tread_roi'] = { bbox_xyxy_norm: [0, 0, 1] }))],
  ['no region', tread((result) => delete result['tread_roi'])],
  ['fewer masks than depths', tread((result) => (result['groove_masks'] as Json[]).pop())],
  ['more masks than depths', tread((result) => (result['groove_masks'] as Json[]).push((result['groove_masks'] as Json[])[0]!))],
  ['masks that are no list', tread((result) => (result['groove_masks'] = {}))],
  ['a mask that is null', tread((result) => ((result['groove_masks'] as unknown[])[0] = null))],
  [
    'a mask outside of the image',
    mask({
      polygon_xy_norm: [
        [0, 0],
        [3, 0],
        [0, 1],
      ],
    }),
  ],
  ['a mask with a point of one number', mask({ polygon_xy_norm: [[0]] })],
  ['a mask without a polygon', mask({ polygon_xy_norm: null })],
  ['a score too large for a number', mask({ score: TOO_LARGE })],
  ['a confidence that is text', analysisAt(FRONT_LEFT_TREAD, { quality: { recognized: true, confidence: 'high' } })],
  ['no quality', analysisAt(FRONT_LEFT_TREAD, { quality: null })],
];

const size = (change: Json) => sidewall((result) => Object.assign(result['size'] as Json, change));

/** The sidewall is not read: the other three still say what they carry. */
const UNREAD_SIZE: readonly Case[] = [
  ['a width that is text', size({ section_width: '225' })],
  ['a width with a fraction', size({ section_width: 225.5 })],
  ['a width that no tire has', size({ section_width: 1225 })],
  ['a width that does not end in 5', size({ section_width: 220 })],
  ['an aspect ratio off its steps', size({ aspect_ratio: 47 })],
  ['an aspect ratio of nothing', size({ aspect_ratio: 0 })],
  ['a rim that no tire has', size({ rim_diameter: 99 })],
  ['a negative rim', size({ rim_diameter: -17 })],
  ['a tire too high for its rim', size({ section_width: 355, aspect_ratio: 85, rim_diameter: 24 })],
  ['a number too large', size({ rim_diameter: TOO_LARGE })],
  ['a missing part', sidewall((result) => delete (result['size'] as Json)['rim_diameter'])],
  ['a size that is text', sidewall((result) => (result['size'] = '225/45R17'))],
  ['the result of a tread', (raw) => (raw.slots[FRONT_LEFT_SIDEWALL]!.analysis.result = raw.slots[FRONT_LEFT_TREAD]!.analysis.result)],
  ['no slot', (raw) => raw.slots.splice(FRONT_LEFT_SIDEWALL, 1)],
  ['the slot twice', (raw) => raw.slots.push(raw.slots[FRONT_LEFT_SIDEWALL]!)],
];

const metricsOf = (content: Content, id: string) => content.sections.find(({ section_id }) => section_id === id)?.metrics;

it('is tried in at least forty ways', () => {
  expect(UNKNOWN_TIRE.length + KNOWN_TIRE.length + UNREAD_SIZE.length).toBeGreaterThanOrEqual(40);
});

describe('a tread of which nothing can be believed', () => {
  it.each(UNKNOWN_TIRE)('%s', (_what, change) => {
    const { content, faults } = contentOf(change);
    expect(content.tires.map(({ severity }) => severity)).toEqual(['unknown', 'good', 'good', 'good']);
    expect(content.tires[0]).toMatchObject({ minimum_remaining_depth_mm: null, wear_pattern: { code: 'mixed_or_uncertain' } });
    expect(content.overall?.severity).toBe('unknown');
    expect(metricsOf(content, 'position_variance')).toEqual({ front_axle_delta_mm: null, rear_axle_delta_mm: 0, max_axle_delta_mm: 0 });
    expect(content.sections).toHaveLength(5);
    expect(faults.join()).toContain('tire.tread.front_left');
  });
});

describe('a tread whose depths can be believed', () => {
  it.each(KNOWN_TIRE)('%s', (_what, change) => {
    const { content, faults } = contentOf(change);
    expect(content.tires.map(({ minimum_remaining_depth_mm }) => minimum_remaining_depth_mm)).toEqual([6, 6, 6, 6]);
    expect(content.overall?.severity).toBe('good');
    const [overlay] = content.render_data.tread_overlays;
    expect([0, 4]).toContain(overlay?.groove_masks.length);
    expect(overlay?.remaining_depths_mm).toEqual([6, 6, 6, 6]);
    expect(faults.join()).toContain('tire.tread.front_left');
  });
});

describe('a sidewall of which nothing can be believed', () => {
  it.each(UNREAD_SIZE)('%s', (_what, change) => {
    const { content, faults } = contentOf(change);
    expect(metricsOf(content, 'sidewall_spec')).toEqual({
      recognized_count: 3,
      front_spec: '225/45R17',
      rear_spec: '225/45R17',
      front_rear_match: true,
    });
    expect(content.tires.every(({ severity }) => severity === 'good')).toBe(true);
    expect(faults.join()).toContain('tire.sidewall.front_left');
  });
});
