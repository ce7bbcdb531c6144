import { AnalysisRevisionSnapshot, ReportSlot, SidewallResult, TreadResult } from '@tire/contracts';
import { z } from 'zod';
import { NOT_ANALYSED } from './domain/source';

const Envelope = AnalysisRevisionSnapshot.extend({ slots: z.array(z.unknown()) });
const SlotHead = ReportSlot.pick({ slot_id: true });

/** What breaks its contract costs no more than itself: the rest of its slot and of the report still gets its content. */
export function readSnapshot(bytes: Uint8Array): { snapshot: AnalysisRevisionSnapshot; faults: string[] } {
  const faults: string[] = [];
  const envelope = Envelope.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  const slots = envelope.slots.flatMap((raw) => {
    const slot = parseSlot(raw);
    if (slot.success) return [slot.data];
    const where = SlotHead.safeParse(raw);
    faults.push(`${where.success ? where.data.slot_id : 'a slot'}: ${z.prettifyError(slot.error)}`);
    return withSoundParts(raw) ?? withoutAnalysis(raw);
  });
  return { snapshot: { ...envelope, slots }, faults };
}

type Point = [x: number, y: number];

function isOutline(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const points: readonly unknown[] = value;
  for (const point of points) if (!isPoint(point)) return false;
  return true;
}

const isPoint = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && isShareOfPicture(value[0]) && isShareOfPicture(value[1]);
const isShareOfPicture = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;

interface Drawing {
  readonly polygon_xy_norm: Point[];
}
const isDrawing = (mask: unknown): mask is Drawing => isOutline((mask as Partial<Drawing> | null)?.polygon_xy_norm);

/** A slot as it may be: each of the names is there, or is not. */
type Maybe = { readonly analysis?: { readonly result?: { readonly groove_masks?: unknown } | null } | null } | null;

/**
 * A slot whose outlines are sound, judged without them and given them back: a schema takes a thousand points apart one by one,
 * which cost more than all the rest of a revision. Of one with other outlines the schema says what it has against them.
 */
function parseSlot(raw: unknown): ReturnType<typeof ReportSlot.safeParse> {
  const { analysis } = (raw as Maybe) ?? {};
  const masks = analysis?.result?.groove_masks;
  if (!Array.isArray(masks) || !masks.every(isDrawing)) return ReportSlot.safeParse(raw);
  const bare = { ...analysis?.result, groove_masks: masks.map((mask) => ({ ...mask, polygon_xy_norm: [] })) };
  const slot = ReportSlot.safeParse({ ...(raw as object), analysis: { ...analysis, result: bare } });
  const result = slot.data?.analysis.result;
  if (result && 'groove_masks' in result)
    result.groove_masks.forEach((mask, index) => (mask.polygon_xy_norm = masks[index]!.polygon_xy_norm));
  return slot;
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
