import { axleVariance, type AxleVariance } from './axle-variance';
import { brakingEstimate, judgeBraking, type BrakingEstimate } from './braking';
import { lowest } from './numbers';
import type { Ruleset } from '../rulesets/ruleset';
import { sidewallFindings } from './axle-sizes';
import type { SidewallSummary } from './sidewall-summary';
import type { Bald, SharedImage } from '../source/doubts';
import type { Source, TreadReading } from '../source/source';
import { overallSeverity, worst, type Severity } from './severity';
import { ageAdvice, judgeTire, remainingKm, type AgeAdvice, type Certainty, type DepthInterval, type TireState } from './tire-verdict';
import { isUneven, judgeWearOfCar, wearOfBald, wearPattern, wearWithin, type WearCode, type WearPattern } from './wear-pattern';

export type Position = TreadReading['position'];

/** Why a tire has no depth: no image was registered, no depth of the image is plausible, or none was entered into a manual report. */
export type Missing = 'image' | 'reading' | 'entry';

export interface TireFinding {
  readonly position: Position;
  readonly slotId: string;
  readonly minimumDepthMm: number | null;
  readonly severity: Severity;
  /** Null where the depth is known. */
  readonly missing: Missing | null;
  /** Null in manual reports. */
  readonly wear: WearPattern | null;
  readonly state: TireState;
  /** The interval of the lowest groove; null where the depth counts as exact. */
  readonly intervalMm: DepthInterval | null;
  readonly isGauged: boolean;
  readonly certainty: Certainty | null;
  readonly bald: Bald | null;
  readonly unseen: TreadReading['unseen'];
  /** Whether it is known which end of the depths is the inside of the car. */
  readonly sideKnown: boolean;
  readonly remainingKm: readonly [number, number] | null;
  readonly sharedWith: SharedImage | null;
  readonly ageAdvice: AgeAdvice | null;
}

export interface WearSummary {
  readonly severity: Severity;
  readonly affected: readonly TireFinding[];
  readonly codes: readonly WearCode[];
  readonly uncertain: readonly TireFinding[];
}

/** The result of all rules for one analysis revision. Texts and sections are made from this alone. */
export interface Findings {
  readonly severity: Severity;
  readonly tires: readonly TireFinding[];
  readonly treadSeverity: Severity;
  readonly minimumDepthMm: number | null;
  /** The interval of the lowest depth. */
  readonly intervalMm: DepthInterval | null;
  /** A person measured grooves with a gauge. */
  readonly isGauged: boolean;
  /** Null without a depth, and where the pattern of a tire is gone: the estimate is one for grooves. */
  readonly braking: BrakingEstimate | null;
  readonly brakingSeverity: Severity;
  readonly wear: WearSummary | null;
  readonly axle: AxleVariance;
  /** Null where the template has no sidewall. */
  readonly sidewall: SidewallSummary | null;
  /** A person entered the depths and sizes; there are no images. */
  readonly manual: boolean;
  readonly ruleset: Ruleset;
}

export function findings(source: Source, mode: 'automatic' | 'manual', ruleset: Ruleset): Findings {
  const tires = source.treads.map((tread) => tireFinding(tread, mode, ruleset));
  // An old tire with deep grooves does not worsen the tread section.
  const treadSeverity = worst(tires.map(({ severity, state }) => (state === 'old' ? 'good' : severity)));
  const minimumDepthMm = lowest(tires.flatMap(({ minimumDepthMm: depth }) => (depth === null ? [] : [depth])));
  const intervalMm = lowestIntervalOf(tires);
  const isBald = tires.some(({ bald }) => bald);
  const braking = minimumDepthMm === null || isBald ? null : brakingEstimate(minimumDepthMm, ruleset, intervalMm);
  const axle = axleVariance(sides(tires, 'front'), sides(tires, 'rear'), ruleset);
  const wear = mode === 'manual' ? null : wearSummary(tires, ruleset);
  const sidewall = source.sidewalls.length === 0 ? null : sidewallFindings(source.sidewalls, ruleset);
  return {
    severity: overallSeverity(
      tires.map(({ severity }) => severity),
      liftsOf({ axle, wear, sidewall }),
    ),
    tires,
    treadSeverity,
    minimumDepthMm,
    intervalMm,
    isGauged: source.treads.some((tread) => tread.isGauged),
    braking,
    brakingSeverity: judgeBraking(
      braking?.farthestBand ?? null,
      tires.map(({ severity }) => severity),
      { isAged: isAged(tires), isPartUnseen: isPartUnseen(tires) },
    ).verdict,
    wear,
    axle,
    sidewall,
    manual: mode === 'manual',
    ruleset,
  };
}

/** The severities that can raise a car with good tires to caution. Before ruleset 2.0 sizes could not. */
export const liftsOf = ({ axle, wear, sidewall }: Pick<Findings, 'axle' | 'wear' | 'sidewall'>): Severity[] => [
  axle.severity,
  ...(wear ? [wear.severity] : []),
  ...(sidewall?.axles ? [sidewall.severity] : []),
];

