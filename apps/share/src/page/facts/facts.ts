import type { Content, ContentSection, ContentTire, RenderData } from '@tire/contracts/api';
import { formatDepth } from '@tire/kernel';
import { maskPlate } from '../../domain/plate';
import { isTireUnknown } from './grooves';
import { hasNoRange, isPartUnseen, signOfDecision, signOfTire } from './severity';
import type { Position, Words } from '../words/words';

type SectionOf<Id extends ContentSection['section_id']> = Extract<ContentSection, { section_id: Id }>;
type MetricsOf<Id extends ContentSection['section_id']> = SectionOf<Id>['metrics'];

/** A label and its value, as page and PDF both show it. */
export interface Row {
  readonly label: string;
  readonly value: string;
}

export const plateRow = (words: Words, plate: string): Row => ({ label: words.plate, value: maskPlate(plate) });
export const inspectedRow = (words: Words, inspectedAt: string, timeZone: string): Row => ({
  label: words.inspected,
  value: words.inspectedAt(new Date(inspectedAt), timeZone),
});

export const inOrder = ({ sections }: Content): ContentSection[] => [...sections].sort((a, b) => a.order - b.order);

// Depths and distances have one decimal.
const digits = (value: number): string => formatDepth(value);

type Interval = readonly [low: number, high: number] | null | undefined;

/** A depth as a person reads it, in three parts. Without an interval it is the depth alone. */
export interface DepthText {
  readonly about: string | null;
  readonly depth: string;
  readonly interval: string | null;
}

export function depthText(words: Words, depthMm: number, interval: Interval): DepthText {
  const depth = words.depth(digits(depthMm));
  // Of a gauge.
  if (!interval || interval[0] === interval[1]) return { about: null, depth, interval: null };
  return { about: words.about, depth, interval: `(${words.depth(words.range(digits(interval[0]), digits(interval[1])))})` };
}

/** Null if there is no depth. */
export const tireDepth = (words: Words, { minimum_remaining_depth_mm: depthMm, depth_interval_mm }: ContentTire): DepthText | null =>
  depthMm === null ? null : depthText(words, depthMm, depth_interval_mm);

/** The same for the place of a tire. Null if it is not known whether the depth is one of this tire. */
export const depthInPlace = (words: Words, tire: ContentTire): DepthText | null => (isTireUnknown(tire) ? null : tireDepth(words, tire));

/** The text in place of a depth. "No groove" is a result of its own. */
export function depthMissing(words: Words, tire: ContentTire): string {
  if (isTireUnknown(tire)) return words.tireNotKnown;
  return tire.bald?.worn_smooth ? words.noGroove : words.noDepth;
}

/** The text beside a depth. A tire that is unknown or wears unevenly has to be checked at any depth. */
export const labelInPlace = (tire: ContentTire): string =>
  isTireUnknown(tire) || signOfDecision(tire) !== signOfTire(tire) ? tire.decision_label : tire.severity_label;

/** Stands under a depth that other grooves still have. */
export const baldNote = (words: Words, tire: ContentTire): string | null =>
  tire.bald && tire.minimum_remaining_depth_mm !== null && !isTireUnknown(tire) ? words.baldPlace : null;

/** Stands under a depth that may not be the lowest one. A tire that is critical is so whatever else may be there. */
export const unseenNote = (words: Words, tire: ContentTire): string | null =>
  isPartUnseen(tire) && tire.minimum_remaining_depth_mm !== null && tire.severity !== 'critical' && !isTireUnknown(tire)
    ? words.partUnseen
    : null;

export const oneLine = ({ about, depth, interval }: DepthText): string => [about, depth, interval].filter(Boolean).join(' ');
const plainDepth = (words: Words, depthMm: number | null): string => (depthMm === null ? words.unknown : words.depth(digits(depthMm)));

const HUNDRED = 100;

/** Documents of older releases are not rounded. Null where it would reassure about a tire that has to be replaced. */
export function remainingText(words: Words, { remaining_distance_km: range, severity }: ContentTire): string | null {
  if (!range || severity === 'critical') return null;
  const [low, high] = [Math.floor(range[0] / HUNDRED) * HUNDRED, Math.ceil(range[1] / HUNDRED) * HUNDRED];
  return low === 0
    ? words.remainingAtMost(words.kilometres(high))
    : words.remaining(words.range(words.kilometres(low), words.kilometres(high)));
}

