import type { SidewallResult, TreadResult } from '@tire/contracts/api';
import { roundDepth } from '@tire/kernel';
import type { Snapshot } from '../source/source';

/** The facts of one tire, read from the snapshot alone. So the tests check the rules of content and do not repeat them. */
export interface Truth {
  readonly position: string;
  readonly isManual: boolean;
  readonly hasImage: boolean;
  readonly depthsMm: readonly number[];
  readonly interval: readonly [number, number] | null;
  /** One for each groove. */
  readonly intervals: readonly (readonly [number, number])[];
  readonly isSideKnown: boolean;
  readonly baldPlaces: readonly string[];
  readonly isSmooth: boolean;
  /** Why parts of the tread were not seen. */
  readonly unseen: readonly string[];
  readonly confidence: number | null;
  /** Codes of the warnings that name its tread, or its sidewall, together with another position. */
  readonly treadWarnings: readonly string[];
  readonly sidewallWarnings: readonly string[];
  readonly hasSidewallImage: boolean;
  readonly size: string | null;
  /** A person entered it, or confirmed it. */
  readonly isSizeManual: boolean;
  readonly ageMonths: number | null;
}

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;

export const truthsOf = (snapshot: Snapshot): Truth[] =>
  POSITIONS.map((position) => {
    const slotOf = (type: 'tread' | 'sidewall') => snapshot.slots.find(({ slot_id }) => slot_id === `tire.${type}.${position}`);
    const [tread, sidewall] = [slotOf('tread'), slotOf('sidewall')];
    const read = tread?.analysis.result as TreadResult | null | undefined;
    const side = sidewall?.analysis.result as SidewallResult | null | undefined;
    const depths = read?.individual_depths.individual_remaining_depth ?? [];
    const intervals = read?.individual_depths.depth_intervals_mm ?? [];
    const isManual = snapshot.creation.mode === 'manual';
    const warnings = (type: string) =>
      isManual
        ? []
        : (snapshot.warnings ?? [])
            .filter(({ slot_ids }) => slot_ids.includes(`tire.${type}.${position}`) && slot_ids.some((id) => !id.endsWith(position)))
            .map(({ code }) => code);
    return {
      position,
      isManual,
      hasImage: !!tread?.asset,
      depthsMm: depths.map((mm) => roundDepth(mm)),
      interval:
        intervals.length === 0
          ? null
          : [roundDepth(Math.min(...intervals.map(([low]) => low))), roundDepth(Math.min(...intervals.map(([, high]) => high)))],
      intervals: intervals.map(([from, to], index) => [
        roundDepth(Math.min(from, depths[index]!)),
        roundDepth(Math.max(to, depths[index]!)),
      ]),
      isSideKnown: read?.vehicle_side === 'left' || read?.vehicle_side === 'right',
      baldPlaces: read?.bald_zones?.zones.map(({ place }) => place) ?? [],
      isSmooth: read?.bald_zones?.worn_smooth ?? false,
      unseen: read?.unseen_parts?.map(({ reason }) => reason) ?? [],
      confidence: tread?.analysis.quality?.confidence ?? null,
      treadWarnings: warnings('tread'),
      sidewallWarnings: warnings('sidewall'),
      hasSidewallImage: !!sidewall?.asset,
      size: side?.size ? `${side.size.section_width}/${side.size.aspect_ratio}R${side.size.rim_diameter}` : null,
      isSizeManual: sidewall?.analysis.provenance === 'manual',
      ageMonths: side?.manufactured?.age_months ?? null,
    };
  });

