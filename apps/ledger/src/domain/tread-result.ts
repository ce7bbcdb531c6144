import type { TreadResult, UnseenPart } from '@tire/contracts/api';
import type { TreadMeasurement } from '@tire/contracts/events';
import { finite, outline, withinImage } from './measured-values';

type Measured<Field extends keyof TreadMeasurement> = NonNullable<TreadMeasurement[Field]>;
type Groove = NonNullable<TreadResult['groove_masks']>[number];
type Interval = NonNullable<Groove['depth_interval_mm']>;
type BaldZones = NonNullable<TreadResult['bald_zones']>;
type Zone = BaldZones['zones'][number];

const PLACES: Readonly<Record<Zone['place'], true>> = { whole: true, first_shoulder: true, center: true, last_shoulder: true };

const isPlace = (place: string): place is Zone['place'] => Object.hasOwn(PLACES, place);

/** No tire that is inspected is deeper. */
const DEPTH_MAX_MM = 50;
/** A tread has three places for a zone. More zones, or longer outlines, come from no tread. */
const ZONES_MAX = 8;
const OUTLINE_POINTS_MAX = 256;
/** The tolerance for shares that rounding puts outside of 0..1. */
const SHARE_TOLERANCE = 0.01;

/** A measured tread with the names of report.v1. Of a tread that is worn smooth no depth is kept: it would come from noise. */
export function treadResult(measured: TreadMeasurement): TreadResult {
  const bald = baldZones(measured.baldZones);
  return {
    ...(bald?.worn_smooth ? NO_DEPTHS : depths(measured)),
    tire_rotation: finite(measured.tireRotationDegClockwise),
    vehicle_side: vehicleSide(measured.vehicleSide),
    tread_roi: { bbox_xyxy_norm: box(measured.treadRoiBboxNorm) },
    ...(bald ? { bald_zones: bald } : {}),
    ...(measured.unseen ? { unseen_parts: unseenParts(measured.unseen) } : {}),
  };
}

type Depths = Pick<TreadResult, 'aggregated_depth' | 'individual_depths' | 'groove_masks'>;

const NO_DEPTHS: Depths = { aggregated_depth: null, individual_depths: { individual_remaining_depth: [] }, groove_masks: [] };

function depths(measured: TreadMeasurement): Depths {
  const aggregated = finite(measured.aggregatedRemainingDepthMm);
  const lifetime = finite(measured.estimatedLifetimeKm);
  return {
    aggregated_depth:
      aggregated === null && lifetime === null
        ? null
        : {
            aggregated_remaining_depth: aggregated,
            estimated_lifetime: lifetime,
            ...withInterval(interval(measured.aggregatedDepthInterval, aggregated)),
          },
    ...grooves(measured),
  };
}

/** Depths, intervals and masks share their index. A groove without a depth is dropped from all; masks that match no depth are dropped. */
function grooves({ individualRemainingDepthMm: depthsMm, individualDepthInterval: intervals, grooveMasks: masks }: TreadMeasurement) {
  const kept = depthsMm.map((_, index) => index).filter((index) => Number.isFinite(depthsMm[index]));
  const keptMasks = masks.length === depthsMm.length ? kept.map((index) => masks[index]!) : [];
  const measuredIntervals = intervals.length === depthsMm.length ? kept.map((index) => interval(intervals[index], depthsMm[index]!)) : [];
  const depth_intervals_mm = measuredIntervals.filter((each) => each !== null);
  const whole = kept.length > 0 && depth_intervals_mm.length === kept.length;
  return {
    individual_depths: {
      individual_remaining_depth: kept.map((index) => depthsMm[index]!),
      ...(whole ? { depth_intervals_mm } : {}),
    },
    groove_masks: keptMasks.map(({ depthMm, score, polygonXyNorm, depthInterval }): Groove => ({
      depth_mm: finite(depthMm),
      score: finite(score),
      polygon_xy_norm: outline(polygonXyNorm),
      ...withInterval(interval(depthInterval, finite(depthMm))),
    })),
  };
}