/** The notes under the depths of the tires. Documents of content 2.0 have their own sentences about depths without an interval. */
export function depthNotes(words: Words, content: Content): string[] {
  const hasIntervals = content.tires.some((one) => tireDepth(words, one)?.interval);
  const isOlder = content.tires.some((one) => hasNoRange(one) && one.depth_interval_mm === undefined);
  const notes = [hasIntervals ? words.intervalsNote : null, isOlder ? words.noRange : null, remainingNote(words, content)];
  return notes.filter((note) => note !== null);
}

/** Only tires with images have wear patterns. */
const isManual = ({ tires }: Content): boolean => tires.every(({ wear_pattern: wear }) => wear === null);

export const footnote = (words: Words, content: Content): string => (isManual(content) ? words.footnoteEntered : words.footnote);

/** The assumption behind the remaining distances of these tires. */
const remainingNote = (words: Words, { tires, sections }: Content): string | null => {
  const wear = sections.find((section) => section.section_id === 'tread_wear');
  if (!wear || tires.every((tire) => remainingText(words, tire) === null)) return null;
  return words.remainingNote(words.depth(digits(wear.metrics.legal_limit_mm)));
};

const NEW_DEPTH_MM = 8;
export const share = (value: number, whole: number): number => Math.min(Math.max(value, 0), whole) / whole;

interface Span {
  readonly from: number;
  readonly to: number;
}

const spanOf = (interval: Interval, whole: number): Span | null =>
  interval ? { from: share(interval[0], whole), to: share(interval[1], whole) } : null;

/** As in the document: any tire may have the lowest groove, and a depth without an interval counts as exact. */
function lowestInterval(tires: readonly ContentTire[]): Interval {
  if (tires.every(({ depth_interval_mm: interval }) => !interval)) return null;
  const intervals = tires.flatMap(({ minimum_remaining_depth_mm: depthMm, depth_interval_mm: interval }) =>
    depthMm === null ? [] : [interval ?? ([depthMm, depthMm] as const)],
  );
  return [Math.min(...intervals.map(([low]) => low)), Math.min(...intervals.map(([, high]) => high))];
}

/** The lowest depth of the car on one scale with both limits, as shares of the depth of a new tire, with labels. */
export function depthScale(
  words: Words,
  { minimum_remaining_depth_mm: depthMm, legal_limit_mm, inspection_threshold_mm }: MetricsOf<'tread_wear'>,
  tires: readonly ContentTire[],
) {
  const interval = lowestInterval(tires);
  const smooth = tires.some(({ bald }) => bald?.worn_smooth);
  // A place without a groove is lower than every depth that was measured.
  const bald = tires.some((tire) => tire.bald);
  const known = depthMm === null ? null : depthText(words, depthMm, interval);
  return {
    limit: share(legal_limit_mm, NEW_DEPTH_MM),
    threshold: share(inspection_threshold_mm, NEW_DEPTH_MM),
    mark: depthMm === null || bald ? null : share(depthMm, NEW_DEPTH_MM),
    span: bald ? null : spanOf(interval, NEW_DEPTH_MM),
    legend: [
      { label: words.limit, value: plainDepth(words, legal_limit_mm) },
      { label: words.threshold, value: plainDepth(words, inspection_threshold_mm) },
      { label: words.lowest, value: known ? oneLine(known) : smooth ? words.noGroove : words.unknown },
    ] satisfies Row[],
  };
}

interface Bar extends Row {
  /** Shares of the longest bar: the braking distance of a new tire, and the distance beyond it. */
  readonly reach: number;
  readonly gap: number;
  readonly span: Span | null;
}

/** Both distances on one scale. */
export function brakingBars(
  words: Words,
  { metrics }: SectionOf<'braking_distance'>,
): { readonly bars: readonly Bar[]; readonly note: string | null } | null {
  const { new_tire_distance_m: fresh, current_tire_distance_m: current, distance_gap_m: gapM } = metrics;
  const { speed_at_new_tire_stop_kmh: speedKmh, current_tire_distance_range_m: range, distance_is_at_least: isAtLeast } = metrics;
  if (fresh === null || current === null) return null;
  const near = range?.[0] ?? current;
  const longest = Math.max(fresh, current, (isAtLeast ? near : range?.[1]) ?? 0);
  const bars = [
    { label: words.newTire, value: words.metres(digits(fresh)), reach: share(fresh, longest), gap: 0, span: null },
    {
      label: words.currentTire,
      value: isAtLeast
        ? words.atLeast(words.metres(digits(near)))
        : words.metres(range ? words.range(digits(range[0]), digits(range[1])) : digits(near)),
      reach: share(Math.min(fresh, current), longest),
      gap: share(current - fresh, longest),
      // The far end of a lower bound is not known.
      span: isAtLeast ? null : spanOf(range, longest),
    },
  ];
  // The speed is that of one distance, so it would be too exact beside a range or a lower bound.
  const passes = !range && !isAtLeast && gapM !== null && gapM > 0 && speedKmh !== null;
  return { bars, note: passes ? words.passesAt(Math.round(speedKmh)) : null };
}

