import type { ledgerApi } from '@tire/contracts/grpc';
import { POSITIONS } from '@tire/kernel';

const DEPTHS = [
  ['2024-09-04T03:00:00Z', 8_000, [6.1, 6.2, 7.4, 7.3], 'good'],
  ['2025-03-02T03:00:00Z', 18_000, [4.6, 4.8, 6.4, 6.5], 'good'],
  ['2025-09-04T03:00:00Z', 28_000, [3.3, 3.5, 5.5, 5.7], 'caution'],
  ['2026-03-10T03:00:00Z', undefined, [6.9, 2.1, 4.6, 4.9], 'near_limit'],
  ['2026-10-10T03:00:00Z', 44_000, [6.4, undefined, 3.9, 4.1], 'critical'],
] as const;

/** Front left was replaced once; front right has no depth at last, and is old. */
export const vehicleFixture = (over: Partial<ledgerApi.GetPublishedVehicleResponse> = {}): ledgerApi.GetPublishedVehicleResponse => ({
  plateNumber: '12가3456',
  vehicleIds: [],
  hasSamples: false,
  inspections: DEPTHS.map(([inspectedAt, mileageKm, depths, standing], index) => ({
    inspectedAt,
    mileageKm,
    standing,
    tires: POSITIONS.map((position, at): ledgerApi.PublishedTire => {
      const depthMm = depths[at];
      return {
        position,
        depthMm,
        tread: {
          depthLowMm: depthMm === undefined ? undefined : Number((depthMm - 0.3).toFixed(1)),
          depthHighMm: depthMm === undefined ? undefined : Number((depthMm + 0.4).toFixed(1)),
          isBald: position === 'front_right' && index === 4,
          isPartlyUnseen: position === 'rear_left' && index === 2,
          isImageShared: false,
        },
        change: position === 'front_left' && index === 3 ? 'replaced' : undefined,
        made: position === 'front_right' && index === 0 ? { week: 23, year: 2019 } : undefined,
      };
    }),
  })),
  wear: [
    { position: 'front_left', refused: 'too_few', reached: [] },
    {
      position: 'front_right',
      reached: [
        { limitMm: 3, earliest: '2026-10-10T03:00:00Z', latest: '2026-10-10T03:00:00Z' },
        { limitMm: 1.6, earliest: '2026-11-20T03:00:00Z', latest: '2027-02-03T03:00:00Z' },
      ],
      rate: { mm: 1.36, lowMm: 1.1, highMm: 1.62 },
    },
    { position: 'rear_left', reached: [{ limitMm: 3, earliest: '2027-01-05T03:00:00Z', latest: undefined }], rate: undefined },
    { position: 'rear_right', refused: 'no_wear', reached: [] },
  ],
  ...over,
});
