import type { ReportSlot } from '@tire/contracts/api';
import { reportExample } from '@tire/contracts/openapi';
import { gaugeChanges, gaugeFault, measuredDepths, typedBefore, unusualGrooves } from '../web/pages/reports/typed-gauge';

type Analysis = ReportSlot['analysis'];

const tread = reportExample.slots.find(({ slot }) => slot.image_type === 'tread')!.analysis;
if (!tread.result || !('individual_depths' in tread.result)) throw new Error('the example has no tread');
const ENGINE: Analysis = {
  ...tread,
  result: { ...tread.result, individual_depths: { individual_remaining_depth: [5, 3.4, 7] } },
};
const GAUGED: Analysis = {
  ...ENGINE,
  gauge: [{ groove: 2, depth_mm: 3.4, measured_mm: 6, measured_interval_mm: null, entered_at: '2026-11-27T10:00:00.000Z' }],
};

describe('typed gauge values', () => {
  it.each([
    ['an engine', ENGINE, [5, 3.4, 7]],
    ['an engine, beside a gauge', GAUGED, [5, 6, 7]],
    ['a person', { ...ENGINE, provenance: 'manual' as const }, []],
    ['an old system', { ...ENGINE, provenance: 'legacy_projection' as const }, []],
    ['nobody', { ...ENGINE, status: 'pending' as const, provenance: null, result: null }, []],
    ['an engine that read a size', { ...ENGINE, result: { size: null } }, []],
  ])('stand beside what was measured by %s', (_, analysis, depths) => expect(measuredDepths(analysis)).toEqual(depths));

  it('begin with the values of the tire', () => {
    expect(typedBefore(ENGINE)).toEqual(['', '', '']);
    expect(typedBefore(GAUGED)).toEqual(['', '3.4', '']);
  });

  it.each([
    ['', null],
    ['4,2', null],
    ['deep', 'number'],
    ['21', 'range'],
    ['-1', 'number'],
  ])('%j has the fault %s', (text, fault) => expect(gaugeFault(text)).toBe(fault));

  it.each([
    [['', '3.4', ''], []],
    [['', '3,40', ' '], []],
    [
      ['4.2', '', ''],
      [
        { groove: 1, depth_mm: 4.2 },
        { groove: 2, depth_mm: null },
      ],
    ],
    [['', '3.5', ''], [{ groove: 2, depth_mm: 3.5 }]],
  ])('%j send what differs', (typed, changes) => expect(gaugeChanges(GAUGED, typed)).toEqual(changes));

  it.each([
    [1, 5.2, false],
    [1, 1.9, true],
    [3, 9.5, true],
    [1, 0.4, true],
    [2, 3.4, false],
    [2, 9, false],
    [2, null, false],
  ])('in groove %i of %s mm are unusual: %s', (groove, depth_mm, isUnusual) =>
    expect(unusualGrooves(GAUGED, [{ groove, depth_mm }])).toEqual(isUnusual ? [groove] : []),
  );
});
