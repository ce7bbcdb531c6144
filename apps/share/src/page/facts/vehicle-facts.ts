import type { ledgerApi } from '@tire/contracts/grpc';
import { VEHICLE_PAGE_INSPECTIONS, VEHICLE_REPORTS_MAX } from '@tire/contracts/limits';
import { formatDepth, POSITIONS, SIGN_OF, STANDINGS, type Position, type SignName } from '@tire/kernel';
import { maskPlate } from '../../domain/plate';
import type { VehicleWords } from '../words/vehicle-words';
import { depthText, type Row } from './facts';

const MONTH_MS = 30.436875 * 86_400_000;
const DAY_MS = 86_400_000;
const LIMITS_MM = [3, 1.6] as const;
const OLD_MONTHS = { six: 72, ten: 120 };

export interface DepthPoint {
  readonly atMs: number;
  readonly depthMm: number;
  readonly lowMm: number | null;
  readonly highMm: number | null;
  readonly isDoubtful: boolean;
  /** Another tire is here since then. */
  readonly isNew: boolean;
}

interface DepthRow {
  readonly day: string;
  readonly mileage: string;
  readonly depth: string;
  readonly note: string;
}

export interface TireHistory {
  readonly position: Position;
  readonly label: string;
  readonly rows: readonly DepthRow[];
  readonly points: readonly DepthPoint[];
  /** Latest depth, ranges, wear, and when it was made. */
  readonly facts: readonly Row[];
  readonly advice: string | null;
}

interface InspectionRow {
  readonly day: string;
  readonly at: string;
  readonly mileage: string;
  readonly verdict: string;
  readonly sign: SignName;
}

export interface VehicleFacts {
  /** Before all else, where values are those of the sandbox. */
  readonly samples: string | null;
  readonly plate: Row | null;
  readonly summary: string | null;
  readonly newestOnly: string | null;
  readonly tires: readonly TireHistory[];
  /** Newest first. */
  readonly inspections: readonly InspectionRow[];
}

export interface VehicleShown {
  readonly vehicle: ledgerApi.GetPublishedVehicleResponse;
  readonly showsPlate: boolean;
  readonly timeZone: string;
  readonly now: Date;
}

const NOTHING = '–';

/** Everything that page and PDF say of a vehicle, in words. */
export function vehicleFacts(words: VehicleWords, { vehicle, showsPlate, timeZone, now }: VehicleShown): VehicleFacts {
  const { plateNumber, inspections: all, wear } = vehicle;
  const shown = all.slice(-VEHICLE_PAGE_INSPECTIONS).map((inspection) => seenOf(words, inspection, timeZone));
  const [first, last] = [all[0], all.at(-1)];
  const day = (at: string) => words.dayOf(new Date(at), timeZone);
  return {
    samples: vehicle.hasSamples ? words.samples : null,
    plate: plateNumber === undefined ? null : { label: words.base.plate, value: showsPlate ? plateNumber : maskPlate(plateNumber) },
    summary:
      first && last ? words.summary(all.length, all.length >= VEHICLE_REPORTS_MAX, day(first.inspectedAt), day(last.inspectedAt)) : null,
    newestOnly: all.length > shown.length ? words.newestOnly(shown.length) : null,
    tires: POSITIONS.map((position) => {
      const found = wear.find((one) => one.position === position);
      return tireHistory(words, position, shown, wearRows(words, found, day), now);
    }),
    inspections: shown.toReversed().map(({ inspection, day: on, mileage }) => inspectionRow(words, inspection, on, mileage)),
  };
}

interface Seen {
  readonly inspection: ledgerApi.PublishedInspection;
  readonly day: string;
  readonly mileage: string;
}

const seenOf = (words: VehicleWords, inspection: ledgerApi.PublishedInspection, timeZone: string): Seen => ({
  inspection,
  day: words.dayOf(new Date(inspection.inspectedAt), timeZone),
  mileage: inspection.mileageKm === undefined ? NOTHING : words.kilometres(inspection.mileageKm),
});

function inspectionRow(
  words: VehicleWords,
  { inspectedAt, standing: text }: ledgerApi.PublishedInspection,
  day: string,
  mileage: string,
): InspectionRow {
  const standing = STANDINGS.find((one) => one === text && words.standings[one] !== undefined) ?? 'unknown';
  return { day, at: inspectedAt, mileage, verdict: words.standings[standing]!, sign: SIGN_OF[standing] };
}

function tireHistory(words: VehicleWords, position: Position, seen: readonly Seen[], wear: readonly Row[], now: Date): TireHistory {
  const own = seen.flatMap(({ inspection, day, mileage }) => {
    const tire = inspection.tires.find((one) => one.position === position);
    return tire ? [{ tire, day, mileage, atMs: Date.parse(inspection.inspectedAt) }] : [];
  });
  const told = own.filter(({ tire }) => tire.depthMm !== undefined || tire.change !== undefined || isWornSmooth(tire));
  const made = madeSince(own.map(({ tire }) => tire));
  const age = made && ageMonths(made, now);
  return {
    position,
    label: words.base.positions[position],
    rows: told.map(({ tire, day, mileage }) => ({ day, mileage, depth: depthOf(words, tire), note: noteOf(words, tire) })).toReversed(),
    points: pointsOf(own),
    facts: [
      {
        label: words.lastDepth,
        value: latestDepth(
          words,
          told.map(({ tire }) => tire),
        ),
      },
      ...wear,
      ...(made === null || age === null ? [] : [{ label: words.made, value: words.madeIn(made.year, made.week, age) }]),
    ],
    advice: age === null ? null : adviceOf(words, age),
  };
}

