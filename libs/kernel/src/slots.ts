export const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;
export type Position = (typeof POSITIONS)[number];

export const IMAGE_TYPES = ['tread', 'sidewall'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export const MODULE_TYPE = 'tire';

export interface Slot {
  readonly position: Position;
  readonly image_type: ImageType;
}

export type SlotId = `${typeof MODULE_TYPE}.${ImageType}.${Position}`;

export const slotId = ({ image_type, position }: Slot): SlotId => `${MODULE_TYPE}.${image_type}.${position}`;

export const ALL_SLOTS: readonly Slot[] = IMAGE_TYPES.flatMap((image_type) => POSITIONS.map((position) => ({ position, image_type })));

const SLOTS_BY_ID = new Map<string, Slot>(ALL_SLOTS.map((slot) => [slotId(slot), slot]));

export const isSlotId = (id: string): id is SlotId => SLOTS_BY_ID.has(id);

export function parseSlotId(id: string): Slot {
  const slot = SLOTS_BY_ID.get(id);
  if (!slot) throw new Error(`Not a slot id: ${id}`);
  return slot;
}
