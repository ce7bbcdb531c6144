import type { AnalysisRevisionSnapshot, ReportSlot, SidewallResult, TreadResult } from '@tire/contracts';
import { lowest, roundTenth } from './numbers';
import type { Ruleset } from './ruleset';
import { isSoundSize, type TireSize } from './sidewall-summary';

export type Snapshot = AnalysisRevisionSnapshot;
type Position = ReportSlot['slot']['position'];
export type GrooveMask = TreadResult['groove_masks'][number];

export interface TreadReading {
  readonly position: Position;
  readonly slotId: string;
  readonly asset: ReportSlot['asset'];
  /** Rounded to what the reader sees, outside to inside. */
  readonly depthsMm: readonly number[];
  readonly minimumDepthMm: number | null;
  readonly confidence: number | null;
  readonly result: TreadResult | null;
  readonly masks: readonly GrooveMask[];
}

export interface SidewallSource {
  readonly position: Position;
  readonly slotId: string;
  readonly asset: ReportSlot['asset'];
  readonly size: TireSize | null;
}

/** What of a snapshot can be believed, and what was wrong with the rest. */
export interface Source {
  readonly treads: readonly TreadReading[];
  readonly sidewalls: readonly SidewallSource[];
  readonly faults: readonly string[];
}

export const POSITION_ORDER = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const satisfies readonly Position[];

export function readSource(snapshot: Snapshot, ruleset: Ruleset): Source {
  const faults: string[] = [];
  const ofType = (imageType: 'tread' | 'sidewall') =>
    POSITION_ORDER.flatMap((position) => snapshot.slots.filter(({ slot }) => slot.image_type === imageType && slot.position === position));
  return {
    treads: ofType('tread').map((slot) => readTread(slot, ruleset, faults)),
    sidewalls: ofType('sidewall').map((slot) => readSidewall(slot, ruleset, faults)),
    faults,
  };
}

const isTread = (result: TreadResult | SidewallResult): result is TreadResult => 'individual_depths' in result;

function readTread(slot: ReportSlot, ruleset: Ruleset, faults: string[]): TreadReading {
  const { analysis } = slot;
  const result = analysis.status === 'success' && analysis.result && isTread(analysis.result) ? analysis.result : null;
  const raw = result?.individual_depths?.individual_remaining_depth ?? [];
  const sound = raw.every((depth) => Number.isFinite(depth) && depth >= 0 && depth <= ruleset.depth.soundMaxMm);
  if (!sound) faults.push(`${slot.slot_id}: a depth is not between 0 and ${ruleset.depth.soundMaxMm} mm`);
  const depthsMm = sound ? raw.map(roundTenth) : [];
  const masks = result?.groove_masks ?? [];
  const sameLength = masks.length === 0 || masks.length === raw.length;
  if (!sameLength) faults.push(`${slot.slot_id}: ${raw.length} depths for ${masks.length} masks`);
  const confidence = analysis.quality?.confidence ?? null;
  return {
    position: slot.slot.position,
    slotId: slot.slot_id,
    asset: slot.asset,
    depthsMm,
    minimumDepthMm: lowest(depthsMm),
    confidence: confidence !== null && Number.isFinite(confidence) ? confidence : null,
    result,
    // A mask points to its depth by index: with lengths that differ nobody knows which belongs to which.
    masks: sameLength && sound ? masks : [],
  };
}

function readSidewall(slot: ReportSlot, ruleset: Ruleset, faults: string[]): SidewallSource {
  const { analysis } = slot;
  const result = analysis.status === 'success' && analysis.result && !isTread(analysis.result) ? analysis.result : null;
  const raw = result?.size ?? null;
  const size = completeSize(raw);
  const believed = size && isSoundSize(size, ruleset) ? size : null;
  if (raw && !believed) faults.push(`${slot.slot_id}: not a size of a tire`);
  return { position: slot.slot.position, slotId: slot.slot_id, asset: slot.asset, size: believed };
}

function completeSize(size: SidewallResult['size']): TireSize | null {
  if (!size || size.section_width === null || size.aspect_ratio === null || size.rim_diameter === null) return null;
  return { section_width: size.section_width, aspect_ratio: size.aspect_ratio, rim_diameter: size.rim_diameter };
}
