import type { AnalysisRevisionSnapshot, ReportSlot, SidewallResult, TreadResult, UnseenPart } from '@tire/contracts/api';
import { lowest, roundedDepth } from '../verdicts/numbers';
import type { Ruleset } from '../rulesets/ruleset';
import { isSoundSize, type TireSize } from '../verdicts/sidewall-summary';
import { type Bald, baldOf, doubtOfIntervals, lowestInterval, sharedImage, type SharedImage, widened } from './doubts';
import type { DepthInterval } from '../verdicts/tire-verdict';

export type Snapshot = AnalysisRevisionSnapshot;
type Position = ReportSlot['slot']['position'];
export type GrooveMask = TreadResult['groove_masks'][number];

export interface TreadReading {
  readonly position: Position;
  readonly slotId: string;
  readonly asset: ReportSlot['asset'];
  /** Rounded to the tenth that a report shows, outside to inside. */
  readonly depthsMm: readonly number[];
  readonly minimumDepthMm: number | null;
  /** The depths in the report. Empty where they are not plausible. */
  readonly reportedDepthsMm: readonly number[];
  /** The interval of the lowest groove, rounded. Null where the engine gave none, and for rulesets that do not use it. */
  readonly intervalMm: DepthInterval | null;
  /** The interval of each groove, rounded. Empty where the engine gave none, and for rulesets that do not use it. */
  readonly intervalsMm: readonly DepthInterval[];
  readonly bald: Bald | null;
  /** Parts of the width that were not seen. Empty where the engine does not judge that, and for rulesets that do not use it. */
  readonly unseen: readonly UnseenPart[];
  readonly sharedWith: SharedImage | null;
  /** By the date code in a sidewall image of this tire alone. Null for rulesets that do not use it. */
  readonly ageMonths: number | null;
  readonly confidence: number | null;
  /** A person measured grooves of it with a gauge: their intervals have no width. */
  readonly isGauged: boolean;
  /** Whether it is known which end of the depths is the inside of the car. */
  readonly sideKnown: boolean;
  readonly result: TreadResult | null;
  readonly masks: readonly GrooveMask[];
}

export interface SidewallSource {
  readonly position: Position;
  readonly slotId: string;
  readonly asset: ReportSlot['asset'];
  readonly size: TireSize | null;
  /** A person entered or confirmed it. */
  readonly isManual: boolean;
  readonly sharedWith: SharedImage | null;
  readonly manufactured: SidewallResult['manufactured'] | null;
  readonly result: SidewallResult | null;
}

/** The plausible measurements of a snapshot, and the faults of the others. */
export interface Source {
  readonly treads: readonly TreadReading[];
  readonly sidewalls: readonly SidewallSource[];
  readonly faults: readonly string[];
}

export const POSITION_ORDER = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const satisfies readonly Position[];

export function readSource(snapshot: Snapshot, ruleset: Ruleset): Source {
  const faults: string[] = [];
  const ofType = (imageType: 'tread' | 'sidewall') => POSITION_ORDER.map((position) => slotAt(snapshot, position, imageType, faults));
  const hasSidewalls = snapshot.template.requirements.some(({ image_type }) => image_type === 'sidewall');
  const sidewalls = hasSidewalls
    ? ofType('sidewall').map((slot) => readSidewall(slot, sharedImage(snapshot, slot, ruleset), ruleset, faults))
    : [];
  const ageOf = (position: Position): number | null => {
    const own = sidewalls.find((sidewall) => sidewall.position === position && !sidewall.sharedWith);
    return (ruleset.doubt && own?.manufactured?.age_months) ?? null;
  };
  return {
    treads: ofType('tread').map((slot) => ({
      ...readTread(slot, sharedImage(snapshot, slot, ruleset), ruleset, faults),
      ageMonths: ageOf(slot.slot.position),
    })),
    sidewalls,
    faults,
  };
}

/** The slot of a tire. A slot that is missing or doubled counts as one without a measurement. */
function slotAt(snapshot: Snapshot, position: Position, imageType: 'tread' | 'sidewall', faults: string[]): ReportSlot {
  const id = `tire.${imageType}.${position}`;
  const [slot, second] = snapshot.slots.filter(
    (one) => one.slot_id === id && one.slot.position === position && one.slot.image_type === imageType,
  );
  if (slot && !second) return slot;
  faults.push(`${id}: ${second ? 'more than one slot' : 'no slot'}`);
  return {
    slot_id: id,
    module_type: 'tire',
    slot: { position, image_type: imageType },
    status: 'pending',
    asset: slot?.asset ?? null,
    analysis: NOT_ANALYSED,
  };
}

