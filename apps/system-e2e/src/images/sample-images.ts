import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_SLOTS, slotId, type Slot } from '@tire/kernel';
import type { Sample } from '@tire/local-stack';

type Bytes = Uint8Array<ArrayBuffer>;

/** Rendered once for the whole run, when the stack is started. */
export const imagesFolder = (): string => join(process.env['STACK_DIR']!, 'images');

export const imageFile = ({ image_type, position }: Slot): string => join(imagesFolder(), `${image_type}-${position}.jpg`);

const read = new Map<string, Bytes>();

export function imageOf(slot: Slot): Bytes {
  const id = slotId(slot);
  const bytes = read.get(id) ?? new Uint8Array(readFileSync(imageFile(slot)));
  read.set(id, bytes);
  return bytes;
}

export const allImages = (): Sample[] => ALL_SLOTS.map((slot) => ({ slot, path: `/${slotId(slot)}.jpg`, bytes: imageOf(slot) }));
