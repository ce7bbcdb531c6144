import { judgeDepth, type Severity } from './severity';
import type { Judged } from './judged';
import type { Ruleset } from '../rulesets/ruleset';
import type { TreadReading } from '../source/source';

export type DepthInterval = readonly [lowMm: number, highMm: number];
export type Certainty = 'sure' | 'likely' | 'near_limit';

/**
 * The state of a tire. `near_limit`: the legal limit may be reached. `near_threshold`: the depth may be below the inspection
 * threshold. `uncertain`: a deep groove whose interval reaches the legal limit. `part_unseen`: deep grooves, and a part of the tread in
 * which a lower one may be. `old`: deep enough, and ten years old or more by the date
 * code. `shared`: its image is in the slot of another position too.
 */
export type TireState =
  | 'critical'
  | 'likely'
  | 'bald'
  | 'worn_smooth'
  | 'near_limit'
  | 'caution'
  | 'near_threshold'
  | 'uncertain'
  | 'part_unseen'
  | 'old'
  | 'good'
  | 'shared'
  | 'unknown';

export interface TireVerdict extends Judged<Severity> {
  readonly state: TireState;
  readonly certainty: Certainty | null;
}

/** By the age of a tire: a check every year, or a question about its replacement. */
export type AgeAdvice = 'check' | 'replace';

type Reading = Pick<TreadReading, 'minimumDepthMm' | 'intervalMm' | 'bald' | 'unseen' | 'sharedWith' | 'ageMonths'>;

/** Worst first, except for `bald`, which decides at any depth of the grooves, and `shared`, where the tire is not known. */
export function judgeTire(tread: Reading, ruleset: Ruleset): TireVerdict {
  const { minimumDepthMm: depthMm, intervalMm, bald, sharedWith } = tread;
  const measured = bald ? judgeBald(bald.wornSmooth, tread, ruleset) : judgeSeen(judgeMeasured(depthMm, intervalMm, ruleset), tread);
  if (sharedWith) return judgeShared(measured);
  return measured.state === 'good' && ageAdvice(tread.ageMonths, ruleset) === 'replace' ? judgeOld(measured, tread, ruleset) : measured;
}

export function ageAdvice(ageMonths: number | null, { doubt }: Ruleset): AgeAdvice | null {
  if (ageMonths === null || !doubt || ageMonths < doubt.age.checkFromMonths) return null;
  return ageMonths < doubt.age.replaceFromMonths ? 'check' : 'replace';
}

/** A lower groove may be where nothing was seen: what is good is not known to be, and what is better than critical is not sure. */
function judgeSeen(measured: TireVerdict, { unseen }: Reading): TireVerdict {
  if (unseen.length === 0 || measured.verdict === 'critical' || measured.verdict === 'unknown') return measured;
  const inputs = { ...measured.inputs, unseen: unseen.map(({ place, reason }) => `${place}: ${reason}`) };
  const certainty = measured.certainty === 'sure' ? null : measured.certainty;
  if (measured.verdict !== 'good') return { ...measured, certainty, inputs };
  return {
    ...measured,
    verdict: 'caution',
    state: 'part_unseen',
    certainty,
    inputs,
    rule: 'the grooves are deep enough, and a part of the tread was not seen',
  };
}

/** Deep grooves do not make aged rubber good. */
const judgeOld = (measured: TireVerdict, { ageMonths }: Reading, { doubt }: Ruleset): TireVerdict => ({
  ...measured,
  verdict: 'caution',
  state: 'old',
  rule: 'the grooves are deep enough, and the tire is old enough for a replacement',
  inputs: { ...measured.inputs, ageMonths },
  thresholds: { ...measured.thresholds, ...(doubt ? { replaceFromMonths: doubt.age.replaceFromMonths } : {}) },
});

const STATES: Record<Severity, TireState> = { good: 'good', caution: 'caution', critical: 'critical', unknown: 'unknown' };