export const NOT_ANALYSED: ReportSlot['analysis'] = {
  status: 'pending',
  provenance: null,
  engine: null,
  result: null,
  quality: null,
  error: null,
  completed_at: null,
};

const isTread = (result: TreadResult | SidewallResult): result is TreadResult => 'individual_depths' in result;

function readTread(slot: ReportSlot, sharedWith: SharedImage | null, ruleset: Ruleset, faults: string[]): Omit<TreadReading, 'ageMonths'> {
  const { analysis } = slot;
  if (analysis.result && !isTread(analysis.result)) faults.push(`${slot.slot_id}: the result is not of a tread`);
  const result = analysis.status === 'success' && analysis.result && isTread(analysis.result) ? analysis.result : null;
  const raw = result?.individual_depths.individual_remaining_depth ?? [];
  const masks = result?.groove_masks ?? [];
  const intervals = ruleset.doubt ? (result?.individual_depths.depth_intervals_mm ?? []) : [];
  const doubt = result && (doubtOfDepths(raw, masks, ruleset) ?? doubtOfIntervals(raw, intervals));
  if (doubt) faults.push(`${slot.slot_id}: ${doubt}`);
  const bald = ruleset.doubt ? baldOf(result) : null;
  const reportedDepthsMm = doubt || bald?.wornSmooth ? [] : raw;
  const round = roundedDepth(ruleset);
  const depthsMm = reportedDepthsMm.map(round);
  const intervalsMm = depthsMm.length === 0 ? [] : widened(raw, intervals, round);
  // Masks and depths share their index. Where their numbers differ, no mask has a known depth.
  const drawable = masks.length === depthsMm.length;
  if (!drawable && masks.length > 0 && !doubt) faults.push(`${slot.slot_id}: ${raw.length} depths for ${masks.length} masks`);
  const confidence = analysis.quality?.confidence ?? null;
  return {
    position: slot.slot.position,
    slotId: slot.slot_id,
    asset: slot.asset,
    depthsMm,
    minimumDepthMm: lowest(depthsMm),
    reportedDepthsMm,
    intervalMm: lowestInterval(intervalsMm),
    intervalsMm,
    bald,
    unseen: ruleset.doubt ? (result?.unseen_parts ?? []) : [],
    sharedWith,
    isGauged: analysis.gauge !== undefined,
    confidence: confidence !== null && Number.isFinite(confidence) ? confidence : null,
    sideKnown: result?.vehicle_side === 'left' || result?.vehicle_side === 'right',
    result,
    masks: drawable ? masks : [],
  };
}

/** The reason why the depths of a tire are not plausible. One impossible or contradicted depth makes all of them doubtful. */
function doubtOfDepths(depthsMm: readonly number[], masks: readonly GrooveMask[], ruleset: Ruleset): string | null {
  const { depth } = ruleset;
  const round = roundedDepth(ruleset);
  if (!depthsMm.every((mm) => Number.isFinite(mm) && mm >= 0 && mm <= depth.soundMaxMm))
    return `a depth is not between 0 and ${depth.soundMaxMm} mm`;
  const isContradicted =
    masks.length === depthsMm.length &&
    masks.some(({ depth_mm }, index) => depth_mm !== null && depth_mm !== depthsMm[index] && round(depth_mm) !== round(depthsMm[index]!));
  return isContradicted ? 'the depth of a mask differs from the depth of its groove' : null;
}

function readSidewall(slot: ReportSlot, sharedWith: SharedImage | null, ruleset: Ruleset, faults: string[]): SidewallSource {
  const { analysis } = slot;
  if (analysis.result && isTread(analysis.result)) faults.push(`${slot.slot_id}: the result is not of a sidewall`);
  const result = analysis.status === 'success' && analysis.result && !isTread(analysis.result) ? analysis.result : null;
  const raw = result?.size ?? null;
  const size = completeSize(raw);
  const soundSize = size && isSoundSize(size, ruleset) ? size : null;
  if (raw && !soundSize) faults.push(`${slot.slot_id}: not a size of a tire`);
  return {
    position: slot.slot.position,
    slotId: slot.slot_id,
    asset: slot.asset,
    size: soundSize,
    isManual: analysis.provenance === 'manual',
    sharedWith,
    manufactured: result?.manufactured ?? null,
    result,
  };
}

function completeSize(size: SidewallResult['size']): TireSize | null {
  if (!size || size.section_width === null || size.aspect_ratio === null || size.rim_diameter === null) return null;
  return { section_width: size.section_width, aspect_ratio: size.aspect_ratio, rim_diameter: size.rim_diameter };
}