function tireFinding(tread: TreadReading, mode: 'automatic' | 'manual', ruleset: Ruleset): TireFinding {
  const verdict = judgeTire(tread, ruleset);
  // The depth in an image that may be of another tire is shown only where it is a fault.
  const isOfThisTire = verdict.state !== 'shared' || verdict.verdict !== 'unknown';
  const minimumDepthMm = isOfThisTire ? tread.minimumDepthMm : null;
  const intervalMm = isOfThisTire ? tread.intervalMm : null;
  const advice = ageAdvice(tread.ageMonths, ruleset);
  const wear = mode === 'manual' ? null : wearOf(tread, ruleset);
  return {
    position: tread.position,
    slotId: tread.slotId,
    minimumDepthMm,
    severity: verdict.verdict,
    missing: tread.minimumDepthMm !== null || tread.bald ? null : mode === 'manual' ? 'entry' : tread.asset === null ? 'image' : 'reading',
    wear,
    state: verdict.state,
    intervalMm,
    isGauged: tread.isGauged,
    certainty: isOfThisTire ? verdict.certainty : null,
    bald: tread.bald,
    unseen: tread.unseen,
    sideKnown: tread.sideKnown,
    remainingKm: advice === 'replace' || isWornUnevenly(wear) || tread.unseen.length > 0 ? null : remainingKm(verdict, intervalMm, ruleset),
    sharedWith: tread.sharedWith,
    ageAdvice: advice,
  };
}

/** The grooves differ, in a pattern or in none: the lowest one wears at a rate of its own. */
const isWornUnevenly = (wear: WearPattern | null): boolean => !!wear && (isUneven(wear.code) || wear.reason === 'no_pattern');

export const isPartUnseen = (tires: readonly Pick<TireFinding, 'unseen'>[]): boolean => tires.some(({ unseen }) => unseen.length > 0);

export const isAged = (tires: readonly TireFinding[]): boolean => tires.some((tire) => tire.ageAdvice === 'replace');

/** The interval of the lowest depth of these tires. A depth without an interval counts as exact. Null where none has an interval. */
function lowestIntervalOf(tires: readonly TireFinding[]): DepthInterval | null {
  if (tires.every(({ intervalMm }) => intervalMm === null)) return null;
  const intervals = tires.flatMap(({ minimumDepthMm, intervalMm }): DepthInterval[] =>
    minimumDepthMm === null ? [] : [intervalMm ?? [minimumDepthMm, minimumDepthMm]],
  );
  return [Math.min(...intervals.map(([low]) => low)), Math.min(...intervals.map(([, high]) => high))];
}

/**
 * The two tires of an axle. An image that is in two slots compares nothing, and neither do the grooves beside a bald zone, or beside a part
 * that was not seen.
 */
export function sides(tires: readonly TireFinding[], axle: 'front' | 'rear') {
  const at = (side: 'left' | 'right') =>
    tires.find(({ position, sharedWith, bald, unseen }) => position === `${axle}_${side}` && !sharedWith && !bald && unseen.length === 0);
  const [left, right] = [at('left'), at('right')];
  return {
    left: left?.minimumDepthMm ?? null,
    right: right?.minimumDepthMm ?? null,
    isWorn: [left, right].some((tire) => tire?.severity === 'critical'),
    intervals: left?.intervalMm && right?.intervalMm ? ([left.intervalMm, right.intervalMm] as const) : null,
  };
}

export function wearOf(tread: TreadReading, ruleset: Ruleset): WearPattern {
  const { depthsMm, intervalsMm, confidence, sideKnown, bald, unseen, sharedWith } = tread;
  if (sharedWith) return { code: 'mixed_or_uncertain', reason: 'shared', wornSide: null };
  // Which of the grooves are those of the shoulders is not known.
  if (!bald && depthsMm.length > 0 && unseen.length > 0) return { code: 'mixed_or_uncertain', reason: 'part_unseen', wornSide: null };
  const pattern = bald ? wearOfBald(bald) : wearWithin(wearPattern(depthsMm, confidence, ruleset), depthsMm, intervalsMm, ruleset);
  return sideKnown ? pattern : { ...pattern, wornSide: null };
}

export const codesOf = (tires: readonly TireFinding[]): WearCode[] => tires.flatMap(({ wear }) => (wear ? [wear.code] : []));

function wearSummary(tires: readonly TireFinding[], ruleset: Ruleset): WearSummary {
  const affected = tires.filter(({ wear }) => wear && isUneven(wear.code));
  const uncertain = tires.filter(({ wear }) => wear?.code === 'mixed_or_uncertain');
  return {
    severity: judgeWearOfCar(codesOf(tires), worst(tires.map(({ severity }) => severity)), ruleset).verdict,
    affected,
    uncertain,
    codes: [...new Set(affected.flatMap(({ wear }) => (wear ? [wear.code] : [])))],
  };
}
