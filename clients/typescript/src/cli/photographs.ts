import { basename } from 'node:path';
import { UsageError } from './config.ts';
import { POSITIONS, type ImageType, type SlotId } from '../types.ts';

/** By a name such as `tread-front_left.jpg`, `FRONT LEFT sidewall.png` or `tire.tread.rear_right.jpg`. */
export function slotNamed(file: string): SlotId | null {
  const name = basename(file).toLowerCase();
  const type = (['tread', 'sidewall'] as const).filter((one) => name.includes(one));
  const position = POSITIONS.filter((one) => new RegExp(one.replace('_', '[ _.-]?')).test(name));
  return type.length === 1 && position.length === 1 ? `tire.${type[0]!}.${position[0]!}` : null;
}

/** For a report every name must tell its slot: a guess would put the depth of one tire at another. */
export function bySlot(files: readonly string[]): Partial<Record<SlotId, string>> {
  const found: Partial<Record<SlotId, string>> = {};
  for (const file of files) {
    const slot = slotNamed(file);
    if (!slot) throw new UsageError(`${file}: the name does not tell the slot; tread-front_left.jpg does.`);
    if (found[slot]) throw new UsageError(`${file}: ${found[slot]} has the same slot.`);
    found[slot] = file;
  }
  if (files.length === 0) throw new UsageError('There are no photographs.');
  return found;
}

/** To measure photographs of anything: four at a time, at any position. */
export function inFours(files: readonly string[], type: ImageType): Partial<Record<SlotId, string>>[] {
  if (files.length === 0) throw new UsageError('There are no photographs.');
  const groups = Array.from({ length: Math.ceil(files.length / POSITIONS.length) }, (_, group) =>
    files.slice(group * POSITIONS.length, (group + 1) * POSITIONS.length),
  );
  return groups.map((group) => Object.fromEntries(group.map((file, index) => [`tire.${type}.${POSITIONS[index]!}`, file])));
}