const AXLES = ['front', 'rear'] as const;

/** A difference of two depths with intervals is no more exact than they are. */
export function axleRows(
  words: Words,
  { front_axle_delta_mm: front, rear_axle_delta_mm: rear }: MetricsOf<'position_variance'>,
  tires: readonly ContentTire[],
): Row[] {
  const value = (axle: (typeof AXLES)[number], deltaMm: number | null): string => {
    const isExact = tires.every(({ position, depth_interval_mm: interval }) => !position.startsWith(axle) || !interval);
    return deltaMm === null || isExact ? plainDepth(words, deltaMm) : `${words.about} ${plainDepth(words, deltaMm)}`;
  };
  return [
    { label: words.frontDelta, value: value('front', front) },
    { label: words.rearDelta, value: value('rear', rear) },
  ];
}

export type Sidewall = RenderData['sidewall_specs'][number];

/** One row for each axle. An axle with two sizes has a row for each tire, and one of which a single size was read names that tire. */
export function sizeRows(words: Words, metrics: MetricsOf<'sidewall_spec'>, { render_data }: Content): Row[] {
  return AXLES.flatMap((axle): Row[] => {
    const spec = axle === 'front' ? metrics.front_spec : metrics.rear_spec;
    const both = render_data.sidewall_specs.filter(({ slot_id }) => positionOf(slot_id)?.startsWith(axle));
    const [read, other] = both.filter(({ size }) => size !== null);
    if (!metrics.mixed_axles?.includes(axle)) {
      const label = spec !== null && read && !other ? placeOf(words, read.slot_id) : words[axle];
      return [{ label, value: spec ?? words.unknown }];
    }
    return both.map((one) => ({ label: placeOf(words, one.slot_id), value: sizeOf(one) ?? words.unknown }));
  });
}

const positionOf = (slotId: string): string | undefined => slotId.split('.')[2];
const placeOf = (words: Words, slotId: string): string => words.positions[positionOf(slotId) as Position] ?? '';

export const treadLabel = (words: Words, { slot_id }: { readonly slot_id: string }): string => words.treadOf(placeOf(words, slot_id));
export const sidewallLabel = (words: Words, { slot_id }: Sidewall): string => words.sidewallOf(placeOf(words, slot_id));

const sizeOf = ({ size }: Sidewall): string | null => size && `${size.section_width}/${size.aspect_ratio}R${size.rim_diameter}`;

const OLD_MONTHS = { six: 72, ten: 120 };

const sameImageOf = (words: Words, slotIds: readonly string[] = []): string | null =>
  slotIds.length === 0 ? null : words.sameImage(slotIds.map((slotId) => placeOf(words, slotId)));

/** The lines under a sidewall: what was read, and the advice for an old tire. An image of several positions is advice for none of them. */
export function sidewallLines(words: Words, sidewall: Sidewall): { readonly read: readonly string[]; readonly advice: string | null } {
  const { load_index: index, manufactured, brand } = sidewall;
  const size = [sizeOf(sidewall) ?? words.noSize, ...(index ? [words.loadIndex(index)] : []), ...(brand ? [brand] : [])].join(' · ');
  const sameImage = sameImageOf(words, sidewall.same_image_slot_ids);
  if (!manufactured) return { read: [size], advice: sameImage };
  const { year, week, age_months: months } = manufactured;
  const old = months >= OLD_MONTHS.ten ? words.olderThanTen : months >= OLD_MONTHS.six ? words.olderThanSix : null;
  return { read: [size, words.manufactured(year, week, months)], advice: sameImage ?? old };
}

/** Other positions that rest on the same image. */
export const sameImageText = (words: Words, tires: readonly ContentTire[], slotId: string): string | null =>
  sameImageOf(words, tires.find(({ slot_id }) => slot_id === slotId)?.same_image_slot_ids);

export const assetIds = ({ render_data }: Content): string[] =>
  [...render_data.tread_overlays, ...render_data.sidewall_specs].map(({ asset }) => asset.asset_id);
