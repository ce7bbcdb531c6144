import { AnalysisRevisionSnapshot, type ReportSlot } from '@tire/contracts';
import { canonicalJson } from './domain/canonical-json';
import { snapshotOf } from './domain/snapshot.fixture';
import { readSnapshot } from './snapshot';

/** Outlines may have stayed text: as JSON they are what they were. */
const asJson = (value: unknown): unknown => JSON.parse(canonicalJson(value).toString());
const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value), 'utf8');

describe('a snapshot', () => {
  const sound = snapshotOf({ sizes: [[225, 45, 17], null, [225, 45, 17], null] });

  it('is read as its contract reads it', () => {
    const { snapshot, faults } = readSnapshot(bytesOf(sound));
    expect(asJson(snapshot)).toEqual(AnalysisRevisionSnapshot.parse(sound));
    expect(faults).toEqual([]);
  });

  it.each([
    ['a coordinate outside of the picture', [[0.5, 1.01]]],
    ['a coordinate that is no number', [[0.5, null]]],
    ['a point of three coordinates', [[0.1, 0.2, 0.3]]],
    ['an outline that is no list', 'M 0 0'],
  ])('with %s is not drawn, and says so', (_name, polygon) => {
    const broken = (slot: ReportSlot) => {
      const { result } = slot.analysis;
      if (slot.slot_id !== 'tire.tread.front_left' || !result || !('groove_masks' in result)) return slot;
      const groove_masks = result.groove_masks.map((mask, index) => (index === 1 ? { ...mask, polygon_xy_norm: polygon } : mask));
      return { ...slot, analysis: { ...slot.analysis, result: { ...result, groove_masks } } };
    };
    const { snapshot, faults } = readSnapshot(bytesOf({ ...sound, slots: sound.slots.map(broken) }));
    const [first, second] = snapshot.slots.map(({ analysis }) => analysis.result);
    expect(first).toMatchObject({ groove_masks: [] });
    expect(asJson(second)).toEqual(sound.slots[1]!.analysis.result);
    expect(faults).toEqual([expect.stringContaining('tire.tread.front_left: ')]);
  });
});
