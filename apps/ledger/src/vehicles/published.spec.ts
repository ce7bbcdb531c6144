import type { Position } from '@tire/kernel';
import type { Judgement } from '../domain/vehicle-wear';
import { publishedVehicle } from './published';
import type { PublishedRow } from './published.store';

const DAY_MS = 86_400_000;

const row = (day: number, depthMm: number, isPublished: boolean, position: Position = 'front_left'): PublishedRow => ({
  report_id: `day ${day}`,
  created_at: new Date(day * DAY_MS),
  analysis_status: 'complete',
  standing: 'good',
  slot_id: `tire.tread.${position}`,
  depth_mm: depthMm,
  depth_low_mm: depthMm - 0.3,
  depth_high_mm: depthMm + 0.3,
  is_bald: false,
  is_partly_unseen: false,
  warnings_json: '[]',
  creation_mode: 'automatic',
  plate_number: null,
  mileage_km: day * 100,
  is_published: isPublished,
  is_measured: isPublished,
  branch_id: null,
});

it('a tire that was replaced at an inspection that is not public has the wear since then', () => {
  const rows = [row(0, 4, true), row(100, 7, false), row(200, 6, true), row(300, 5, true)];
  const judgement = { reportId: 'day 100', position: 'front_left', verdict: 'replaced', withPosition: null } as const;
  const [wear] = publishedVehicle({ rows, made: [], judgements: [judgement] }).wear;
  expect(wear!.rate!.mm).toBeCloseTo(1);
  expect(publishedVehicle({ rows, made: [], judgements: [] }).wear[0]!.refused).toBe('no_wear');
});

it.each<[string, (string | null)[], string | undefined]>([
  ['the newest of the public ones', ['first', 'second'], 'second'],
  ['none where the newest has none', ['first', null], undefined],
])('the branch is that of the newest inspection: %s', (_, branches, expected) => {
  const rows = [
    ...branches.map((branch_id, index) => ({ ...row(index, 5, true), branch_id })),
    { ...row(9, 5, false), branch_id: 'hidden' },
  ];
  expect(publishedVehicle({ rows, made: [], judgements: [] }).branchId).toBe(expected);
});

it('a vehicle without a public inspection has no branch', () => {
  expect(publishedVehicle({ rows: [{ ...row(0, 5, false), branch_id: 'hidden' }], made: [], judgements: [] }).branchId).toBeUndefined();
});

describe('a change of tires', () => {
  const said = (over: Partial<Judgement> = {}): Judgement => ({
    reportId: 'day 100',
    position: 'front_left',
    verdict: 'replaced',
    withPosition: null,
    ...over,
  });
  const changes = (rows: readonly PublishedRow[], judgement: Judgement) =>
    publishedVehicle({ rows, made: [], judgements: [judgement] }).inspections.map(({ tires }) =>
      tires.map(({ position, change, fromPosition }) => [position, change, fromPosition].filter((part) => part !== undefined).join(' ')),
    );

  it('that is a rotation stands at both places', () => {
    const rows = [0, 100].flatMap((day) => [row(day, 5, true), row(day, 4, true, 'rear_left')]);
    expect(changes(rows, said({ verdict: 'rotated', withPosition: 'rear_left' }))).toEqual([
      ['front_left', 'rear_left'],
      ['front_left rotated rear_left', 'rear_left rotated front_left'],
    ]);
    expect(changes(rows, said({ verdict: 'refused' }))[1]).toEqual(['front_left', 'rear_left']);
  });

  it('at an inspection that is not public stands once, at the next one that shows the tire', () => {
    const rows = [row(0, 4, true), row(100, 7, false), row(200, 5, true, 'rear_left'), row(300, 6, true), row(400, 5, true)];
    expect(changes(rows, said())).toEqual([['front_left'], ['rear_left'], ['front_left replaced'], ['front_left']]);
    const seen = publishedVehicle({
      rows,
      made: [{ reportId: 'day 200', slotId: 'tire.sidewall.front_left', week: 1, year: 2024 }],
      judgements: [said()],
    });
    expect(seen.inspections[1]!.tires).toMatchObject([{ position: 'front_left', change: 'replaced' }, { position: 'rear_left' }]);
    expect(seen.inspections[2]!.tires[0]!.change).toBeUndefined();
  });

  it('before the inspections that are shown is not told at the first of them', () => {
    const older = { slot_id: null, depth_mm: null, is_measured: false };
    const rows = [{ ...row(0, 4, true), ...older }, { ...row(100, 7, true), ...older }, row(200, 6, true)];
    expect(changes(rows, said())).toEqual([[], [], ['front_left']]);
  });
});
