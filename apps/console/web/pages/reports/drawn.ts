import type { Content, ReportSlot, TreadResult } from '@tire/contracts';
import type { Drawn } from './photograph';

const AS_STORED: Drawn = { degrees: 0, mirrored: false, masks: [], roi: null };

export const treadOf = ({ analysis: { result } }: ReportSlot): TreadResult | null => (result && 'groove_masks' in result ? result : null);

const wholeDegrees = (degrees: number): number => ((Math.round(degrees) % 360) + 360) % 360;

/**
 * What the content says of the display of this very photograph. Where there is no content, as of a report that is only partly measured,
 * the result of the slot says the same: the inside of a tire lies towards the middle of the car, or the picture is flipped.
 */
export function drawnOf(slot: ReportSlot, content: Content | undefined): Drawn {
  const result = treadOf(slot);
  if (!result) return AS_STORED;
  const shown = content?.render_data.tread_overlays.find(
    ({ slot_id, asset }) => slot_id === slot.slot_id && asset.asset_id === slot.asset?.asset_id,
  )?.coordinate_system;
  const ownSide = slot.slot.position.endsWith('left') ? 'left' : 'right';
  return {
    degrees: wholeDegrees(shown?.rotation_degrees_clockwise ?? result.tire_rotation ?? 0),
    mirrored: shown?.mirror_x ?? result.vehicle_side === ownSide,
    masks: result.groove_masks,
    roi: result.tread_roi.bbox_xyxy_norm,
  };
}