function judgeMeasured(depthMm: number | null, interval: DepthInterval | null, ruleset: Ruleset): TireVerdict {
  const exact = judgeDepth(depthMm, ruleset);
  if (depthMm === null || !interval || !ruleset.doubt) return { ...exact, state: STATES[exact.verdict], certainty: null };
  const { legalLimitMm, inspectionThresholdMm } = ruleset.depth;
  const { belowThresholdShareMax } = ruleset.doubt;
  const [lowMm, highMm] = interval;
  const belowThresholdShare = shareBelow(interval, inspectionThresholdMm);
  const judged = (state: TireState, verdict: Severity, certainty: Certainty, rule: string): TireVerdict => ({
    verdict,
    state,
    certainty,
    rule,
    inputs: { ...exact.inputs, lowMm, highMm, belowThresholdShare },
    thresholds: { ...exact.thresholds, belowThresholdShareMax },
  });
  if (highMm <= legalLimitMm) return judged('critical', 'critical', 'sure', 'the whole interval is at the legal limit or below it');
  if (depthMm <= legalLimitMm)
    return judged('likely', 'critical', 'likely', 'the depth is at the legal limit or below it, and the interval reaches above it');
  if (lowMm <= legalLimitMm && depthMm > inspectionThresholdMm)
    return judged('uncertain', 'caution', 'near_limit', 'the interval reaches from the legal limit beyond the inspection threshold');
  if (lowMm <= legalLimitMm) return judged('near_limit', 'caution', 'near_limit', 'the interval reaches the legal limit');
  if (belowThresholdShare <= belowThresholdShareMax && depthMm > inspectionThresholdMm)
    return judged('good', 'good', 'sure', 'the interval is above the inspection threshold, apart from the share that may lie below it');
  if (depthMm > inspectionThresholdMm)
    return judged('near_threshold', 'caution', 'near_limit', 'too much of the interval is below the inspection threshold');
  const certainty = highMm <= inspectionThresholdMm ? 'sure' : 'near_limit';
  return judged('caution', 'caution', certainty, 'the depth is at the inspection threshold or below it');
}

/** The share of the width of the interval that is below the limit. An interval without a width is below or not. */
function shareBelow([lowMm, highMm]: DepthInterval, limitMm: number): number {
  if (highMm <= limitMm) return 1;
  // Differences of tenths carry binary noise of about 1e-16.
  return lowMm >= limitMm ? 0 : Math.round(((limitMm - lowMm) / (highMm - lowMm)) * 1e6) / 1e6;
}

/** The certainty is one of the depth, and the depth does not decide here. */
function judgeBald(wornSmooth: boolean, { minimumDepthMm, intervalMm }: Reading, ruleset: Ruleset): TireVerdict {
  const ofDepth = judgeMeasured(minimumDepthMm, intervalMm, ruleset);
  return {
    ...ofDepth,
    verdict: 'critical',
    state: wornSmooth ? 'worn_smooth' : 'bald',
    certainty: null,
    rule: wornSmooth ? 'the tread is seen and no groove is found in it' : 'a zone of the tread has lost its pattern',
  };
}

/** The image belongs to at most one of the tires: it proves neither a good tire nor which tire is worn. A fault in it is not hidden. */
const judgeShared = (measured: TireVerdict): TireVerdict => ({
  ...measured,
  verdict: measured.verdict === 'good' ? 'unknown' : measured.verdict,
  state: 'shared',
  certainty: measured.verdict === 'critical' && measured.certainty !== null ? 'likely' : null,
  rule: 'the photograph is in the slot of another tire too; it was judged: ' + measured.rule,
});

const STATES_WITHOUT_KM: readonly TireState[] = ['shared', 'uncertain', 'part_unseen', 'old'];

/** Kilometres until the legal limit, as few or as many as it may be. Null where nothing is left, or where there is no interval. */
export function remainingKm(verdict: TireVerdict, interval: DepthInterval | null, ruleset: Ruleset): readonly [number, number] | null {
  if (!ruleset.doubt || !interval || verdict.verdict === 'critical' || STATES_WITHOUT_KM.includes(verdict.state)) return null;
  const { wearMmPer10000Km } = ruleset.doubt;
  const [low, high] = interval.map((depthMm) => (Math.max(0, depthMm - ruleset.depth.legalLimitMm) / wearMmPer10000Km) * 10_000) as [
    number,
    number,
  ];
  return [outwards(low, Math.floor), outwards(high, Math.ceil)];
}

/** Rounds to two digits at most. Binary noise does not reach a step. */
function outwards(km: number, towards: (steps: number) => number): number {
  const stepKm = km < 10_000 ? 100 : 1_000;
  return towards(Math.round((km / stepKm) * 1e6) / 1e6) * stepKm;
}