const lowest = ({ depthsMm }: Truth): number => Math.min(...depthsMm);
const hasDepth = ({ depthsMm }: Truth): boolean => depthsMm.length > 0;
const isBald = ({ baldPlaces, isSmooth }: Truth): boolean => isSmooth || baldPlaces.length > 0;
const low = (tire: Truth): number => tire.interval?.[0] ?? lowest(tire);
const high = (tire: Truth): number => tire.interval?.[1] ?? lowest(tire);
/** With a lower groove the stop is longer than that of a new tire by 10 % or more. */
const SHORT_STOP_FROM_MM = 4.1;
const range = ({ depthsMm }: Truth): number => Math.max(...depthsMm) - Math.min(...depthsMm);
const isOwn = ({ treadWarnings }: Truth): boolean => treadWarnings.length === 0;
const isSeen = ({ unseen }: Truth): boolean => unseen.length === 0;
/** Without the whole tread it is not known which grooves are those of the shoulders. */
const canCompare = (tire: Truth): boolean => isSeen(tire) && tire.depthsMm.length >= 3 && (tire.confidence ?? 1) >= 0.5;
const outer = ({ depthsMm }: Truth): number => depthsMm[0]!;
const inner = ({ depthsMm }: Truth): number => depthsMm[depthsMm.length - 1]!;
const center = ({ depthsMm }: Truth): number => depthsMm.slice(1, -1).reduce((sum, mm) => sum + mm, 0) / (depthsMm.length - 2);
const at = (tire: Truth, ...places: readonly string[]): boolean => !tire.isSmooth && tire.baldPlaces.join() === places.join();

/** Two grooves may differ by 1.0 mm, where their errors are independent. */
const mayBeUneven = ({ depthsMm, intervals }: Truth): boolean =>
  intervals.some(([, high], up) =>
    intervals.some(([low], down) => {
      const [deeper, lower] = [depthsMm[up]!, depthsMm[down]!];
      return up !== down && deeper - lower + Math.sqrt((high - deeper) ** 2 + (lower - low) ** 2) >= 1 - 1e-9;
    }),
  );

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Four grooves, of which the mean is that of a new tire, whatever the errors. */
const isLikeNew = ({ depthsMm, intervals }: Truth): boolean =>
  depthsMm.length === 4 && mean(intervals.length > 0 ? intervals.map(([from]) => from) : depthsMm) > 6.5;
const isFaulty = (tire: Truth): boolean => isBald(tire) || (hasDepth(tire) && lowest(tire) <= 1.6);
const isWhole = ({ baldPlaces, isSmooth }: Truth): boolean => isSmooth || baldPlaces.includes('whole');

