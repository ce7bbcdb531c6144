/** A ruleset holds numbers and tables only. The functions in `verdicts/` apply them. */
export interface Ruleset {
  readonly version: string;
  readonly depth: { readonly legalLimitMm: number; readonly inspectionThresholdMm: number; readonly soundMaxMm: number };
  readonly braking: {
    readonly speedKmh: number;
    /** Depth and stopping distance, shallow to deep. The last row is the new tire. */
    readonly points: readonly (readonly [depthMm: number, distanceM: number])[];
    /** Stopping distance at `clampBelowMm`, divided by the one at the shallowest point. */
    readonly belowLimitRatio: number;
    readonly clampBelowMm: number;
    readonly carLengthM: number;
    readonly moderateFromPercent: number;
    readonly longFromPercent: number;
    readonly withGapPercent: boolean;
  };
  readonly wear: {
    readonly evenBelowMm: number;
    readonly shoulderMm: number;
    readonly symmetryBelowMm: number;
    readonly oneShoulderMm: number;
    readonly monotoneToleranceMm: number;
    readonly minimumGrooves: number;
    readonly minimumConfidence: number;
    /** Shoulder grooves of a new tire are shallower by design. */
    readonly newTire: { readonly meanAboveMm: number; readonly grooves: number };
  };
  readonly axle: { readonly cautionFromMm: number; readonly criticalFromMm: number };
  readonly size: {
    readonly widthMm: readonly [number, number];
    readonly widthStepMm: number;
    readonly aspectPercent: readonly [number, number];
    readonly aspectStepPercent: number;
    readonly rimInch: readonly [number, number];
    /** The diameter of the whole tire, tread to tread. */
    readonly diameterMm: readonly [number, number];
  };
  /** Limits for what a measurement leaves open. Rulesets before 2.0 have none and take every depth, image and size as exact. */
  readonly doubt?: {
    /** Share of a depth's interval that may lie below the inspection threshold where a tire is good. */
    readonly belowThresholdShareMax: number;
    /** The largest allowed difference of the overall diameters, front to rear. */
    readonly diameterDifferenceMaxPercent: number;
    readonly wearMmPer10000Km: number;
    /** Age of a tire from which a check every year, and a replacement, is advised. */
    readonly age: { readonly checkFromMonths: number; readonly replaceFromMonths: number };
  };
}
