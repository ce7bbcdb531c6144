import type { Ruleset } from './ruleset';
import { RULESET_1_1 } from './ruleset-1.1';

/** Issued: must not change. Decides on the intervals of depths, on bald zones, on images in two slots and on sizes that contradict. */
export const RULESET_2_0: Ruleset = {
  ...RULESET_1_1,
  version: '2.0',
  doubt: {
    // The largest of 0, 0.025 … 0.1 with which at most 0.8 % of the treads below the threshold are good on the 1,000 renders of the
    // calibration (goal 1 %): 4 of 522. With 0.1 it is 8.
    belowThresholdShareMax: 0.025,
    // The usual tolerance for the overall diameter of another size.
    diameterDifferenceMaxPercent: 3,
    // The same rate as that of the engine's estimated_lifetime.
    wearMmPer10000Km: 1.2,
    // Makers advise a yearly check from 5 or 6 years on and a replacement after 10.
    age: { checkFromMonths: 72, replaceFromMonths: 120 },
  },
};