/** The facts that sentences need, each of one tire. */
export const FACTS = {
  ownImage: isOwn,
  sharedImage: (tire: Truth) => tire.treadWarnings.includes('same_image'),
  similarImage: (tire: Truth) => !isOwn(tire) && !tire.treadWarnings.includes('same_image'),
  notOwnImage: (tire: Truth) => !isOwn(tire),
  depth: hasDepth,
  faulty: isFaulty,
  notFaulty: (tire: Truth) => !isFaulty(tire),
  notSurelyWorn: (tire: Truth) => !isOwn(tire) || !hasDepth(tire) || high(tire) > 1.6,
  noDepth: (tire: Truth) => !hasDepth(tire) && !isBald(tire),
  automatic: ({ isManual }: Truth) => !isManual,
  manual: ({ isManual }: Truth) => isManual,
  image: ({ hasImage }: Truth) => hasImage,
  noImage: ({ hasImage }: Truth) => !hasImage,
  interval: ({ interval }: Truth) => interval !== null,
  noInterval: ({ interval }: Truth) => interval === null,
  pattern: (tire: Truth) => !isBald(tire),
  wholeSeen: isSeen,
  partUnseen: (tire: Truth) => !isSeen(tire),
  /** Its lowest groove may be one of another tire, or where nothing was seen. */
  lowestNotKnown: (tire: Truth) => !isOwn(tire) || !isSeen(tire),
  outsideImage: ({ unseen }: Truth) => unseen.includes('outside_image'),
  grooveUnclear: ({ unseen }: Truth) => unseen.includes('groove_unclear'),
  bald: (tire: Truth) => tire.baldPlaces.length > 0 && !tire.isSmooth,
  noBaldZone: (tire: Truth) => tire.isSmooth || !isBald(tire),
  wornSmooth: ({ isSmooth }: Truth) => isSmooth,
  someBald: isBald,
  baldInPlaces: (tire: Truth) => isBald(tire) && !isWhole(tire),
  wholeBald: isWhole,
  surelyBelowLimit: (tire: Truth) => hasDepth(tire) && high(tire) <= 1.6,
  atLimit: (tire: Truth) => hasDepth(tire) && lowest(tire) === 1.6,
  depthAtLimit: (tire: Truth) => hasDepth(tire) && lowest(tire) <= 1.6,
  reachesAboveLimit: (tire: Truth) => hasDepth(tire) && high(tire) > 1.6,
  reachesLimit: (tire: Truth) => hasDepth(tire) && low(tire) <= 1.6,
  depthAboveLimit: (tire: Truth) => hasDepth(tire) && lowest(tire) > 1.6,
  surelyAboveLimit: (tire: Truth) => hasDepth(tire) && low(tire) > 1.6,
  depthAtThreshold: (tire: Truth) => hasDepth(tire) && lowest(tire) <= 3,
  depthAboveThreshold: (tire: Truth) => hasDepth(tire) && lowest(tire) > 3,
  aboveThreshold: (tire: Truth) => hasDepth(tire) && lowest(tire) > 3 && (3 - low(tire)) / (high(tire) - low(tire) || 1) <= 0.025 + 1e-6,
  /** Near the legal limit wherever it lies in its interval, or perhaps far from it. */
  belowThreshold: (tire: Truth) => hasDepth(tire) && high(tire) <= 3,
  reachesAboveThreshold: (tire: Truth) => hasDepth(tire) && high(tire) > 3,
  reachesThreshold: (tire: Truth) => hasDepth(tire) && low(tire) < 3,
  // Every tire of the car stops like a new one. The depth in an image of two slots may count for none of them.
  shortStop: (tire: Truth) => !hasDepth(tire) || !isOwn(tire) || low(tire) >= SHORT_STOP_FROM_MM,
  maybeShortStop: (tire: Truth) => !hasDepth(tire) || !isOwn(tire) || high(tire) >= SHORT_STOP_FROM_MM,
  // The low end of the interval of one tire lengthens the stop.
  maybeLongerStop: (tire: Truth) => hasDepth(tire) && low(tire) < SHORT_STOP_FROM_MM,
  longerStop: (tire: Truth) => hasDepth(tire) && high(tire) < SHORT_STOP_FROM_MM,
  // Below 1.0 mm no distance is known.
  belowTable: (tire: Truth) => hasDepth(tire) && low(tire) < 1,
  inTable: (tire: Truth) => !hasDepth(tire) || !isOwn(tire) || low(tire) >= 1,
  comparable: canCompare,
  notComparable: (tire: Truth) => hasDepth(tire) && tire.depthsMm.length < 3,
  lowConfidence: (tire: Truth) => (tire.confidence ?? 1) < 0.5,
  even: (tire: Truth) => canCompare(tire) && !isBald(tire) && (range(tire) < 1 || (tire.depthsMm.length === 4 && lowest(tire) > 4)),
  likeNew: isLikeNew,
  surelyEven: (tire: Truth) => !mayBeUneven(tire) || isLikeNew(tire),
  maybeUneven: mayBeUneven,
  uneven: (tire: Truth) => canCompare(tire) && range(tire) >= 1 - 1e-9,
  centerWorn: (tire: Truth) => at(tire, 'center') || (canCompare(tire) && center(tire) < Math.min(outer(tire), inner(tire))),
  shouldersWorn: (tire: Truth) =>
    at(tire, 'first_shoulder', 'last_shoulder') || (canCompare(tire) && center(tire) > Math.max(outer(tire), inner(tire))),
  firstSideWorn: (tire: Truth) => at(tire, 'first_shoulder') || (canCompare(tire) && outer(tire) < inner(tire)),
  lastSideWorn: (tire: Truth) => at(tire, 'last_shoulder') || (canCompare(tire) && outer(tire) > inner(tire)),
  oneSideWorn: (tire: Truth) =>
    at(tire, 'first_shoulder') || at(tire, 'last_shoulder') || (canCompare(tire) && outer(tire) !== inner(tire)),
  sideKnown: ({ isSideKnown }: Truth) => isSideKnown,
  sideUnknown: ({ isSideKnown }: Truth) => !isSideKnown,
  baldCenter: ({ baldPlaces }: Truth) => baldPlaces.includes('center'),
  baldFirst: ({ baldPlaces }: Truth) => baldPlaces.includes('first_shoulder'),
  baldLast: ({ baldPlaces }: Truth) => baldPlaces.includes('last_shoulder'),
  baldWhole: ({ baldPlaces }: Truth) => baldPlaces.includes('whole'),
  baldEdge: ({ baldPlaces }: Truth) => baldPlaces.includes('first_shoulder') || baldPlaces.includes('last_shoulder'),
  size: ({ size, sidewallWarnings }: Truth) => size !== null && sidewallWarnings.length === 0,
  noSize: ({ size, sidewallWarnings }: Truth) => size === null || sidewallWarnings.length > 0,
  /** In a manual report a person enters every size; in any other one a person may confirm one. */
  sizeNotConfirmed: ({ size, sidewallWarnings, isManual, isSizeManual }: Truth) =>
    isManual || size === null || sidewallWarnings.length > 0 || !isSizeManual,
  sizeConfirmed: ({ size, sidewallWarnings, isManual, isSizeManual }: Truth) =>
    !isManual && size !== null && sidewallWarnings.length === 0 && isSizeManual,
  sidewallImage: ({ hasSidewallImage }: Truth) => hasSidewallImage,
  noSidewallImage: ({ hasSidewallImage }: Truth) => !hasSidewallImage,
  sharedSidewall: ({ sidewallWarnings }: Truth) => sidewallWarnings.includes('same_image'),
  similarSidewall: ({ sidewallWarnings }: Truth) => sidewallWarnings.length > 0 && !sidewallWarnings.includes('same_image'),
  olderThan6: ({ ageMonths, sidewallWarnings }: Truth) => ageMonths !== null && ageMonths >= 72 && sidewallWarnings.length === 0,
  olderThan10: ({ ageMonths, sidewallWarnings }: Truth) => ageMonths !== null && ageMonths >= 120 && sidewallWarnings.length === 0,
  youngerThan10: ({ ageMonths, sidewallWarnings }: Truth) => ageMonths === null || ageMonths < 120 || sidewallWarnings.length > 0,
} satisfies Record<string, (tire: Truth) => boolean>;

