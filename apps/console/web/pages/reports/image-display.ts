import type { Content, Report, ReportSlot, TreadResult } from '@tire/contracts/api';
import type { ImageDisplay } from './image';

const AS_STORED: ImageDisplay = { degrees: 0, mirrored: false, masks: [], roi: null };

export const treadOf = ({ analysis: { result } }: ReportSlot): TreadResult | null => (result && 'groove_masks' in result ? result : null);

const wholeDegrees = (degrees: number): number => ((Math.round(degrees) % 360) + 360) % 360;

/** Whether the same image is in a slot of another tire too. Its tire and its side of the car are then unknown. */
export const isShared = ({ warnings = [] }: Report, { slot_id, slot }: ReportSlot): boolean =>
  warnings.some(({ slot_ids }) => slot_ids.includes(slot_id) && slot_ids.some((id) => !id.endsWith(`.${slot.position}`)));

/**
 * The display settings of an image, from the content. Without content, for example for a partial report, they come from the result of the
 * slot: an image is flipped if the inner side of the tire does not point to the middle of the car.
 */
export function imageDisplayOf(report: Report, slot: ReportSlot, content: Content | undefined): ImageDisplay {
  const result = treadOf(slot);
  if (!result) return AS_STORED;
  const shown = content?.render_data.tread_overlays.find(
    ({ slot_id, asset }) => slot_id === slot.slot_id && asset.asset_id === slot.asset?.asset_id,
  )?.coordinate_system;
  const ownSide = slot.slot.position.endsWith('left') ? 'left' : 'right';
  return {
    degrees: wholeDegrees(shown?.rotation_degrees_clockwise ?? result.tire_rotation ?? 0),
    mirrored: shown?.mirror_x ?? (result.vehicle_side === ownSide && !isShared(report, slot)),
    masks: result.groove_masks,
    roi: result.tread_roi.bbox_xyxy_norm,
  };
}
