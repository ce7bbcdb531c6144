import { AnalysisRevisionSnapshot, ReportSlot, SidewallResult, TreadResult } from '@tire/contracts';
import { z } from 'zod';
import type { PrintedJson } from './domain/canonical-json';
import { type Cut, type Drawn, parseAroundOutlines } from './domain/outlines';
import { NOT_ANALYSED, type Snapshot } from './domain/source';

const Envelope = AnalysisRevisionSnapshot.extend({ slots: z.array(z.unknown()) });
const SlotHead = ReportSlot.pick({ slot_id: true });

/** What breaks its contract costs no more than itself: the rest of its slot and of the report still gets its content. */
export function readSnapshot(bytes: Uint8Array): { snapshot: Snapshot; faults: string[] } {
  const faults: string[] = [];
  const { value, outlines } = parseAroundOutlines(bytes);
  const envelope = Envelope.parse(value);
  const slots = envelope.slots.flatMap((raw) => {
    const lifted = liftOutlines(raw, outlines);
    return readSlot(lifted.slot, faults).map((slot) => withOutlines(slot, lifted.outlines));
  });
  return { snapshot: { ...envelope, slots }, faults };
}

function readSlot(raw: unknown, faults: string[]): ReportSlot[] {
  const slot = ReportSlot.safeParse(raw);
  if (slot.success) return [slot.data];
  const where = SlotHead.safeParse(raw);
  faults.push(`${where.success ? where.data.slot_id : 'a slot'}: ${z.prettifyError(slot.error)}`);
  return withSoundParts(raw) ?? withoutAnalysis(raw);
}

type Points = TreadResult['groove_masks'][number]['polygon_xy_norm'];
type Outline = Points | PrintedJson;

function outlineOf(value: unknown, printed: Cut['outlines']): Outline | undefined {
  return printed.get(value) ?? (isOutline(value) ? value : undefined);
}

function isOutline(value: unknown): value is Points {
  if (!Array.isArray(value)) return false;
  const points: readonly unknown[] = value;
  for (const point of points) if (!isPoint(point)) return false;
  return true;
}

const isPoint = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && isShareOfPicture(value[0]) && isShareOfPicture(value[1]);
const isShareOfPicture = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;

/** A slot as it may be: each of the names is there, or is not. */
type Maybe = { readonly analysis?: { readonly result?: { readonly groove_masks?: unknown } | null } | null } | null;
type MaybeMask = { readonly polygon_xy_norm?: unknown } | null;

/**
 * A slot with its sound outlines apart, an empty one in place of each: a schema takes a thousand points apart one by one, which
 * cost more than all the rest of a revision. Of another outline the schema says what it has against it.
 */
function liftOutlines(raw: unknown, printed: Cut['outlines']): { slot: unknown; outlines: (Outline | undefined)[] } {
  const { analysis } = (raw as Maybe) ?? {};
  const found = analysis?.result?.groove_masks;
  if (!Array.isArray(found)) return { slot: raw, outlines: [] };
  const masks: readonly MaybeMask[] = found;
  const outlines = masks.map((mask) => outlineOf(mask?.polygon_xy_norm, printed));
  const groove_masks = masks.map((mask, index) => (outlines[index] ? { ...mask, polygon_xy_norm: [] } : mask));
  return { slot: { ...(raw as object), analysis: { ...analysis, result: { ...analysis?.result, groove_masks } } }, outlines };
}

/** Masks are kept all or none, so each finds its outline by its index. */
function withOutlines(slot: ReportSlot, outlines: readonly (Outline | undefined)[]): Drawn<ReportSlot> {
  const { result } = slot.analysis;
  if (!result || !('groove_masks' in result)) return slot;
  const groove_masks = result.groove_masks.map((mask, index) => ({ ...mask, polygon_xy_norm: outlines[index] ?? mask.polygon_xy_norm }));
  return { ...slot, analysis: { ...slot.analysis, result: { ...result, groove_masks } } };
}

const { shape } = TreadResult;

/** Masks are matched with depths by index: one that cannot be read takes all of them with it, and so does one depth. */
const SoundTread = z.object({
  aggregated_depth: shape.aggregated_depth.catch(null),
  individual_depths: shape.individual_depths.catch({ individual_remaining_depth: [] }),
  tire_rotation: shape.tire_rotation.catch(null),
  vehicle_side: shape.vehicle_side.catch(null),
  groove_masks: shape.groove_masks.catch([]),
  tread_roi: shape.tread_roi.catch({ bbox_xyxy_norm: null }),
});
const SoundSidewall = z.object({ size: SidewallResult.shape.size.catch(null) });

const LooseSlot = z.object({ slot: ReportSlot.shape.slot, analysis: z.object({ result: z.unknown() }).loose() }).loose();
const Quality = ReportSlot.shape.analysis.shape.quality.unwrap();
const UNSURE = { recognized: false, confidence: 0 };

function withSoundParts(raw: unknown): ReportSlot[] | undefined {
  const loose = LooseSlot.safeParse(raw);
  if (!loose.success) return undefined;
  const { slot, analysis } = loose.data;
  const result = (slot.image_type === 'tread' ? SoundTread : SoundSidewall).safeParse(analysis.result);
  if (!result.success) return undefined;
  // A confidence that cannot be read is none that could be relied on.
  const quality = Quality.catch(UNSURE).parse(analysis['quality']);
  const sound = ReportSlot.safeParse({ ...loose.data, analysis: { ...analysis, result: result.data, quality } });
  return sound.success ? [sound.data] : undefined;
}

const BareSlot = ReportSlot.pick({ slot_id: true, module_type: true, slot: true }).extend({ asset: ReportSlot.shape.asset.catch(null) });

/** The slot without its analysis: its image still stands, its measurement is unknown. */
function withoutAnalysis(raw: unknown): ReportSlot[] {
  const bare = BareSlot.safeParse(raw);
  return bare.success ? [{ ...bare.data, status: 'pending', analysis: NOT_ANALYSED }] : [];
}
