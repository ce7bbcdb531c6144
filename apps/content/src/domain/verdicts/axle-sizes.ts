import type { Position } from '@tire/kernel';
import type { Judged } from './judged';
import { roundTenth } from './numbers';
import type { Severity } from './severity';
import { overallDiameterMm, sidewallSummary, type SidewallSummary, sizeText, type TireSize } from './sidewall-summary';
import type { Ruleset } from '../rulesets/ruleset';
import type { SidewallSource } from '../source/source';

/** The sizes that were read on the two tires of an axle. `shared`: every size was read in an image that is in the slot of another tire too. */
export interface AxleReading {
  readonly state: 'both' | 'one' | 'mixed' | 'shared' | 'unread' | 'no_image';
  /** One size, or both sizes (left first) of a mixed axle. */
  readonly specs: readonly string[];
  /** The tires whose size was read. */
  readonly read: readonly Position[];
  /** A person entered or confirmed one of the sizes. */
  readonly isManual: boolean;
  /** The difference between the two tires of a mixed axle, otherwise null. */
  readonly diameterDifferencePercent: number | null;
}

export interface AxleSizes {
  readonly recognizedCount: number;
  readonly front: AxleReading;
  readonly rear: AxleReading;
  /** Null unless both tires of both axles were read and each axle has one size. */
  readonly frontRearMatch: boolean | null;
  readonly mixedAxles: readonly ('front' | 'rear')[];
  /** Null where an axle has no size or two. */
  readonly diameterDifferencePercent: number | null;
  readonly diametersDiffer: boolean;
  /** Tires whose sidewall image is in the slot of another position too: the same one, or a near copy. */
  readonly shared: readonly Position[];
  readonly similar: readonly Position[];
  /** Old enough for a check every year, or for a replacement. */
  readonly check: readonly Position[];
  readonly replace: readonly Position[];
}

type Doubt = NonNullable<Ruleset['doubt']>;

/** From ruleset 2.0 on, an axle does not decide anything about the other one. */
export function sidewallFindings(sidewalls: readonly SidewallSource[], ruleset: Ruleset): SidewallSummary {
  if (!ruleset.doubt) return sidewallSummary(sidewalls);
  const axles = axleSizes(sidewalls, ruleset.doubt);
  const { recognizedCount, frontRearMatch } = axles;
  const specOf = ({ specs }: AxleReading): string | null => (specs.length === 1 ? specs[0]! : null);
  const summary = sidewallSummary(sidewalls);
  return {
    ...summary,
    recognizedCount,
    frontRearMatch,
    frontSpec: specOf(axles.front),
    rearSpec: specOf(axles.rear),
    severity: judgeAxleSizes(axles, ruleset).verdict,
    axles,
  };
}

export function axleSizes(sidewalls: readonly SidewallSource[], { age, diameterDifferenceMaxPercent }: Doubt): AxleSizes {
  const own = sidewalls.filter(({ sharedWith }) => !sharedWith);
  const ofAxle = (axle: 'front' | 'rear') => axleReading(sidewalls.filter(({ position }) => position.startsWith(axle)));
  const front = ofAxle('front');
  const rear = ofAxle('rear');
  const aged = (from: number, to: number) =>
    own.filter(({ manufactured }) => manufactured && manufactured.age_months >= from && manufactured.age_months < to);
  const sharedAs = (isSame: boolean) => sidewalls.flatMap(({ position, sharedWith }) => (sharedWith?.isSame === isSame ? [position] : []));
  const diameterDifferencePercent = diameterDifference(front, rear, own);
  return {
    recognizedCount: own.filter(({ size }) => size).length,
    front,
    rear,
    frontRearMatch: front.state === 'both' && rear.state === 'both' ? front.specs[0] === rear.specs[0] : null,
    mixedAxles: [...(front.state === 'mixed' ? ['front' as const] : []), ...(rear.state === 'mixed' ? ['rear' as const] : [])],
    diameterDifferencePercent,
    diametersDiffer: diameterDifferencePercent !== null && diameterDifferencePercent > diameterDifferenceMaxPercent,
    shared: sharedAs(true),
    similar: sharedAs(false),
    check: aged(age.checkFromMonths, age.replaceFromMonths).map(({ position }) => position),
    replace: aged(age.replaceFromMonths, Infinity).map(({ position }) => position),
  };
}

function axleReading(sidewalls: readonly SidewallSource[]): AxleReading {
  const read = sidewalls.filter(({ size, sharedWith }) => size && !sharedWith);
  const specs = [...new Set(read.map(({ size }) => sizeText(size!)))];
  const known = { specs, read: read.map(({ position }) => position), isManual: read.some((sidewall) => sidewall.isManual) };
  if (specs.length === 2) {
    const [one, other] = read.map(({ size }) => overallDiameterMm(size!)) as [number, number];
    return { ...known, state: 'mixed', diameterDifferencePercent: differencePercent(one, other) };
  }
  if (specs.length > 0) return { ...known, state: read.length === 2 ? 'both' : 'one', diameterDifferencePercent: null };
  const state = sidewalls.some(({ sharedWith }) => sharedWith)
    ? 'shared'
    : sidewalls.every(({ asset }) => asset === null)
      ? 'no_image'
      : 'unread';
  return { ...known, state, diameterDifferencePercent: null };
}

function diameterDifference(front: AxleReading, rear: AxleReading, sidewalls: readonly SidewallSource[]): number | null {
  if (front.specs.length !== 1 || rear.specs.length !== 1) return null;
  const diameterOf = ({ read }: AxleReading): number => overallDiameterMm(sizeAt(sidewalls, read[0]!));
  return differencePercent(diameterOf(front), diameterOf(rear));
}

/** The larger diameter relative to the smaller one, in either order of the arguments. */
const differencePercent = (oneMm: number, otherMm: number): number =>
  roundTenth((Math.max(oneMm, otherMm) / Math.min(oneMm, otherMm) - 1) * 100);

const sizeAt = (sidewalls: readonly SidewallSource[], position: Position): TireSize =>
  sidewalls.find((sidewall) => sidewall.position === position)!.size!;

/** Sizes that differ front and rear by design are no fault. Whether the car is built for them is not known and not mentioned. */
export function judgeAxleSizes(sizes: AxleSizes, ruleset: Ruleset): Judged<Severity> {
  const { recognizedCount, front, rear, mixedAxles, diameterDifferencePercent, replace } = sizes;
  const diameterDifferenceMaxPercent = ruleset.doubt?.diameterDifferenceMaxPercent ?? Infinity;
  const replaceFromMonths = ruleset.doubt?.age.replaceFromMonths ?? Infinity;
  const judged = (verdict: Severity, rule: string) => ({
    verdict,
    rule,
    inputs: {
      recognizedCount,
      front: [front.state, ...front.specs],
      rear: [rear.state, ...rear.specs],
      diameterDifferencePercent,
      tiresToReplaceByAge: replace,
    },
    thresholds: { diameterDifferenceMaxPercent, replaceFromMonths },
  });
  if (mixedAxles.length > 0) return judged('caution', 'the two tires of an axle have different sizes');
  if (sizes.diametersDiffer) return judged('caution', 'the overall diameters differ too much, front to rear');
  if (replace.length > 0) return judged('caution', 'a tire is old enough for a replacement');
  if (recognizedCount === 0) return judged('unknown', 'no size was read');
  if (sizes.frontRearMatch === null) return judged('unknown', 'the size of a tire was not read');
  return judged('good', 'both tires of each axle have one size');
}