const isWornSmooth = ({ depthMm, tread }: ledgerApi.PublishedTire): boolean => depthMm === undefined && (tread?.isBald ?? false);

const intervalOf = ({ tread }: ledgerApi.PublishedTire): readonly [number, number] | null =>
  tread?.depthLowMm === undefined || tread.depthHighMm === undefined ? null : [tread.depthLowMm, tread.depthHighMm];

function depthOf(words: VehicleWords, tire: ledgerApi.PublishedTire): string {
  if (tire.depthMm === undefined) return isWornSmooth(tire) ? words.base.noGroove : NOTHING;
  const { about, depth, interval } = depthText(words.base, tire.depthMm, intervalOf(tire));
  return [about, depth, interval].filter((part) => part !== null).join(' ');
}

/** Of the newest inspection that measured it: an older depth would look like today's. */
function latestDepth(words: VehicleWords, tires: readonly ledgerApi.PublishedTire[]): string {
  const last = tires.at(-1);
  return last ? [depthOf(words, last), doubtOf(words, last)].filter((part) => part !== '').join(' · ') : words.noDepth;
}

const doubtOf = (words: VehicleWords, { depthMm, tread }: ledgerApi.PublishedTire): string =>
  [
    tread?.isBald && depthMm !== undefined && words.bald,
    tread?.isPartlyUnseen && words.partUnseen,
    tread?.isImageShared && words.imageShared,
  ]
    .filter(Boolean)
    .join(', ');

function noteOf(words: VehicleWords, tire: ledgerApi.PublishedTire): string {
  const change = tire.change === 'replaced' ? words.replaced : tire.change === 'rotated' ? words.rotated(tire.fromPosition ?? null) : '';
  return [change, doubtOf(words, tire)].filter((part) => part !== '').join(', ');
}

/** A change without a depth counts for the next depth. */
function pointsOf(own: readonly { readonly tire: ledgerApi.PublishedTire; readonly atMs: number }[]): DepthPoint[] {
  let isNew = false;
  return own.flatMap(({ tire, atMs }) => {
    isNew ||= tire.change !== undefined;
    const points = pointOf(tire, atMs, isNew);
    isNew &&= points.length === 0;
    return points;
  });
}

function pointOf(tire: ledgerApi.PublishedTire, atMs: number, isNew: boolean): DepthPoint[] {
  if (tire.depthMm === undefined) return [];
  const interval = intervalOf(tire);
  const { isBald = false, isPartlyUnseen = false, isImageShared = false } = tire.tread ?? {};
  const isDoubtful = isBald || isPartlyUnseen || isImageShared;
  return [{ atMs, depthMm: tire.depthMm, lowMm: interval?.[0] ?? null, highMm: interval?.[1] ?? null, isDoubtful, isNew }];
}

function wearRows(words: VehicleWords, wear: ledgerApi.PublishedWear | undefined, day: (at: string) => string): Row[] {
  if (!wear) return [];
  const refused = wear.refused === 'too_few' || wear.refused === 'no_wear' ? words.refused[wear.refused] : null;
  const rate = wear.rate && words.rate(formatDepth(wear.rate.mm), formatDepth(wear.rate.lowMm), formatDepth(wear.rate.highMm));
  return [
    ...LIMITS_MM.map((limitMm) => ({
      label: words.reaches(formatDepth(limitMm)),
      value:
        refused ??
        rangeOf(
          words,
          wear.reached.find((one) => one.limitMm === limitMm),
          day,
        ),
    })),
    ...(refused === null ? [{ label: words.perDistance, value: rate ?? words.noRate }] : []),
  ];
}

function rangeOf(words: VehicleWords, reached: ledgerApi.ReachedLimit | undefined, day: (at: string) => string): string {
  if (!reached) return words.notWithin;
  const { earliest, latest } = reached;
  if (latest === undefined) return words.from(day(earliest));
  return day(latest) === day(earliest) ? words.by(day(latest)) : words.between(day(earliest), day(latest));
}

/** The newest DOT code since the last change of the tire. */
function madeSince(tires: readonly ledgerApi.PublishedTire[]): ledgerApi.MadeIn | null {
  const from = tires.findLastIndex(({ change }) => change !== undefined);
  return tires.slice(Math.max(0, from)).findLast(({ made }) => made)?.made ?? null;
}

/** From the Monday of the week after ISO 8601. Null for a week that is still to come. */
export function ageMonths({ year, week }: ledgerApi.MadeIn, now: Date): number | null {
  const fourth = new Date(Date.UTC(year, 0, 4));
  const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY_MS + (week - 1) * 7 * DAY_MS;
  const months = Math.floor((now.getTime() - monday) / MONTH_MS);
  return months < 0 ? null : months;
}

function adviceOf({ base }: VehicleWords, months: number): string | null {
  if (months >= OLD_MONTHS.ten) return base.olderThanTen;
  return months >= OLD_MONTHS.six ? base.olderThanSix : null;
}
