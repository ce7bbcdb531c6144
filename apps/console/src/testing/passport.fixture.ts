import type { VehiclePassport } from '@tire/contracts/console';

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;
type Inspection = VehiclePassport['inspections'][number];

const idOf = (n: number): string => `01a00000-0000-7000-8000-00000000000${n}`;

const inspection = (n: number, created_at: string, mileage_km: number | null, depthsMm: readonly number[]): Inspection => ({
  report_id: idOf(n),
  created_at,
  analysis_status: 'complete',
  standing: 'good',
  plate_number: '12가3456',
  mileage_km,
  depths_mm: Object.fromEntries(POSITIONS.map((position, index) => [position, depthsMm[index]!])),
  treads: Object.fromEntries(
    POSITIONS.map((position, index) => {
      const depthMm = depthsMm[index]!;
      const interval: [number, number] = [depthMm - 0.3, depthMm + 0.3];
      return [position, { depth_interval_mm: interval, is_bald: false, is_partly_unseen: false, is_image_shared: false }];
    }),
  ),
  made: n === 1 ? { front_left: { week: 23, year: 2024 } } : {},
});

/** A vehicle whose front left tire was once behind. */
export const passport: VehiclePassport = {
  vehicle_id: idOf(9),
  plates: ['12가3456'],
  external_vehicle_ids: ['car-7'],
  vins: ['KMHXX00XXXX000001'],
  inspections: [
    inspection(1, '2025-03-02T03:00:00Z', 10_000, [5, 5.1, 7, 7.1]),
    inspection(2, '2025-09-04T03:00:00Z', 20_000, [4.1, 4.2, 6.4, 6.6]),
    inspection(3, '2026-03-10T03:00:00Z', null, [6.3, 3.4, 4.1, 6.1]),
  ],
  wear: [
    { position: 'front_left', inspections: 1, refused: 'too_few', reached: [], per_10000_km: null },
    {
      position: 'front_right',
      inspections: 3,
      refused: null,
      reached: [
        { limit_mm: 3, earliest: '2026-04-20T03:00:00Z', latest: '2026-09-30T03:00:00Z' },
        { limit_mm: 1.6, earliest: '2027-01-05T03:00:00Z', latest: null },
      ],
      per_10000_km: { mm: 1, low_mm: 0.8, high_mm: 1.2 },
    },
    { position: 'rear_left', inspections: 3, refused: 'no_wear', reached: [], per_10000_km: null },
    {
      position: 'rear_right',
      inspections: 3,
      refused: null,
      reached: [{ limit_mm: 3, earliest: '2026-03-10T03:00:00Z', latest: '2026-03-10T03:00:00Z' }],
      per_10000_km: null,
    },
  ],
  proposals: [{ report_id: idOf(3), position: 'front_left', kind: 'rotated', with_position: 'rear_left' }],
  judgements: [{ report_id: idOf(2), position: 'rear_right', verdict: 'replaced', with_position: null }],
  changes: [
    {
      change_id: idOf(8),
      kind: 'merged',
      other_vehicle_id: idOf(7),
      other_name: '78다9012',
      plate_number: null,
      from: null,
      at: '2026-03-11T03:00:00Z',
      undone_at: null,
    },
    {
      change_id: idOf(6),
      kind: 'split',
      other_vehicle_id: idOf(5),
      other_name: '',
      plate_number: '12가3456',
      from: '2026-01-01T15:00:00Z',
      at: '2026-03-10T03:00:00Z',
      undone_at: '2026-03-11T03:00:00Z',
    },
  ],
};
