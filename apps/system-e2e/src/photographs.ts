import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_SLOTS, slotId, type Slot } from '@tire/kernel';
import type { Sample } from '@tire/local-stack';

type Bytes = Uint8Array<ArrayBuffer>;

/** Rendered once for the whole run, when the stack is started. */
export const photographsFolder = (): string => join(process.env['STACK_DIR']!, 'photographs');

export const photographFile = ({ image_type, position }: Slot): string => join(photographsFolder(), `${image_type}-${position}.jpg`);

const read = new Map<string, Bytes>();

export function photographOf(slot: Slot): Bytes {
  const id = slotId(slot);
  const bytes = read.get(id) ?? new Uint8Array(readFileSync(photographFile(slot)));
  read.set(id, bytes);
  return bytes;
}

export const photographs = (): Sample[] => ALL_SLOTS.map((slot) => ({ slot, path: `/${slotId(slot)}.jpg`, bytes: photographOf(slot) }));