export type Fact = keyof typeof FACTS;

type Pair = readonly [left: Truth, right: Truth];
const differenceOf = ([left, right]: Pair): number => Math.round(Math.abs(lowest(left) - lowest(right)) * 10) / 10;
const overlap = ([left, right]: Pair): boolean =>
  left.interval !== null && right.interval !== null && Math.max(low(left), low(right)) <= Math.min(high(left), high(right));
const comparedBy = (holds: (pair: Pair) => boolean) => (pair: Pair) =>
  pair.every((tire) => hasDepth(tire) && isOwn(tire) && !isBald(tire) && isSeen(tire)) && holds(pair);
const mayDifferBy1Mm = (pair: Pair): boolean => {
  const [lower, deeper] = pair.toSorted((one, other) => lowest(one) - lowest(other)) as [Truth, Truth];
  const errorsMm = [
    Math.hypot(high(deeper) - lowest(deeper), lowest(lower) - low(lower)),
    Math.hypot(high(lower) - lowest(lower), lowest(deeper) - low(deeper)) - 2 * (lowest(deeper) - lowest(lower)),
  ];
  return lowest(deeper) - lowest(lower) + Math.max(...errorsMm) >= 1 - 1e-9;
};

const compared = comparedBy(() => true);

/** The facts that sentences need of the two tires of an axle together. */
export const AXLE_FACTS = {
  compared,
  notCompared: (pair: Pair) => !compared(pair),
  equal: comparedBy((pair) => differenceOf(pair) === 0),
  differ: comparedBy((pair) => differenceOf(pair) >= 1),
  surelyDiffer: comparedBy((pair) => differenceOf(pair) >= 1 && !overlap(pair)),
  surelyDifferMuch: comparedBy((pair) => differenceOf(pair) >= 2 && !overlap(pair)),
  maybeAlike: comparedBy((pair) => differenceOf(pair) >= 1 && overlap(pair)),
  maybeDiffer: comparedBy((pair) => differenceOf(pair) < 1 && mayDifferBy1Mm(pair)),
} satisfies Record<string, (pair: Pair) => boolean>;

export type AxleFact = keyof typeof AXLE_FACTS;
