import { axleVariance, type AxleVariance } from './axle-variance';
import { brakingEstimate, judgeBraking, type BrakingEstimate } from './braking';
import { lowest } from './numbers';
import type { Ruleset } from '../rulesets/ruleset';
import { sidewallSummary, type SidewallSummary } from './sidewall-summary';
import type { Source, TreadReading } from '../source/source';
import { overallSeverity, severityOfDepth, worst, type Severity } from './severity';
import { isUneven, judgeWearOfCar, wearPattern, type WearCode, type WearPattern } from './wear-pattern';

export type Position = TreadReading['position'];

/** Why a tire has no depth: no image was registered, no depth of the image can be believed, or none was entered into a manual report. */
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
  const treadSeverity = worst(tires.map(({ severity }) => severity));
  const minimumDepthMm = lowest(tires.flatMap(({ minimumDepthMm: depth }) => (depth === null ? [] : [depth])));
  const braking = minimumDepthMm === null ? null : brakingEstimate(minimumDepthMm, ruleset);
  const depthAt = (position: Position) => tires.find((tire) => tire.position === position)?.minimumDepthMm ?? null;
  const axle = axleVariance(
    { left: depthAt('front_left'), right: depthAt('front_right') },
    { left: depthAt('rear_left'), right: depthAt('rear_right') },
    ruleset,
  );
  const wear = mode === 'manual' ? null : wearSummary(tires);
  return {
    severity: overallSeverity(
      tires.map(({ severity }) => severity),
      [axle.severity, ...(wear ? [wear.severity] : [])],
    ),
    tires,
    treadSeverity,
    minimumDepthMm,
    braking,
    brakingSeverity: judgeBraking(
      braking?.band ?? null,
      tires.map(({ severity }) => severity),
    ).verdict,
    wear,
    axle,
    sidewall: source.sidewalls.length === 0 ? null : sidewallSummary(source.sidewalls),
    manual: mode === 'manual',
    ruleset,
  };
}

function tireFinding(tread: TreadReading, mode: 'automatic' | 'manual', ruleset: Ruleset): TireFinding {
  return {
    position: tread.position,
    slotId: tread.slotId,
    minimumDepthMm: tread.minimumDepthMm,
    severity: severityOfDepth(tread.minimumDepthMm, ruleset),
    missing: tread.minimumDepthMm !== null ? null : mode === 'manual' ? 'entry' : tread.asset === null ? 'image' : 'reading',
    wear: mode === 'manual' ? null : wearOf(tread, ruleset),
  };
}

function wearOf({ depthsMm, confidence, sideKnown }: TreadReading, ruleset: Ruleset): WearPattern {
  const pattern = wearPattern(depthsMm, confidence, ruleset);
  return sideKnown ? pattern : { ...pattern, wornSide: null };
}

function wearSummary(tires: readonly TireFinding[]): WearSummary {
  const affected = tires.filter(({ wear }) => wear && isUneven(wear.code));
  const uncertain = tires.filter(({ wear }) => wear?.code === 'mixed_or_uncertain');
  return {
    severity: judgeWearOfCar(tires.flatMap(({ wear }) => (wear ? [wear.code] : []))).verdict,
    affected,
    uncertain,
    codes: [...new Set(affected.flatMap(({ wear }) => (wear ? [wear.code] : [])))],
  };
}
