import type { Ruleset } from './ruleset';
import { RULESET_1_0 } from './ruleset-1.0';

/** Issued: must not change. Adds distance_gap_percent, which only content generated after 2026-09-28 has. */
export const RULESET_1_1: Ruleset = {
  ...RULESET_1_0,
  version: '1.1',
  braking: { ...RULESET_1_0.braking, withGapPercent: true },
};
