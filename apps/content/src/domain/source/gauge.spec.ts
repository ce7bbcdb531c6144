import { Content, type ReportSlot } from '@tire/contracts/api';
import { generateContent } from '../document/generate';
import { API_URL, type Car, CONTENT_REVISION, snapshotOf } from '../fixtures/snapshot.fixture';

const generate = (car: Car) => Content.parse(generateContent(snapshotOf(car), CONTENT_REVISION, API_URL).content);

/** A tread of whose grooves the first ones were measured with a gauge, as the ledger writes it. */
const gauged =
  (depthMm: number, grooves: number) =>
  (slot: ReportSlot): ReportSlot => {
    const { result } = slot.analysis;
    if (slot.slot_id !== 'tire.tread.front_left' || !result || !('individual_depths' in result)) return slot;
    const isGauged = (index: number) => index < grooves;
    const { individual_remaining_depth: depths, depth_intervals_mm: intervals = [] } = result.individual_depths;
    return {
      ...slot,
      analysis: {
        ...slot.analysis,
        result: {
          ...result,
          individual_depths: {
            individual_remaining_depth: depths.map((mm, index) => (isGauged(index) ? depthMm : mm)),
            depth_intervals_mm: intervals.map((interval, index) => (isGauged(index) ? [depthMm, depthMm] : interval)),
          },
          groove_masks: result.groove_masks.map((mask, index) => (isGauged(index) ? { ...mask, depth_mm: depthMm } : mask)),
        },
        gauge: depths.slice(0, grooves).map((mm, index) => ({
          groove: index + 1,
          depth_mm: depthMm,
          measured_mm: mm,
          measured_interval_mm: intervals[index] ?? null,
          entered_at: '2026-10-01T10:00:00.000Z',
        })),
      },
    };
  };

const FRONT_LEFT = 0;
const car = (over: Car): Car => ({ rulesetVersion: '2.0', locale: 'en-US', spreadMm: 0.6, ...over });
const tireOf = (over: Car) => generate(car(over)).tires[FRONT_LEFT]!;
const textOf = (over: Car) => JSON.stringify(generate(car(over)));

describe('a gauge value in content', () => {
  it('decides: what the photograph shows as good is critical', () => {
    expect(tireOf({})).toMatchObject({ severity: 'good', minimum_remaining_depth_mm: 6 });
    expect(tireOf({ change: gauged(1.4, 1) })).toMatchObject({
      severity: 'critical',
      minimum_remaining_depth_mm: 1.4,
      depth_interval_mm: [1.4, 1.4],
    });
  });

  it('is exact in the text, and a depth of the photograph is not', () => {
    expect(textOf({ change: gauged(2.4, 4) })).toMatch(/2\.4 mm/);
    expect(textOf({ change: gauged(2.4, 4) })).not.toMatch(/about 2\.4 mm|no (error|range)/i);
    expect(
      textOf({
        depths: [
          [2.4, 2.4, 2.4, 2.4],
          [6, 6, 6, 6],
          [6, 6, 6, 6],
          [6, 6, 6, 6],
        ],
      }),
    ).toMatch(/about 2\.4 mm/i);
  });

  it('leaves its error to the other grooves: the lowest one may still be one of them', () => {
    expect(tireOf({ change: gauged(6.2, 1) })).toMatchObject({ minimum_remaining_depth_mm: 6, depth_interval_mm: [5.4, 6.2] });
  });
});
