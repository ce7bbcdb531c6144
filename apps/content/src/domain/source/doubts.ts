import type { ReportSlot, TreadResult } from '@tire/contracts/api';
import type { Ruleset } from '../rulesets/ruleset';
import type { DepthInterval } from '../verdicts/tire-verdict';
import type { Snapshot } from './source';

type BaldPlace = NonNullable<TreadResult['bald_zones']>['zones'][number]['place'];
type Interval = NonNullable<TreadResult['individual_depths']['depth_intervals_mm']>[number];

export interface Bald {
  /** No groove at all was found in what is surely a tread. */
  readonly wornSmooth: boolean;
  readonly shareOfWidth: number;
  /** In the order of the grooves, each once. */
  readonly places: readonly BaldPlace[];
}

/** The image of a slot is in the slot of another position too. */
export interface SharedImage {
  readonly slotIds: readonly string[];
  /** The same bytes; otherwise near copies. */
  readonly isSame: boolean;
}

const PLACES: readonly BaldPlace[] = ['whole', 'first_shoulder', 'center', 'last_shoulder'];

export function baldOf(result: TreadResult | null): Bald | null {
  const measured = result?.bald_zones;
  if (!measured || (!measured.worn_smooth && measured.zones.length === 0 && measured.share_of_width <= 0)) return null;
  const places = PLACES.filter((place) => measured.zones.some((zone) => zone.place === place));
  const isWhole = measured.worn_smooth || places.length === 0 || places.includes('whole');
  return { wornSmooth: measured.worn_smooth, shareOfWidth: measured.share_of_width, places: isWhole ? ['whole'] : places };
}

/** Each interval holds its own depth. */
export const widened = (
  depthsMm: readonly number[],
  intervals: readonly Interval[],
  round: (depthMm: number) => number,
): readonly DepthInterval[] =>
  intervals.map(([low, high], index) => [round(Math.min(low, depthsMm[index]!)), round(Math.max(high, depthsMm[index]!))]);

/** The lowest groove is not known by its index: the lowest of all lows and of all highs hold it. */
export function lowestInterval(intervalsMm: readonly DepthInterval[]): DepthInterval | null {
  return intervalsMm.length === 0 ? null : [Math.min(...intervalsMm.map(([low]) => low)), Math.min(...intervalsMm.map(([, high]) => high))];
}

export function doubtOfIntervals(depthsMm: readonly number[], intervals: readonly Interval[]): string | null {
  if (intervals.length === 0) return null;
  if (intervals.length !== depthsMm.length) return `${intervals.length} intervals for ${depthsMm.length} depths`;
  return intervals.some(([low, high]) => low > high) ? 'an interval ends below its beginning' : null;
}

/** A tread in the sidewall slot of its own position is still an image of that tire. Depths that a person entered need no image. */
export function sharedImage(snapshot: Snapshot, { slot_id, slot, asset }: ReportSlot, ruleset: Ruleset): SharedImage | null {
  if (!ruleset.doubt || snapshot.creation.mode === 'manual' || !asset) return null;
  const warnings = (snapshot.warnings ?? []).filter(({ slot_ids }) => slot_ids.includes(slot_id));
  const slotIds = [...new Set(warnings.flatMap(({ slot_ids }) => slot_ids))].filter((id) => !id.endsWith(`.${slot.position}`));
  const isSame = warnings.some(({ code, slot_ids }) => code === 'same_image' && slotIds.some((id) => slot_ids.includes(id)));
  return slotIds.length === 0 ? null : { slotIds, isSame };
}