const withInterval = (found: Interval | null) => (found ? { depth_interval_mm: found } : {});

/** Null where it is impossible. An interval holds its own depth: where it does not, it is wider than the engine gave it. */
function interval(measured: Measured<'aggregatedDepthInterval'> | undefined, depthMm: number | null): Interval | null {
  if (!measured || depthMm === null) return null;
  const { lowMm, highMm } = measured;
  const isPossible = lowMm >= 0 && lowMm <= highMm && highMm <= DEPTH_MAX_MM && depthMm >= 0 && depthMm <= DEPTH_MAX_MM;
  return isPossible ? [Math.min(lowMm, depthMm), Math.max(highMm, depthMm)] : null;
}

/** Null where the engine does not measure them. Nothing that is impossible hides a zone beside it. */
function baldZones(measured: TreadMeasurement['baldZones']): BaldZones | null {
  if (!measured) return null;
  const { wornSmooth: worn_smooth } = measured;
  const zones = measured.zones
    .flatMap((zone) => baldZone(zone) ?? [])
    .toSorted((a, b) => a.from_share - b.from_share || a.to_share - b.to_share)
    .slice(0, ZONES_MAX);
  const share_of_width = share(measured.shareOfWidth) ?? (worn_smooth ? 1 : coveredShare(zones));
  // Without a zone, an impossible share is no measurement.
  if (share(measured.shareOfWidth) === null && zones.length === 0 && !worn_smooth) return null;
  return { share_of_width, worn_smooth, zones };
}

function baldZone({ place, fromShare, toShare, polygonXyNorm }: Measured<'baldZones'>['zones'][number]): Zone | null {
  const [from_share, to_share] = [share(fromShare), share(toShare)];
  if (!isPlace(place) || from_share === null || to_share === null || from_share >= to_share) return null;
  return { place, from_share, to_share, polygon_xy_norm: polygonXyNorm.length > OUTLINE_POINTS_MAX ? [] : outline(polygonXyNorm) };
}

const UNSEEN_PLACES: readonly UnseenPart['place'][] = ['first_shoulder', 'center', 'last_shoulder'];
const UNSEEN_REASONS: readonly UnseenPart['reason'][] = ['outside_image', 'groove_unclear'];

/** Each part once, in the order of the places. A place or a reason that this version does not know is still a part that was not seen. */
function unseenParts({ parts }: Measured<'unseen'>): UnseenPart[] {
  const known = parts.map(({ place, reason }): UnseenPart => ({
    place: UNSEEN_PLACES.find((one) => one === place) ?? 'center',
    reason: UNSEEN_REASONS.find((one) => one === reason) ?? 'groove_unclear',
  }));
  return UNSEEN_PLACES.flatMap((place) => UNSEEN_REASONS.map((reason) => ({ place, reason }))).filter((one) =>
    known.some(({ place, reason }) => place === one.place && reason === one.reason),
  );
}

const share = (value: number): number | null => (value >= -SHARE_TOLERANCE && value <= 1 + SHARE_TOLERANCE ? withinImage(value) : null);

/** The share that the zones cover together. They are in order and may overlap. */
function coveredShare(zones: readonly Zone[]): number {
  let [covered, until] = [0, 0];
  for (const { from_share, to_share } of zones) {
    covered += Math.max(0, to_share - Math.max(from_share, until));
    until = Math.max(until, to_share);
  }
  return withinImage(covered);
}

function box(measured: TreadMeasurement['treadRoiBboxNorm']): [number, number, number, number] | null {
  if (!measured) return null;
  const corners = [measured.x1, measured.y1, measured.x2, measured.y2] as const;
  if (!corners.every(Number.isFinite)) return null;
  return [withinImage(corners[0]), withinImage(corners[1]), withinImage(corners[2]), withinImage(corners[3])];
}

const vehicleSide = (side: string): TreadResult['vehicle_side'] =>
  side === 'left' || side === 'right' || side === 'unknown' ? side : null;
