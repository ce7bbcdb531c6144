import type { Outcome } from '../../src/models/outcome';
import type { Measured, Side } from './figures';

const sideOf = (side: string): Side => (side === 'left' || side === 'right' ? side : 'unknown');

/** The measurement, with the drawn groove at each position. Null for a refusal. */
export function measuredOf(outcome: Outcome, groove: (position: number) => number): Measured | null {
  if (outcome.kind !== 'tread') return null;
  const { tireRotationDegClockwise, vehicleSide, individualRemainingDepthMm, individualDepthInterval, baldZones, unseen } =
    outcome.measurement;
  return {
    rotationDeg: tireRotationDegClockwise ?? 0,
    vehicleSide: sideOf(vehicleSide),
    grooves: individualRemainingDepthMm.map((depthMm, i) => {
      const interval = individualDepthInterval[i];
      return { number: groove(i), depthMm, intervalMm: interval && ([interval.lowMm, interval.highMm] as const) };
    }),
    baldShare: baldZones?.shareOfWidth,
    wornSmooth: baldZones?.wornSmooth,
    unseenParts: unseen?.parts.length,
  };
}
