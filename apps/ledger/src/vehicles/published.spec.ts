import { publishedVehicle } from './published';
import type { PassportRow } from './vehicle.store';

const DAY_MS = 86_400_000;

const row = (day: number, depthMm: number, isPublished: boolean): PassportRow => ({
  report_id: `day ${day}`,
  created_at: new Date(day * DAY_MS),
  analysis_status: 'complete',
  standing: 'good',
  slot_id: 'tire.tread.front_left',
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
});

it('a tire that was replaced at an inspection that is not public has the wear since then', () => {
  const rows = [row(0, 4, true), row(100, 7, false), row(200, 6, true), row(300, 5, true)];
  const judgement = { reportId: 'day 100', position: 'front_left', verdict: 'replaced', withPosition: null } as const;
  const [wear] = publishedVehicle({ rows, made: [], judgements: [judgement] }).wear;
  expect(wear!.rate!.mm).toBeCloseTo(1);
  expect(publishedVehicle({ rows, made: [], judgements: [] }).wear[0]!.refused).toBe('no_wear');
});
