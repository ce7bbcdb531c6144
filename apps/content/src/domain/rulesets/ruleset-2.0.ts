import type { Ruleset } from './ruleset';
import { RULESET_1_1 } from './ruleset-1.1';

/** Issued: must not change. Decides on the intervals of depths, on bald zones, on photographs in two slots and on sizes that contradict. */
export const RULESET_2_0: Ruleset = {
  ...RULESET_1_1,
  version: '2.0',
  doubt: {
    // An interval holds the true depth in 9 of 10 cases. Where a tenth of its width is below the threshold, the truth is below it in about
    // 1 of 10 cases if errors are normally distributed, and that is the worst case of a good tire.
    belowThresholdShareMax: 0.1,
    // The usual tolerance for the overall diameter of another size.
    diameterDifferenceMaxPercent: 3,
    // As the engine's estimated_lifetime.
    wearMmPer10000Km: 1.2,
    // Makers advise a yearly check from 5 or 6 years on and a replacement after 10.
    age: { checkFromMonths: 72, replaceFromMonths: 120 },
  },
};
