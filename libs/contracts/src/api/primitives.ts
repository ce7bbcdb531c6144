import { z } from 'zod';
import { IMAGE_TYPES, MODULE_TYPE, POSITIONS } from '@tire/kernel';

/** Text that every part of the system can store: no NUL, which Postgres refuses, and no lone surrogate, which UTF-8 can't hold. */
export const text = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine((value) => !value.includes('\0'), 'must not contain a NUL character')
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode');

export const PLATE_LENGTH_MAX = 32;
export const EXTERNAL_ID_LENGTH_MAX = 128;
export const URL_LENGTH_MAX = 2_048;
export const METADATA_BYTES_MAX = 16_384;

export const Uuid = z.guid();
export const DateTime = z.iso.datetime({ offset: true });
export const nullableNumber = z.number().nullable();

export const Slot = z.object({ position: z.enum(POSITIONS), image_type: z.enum(IMAGE_TYPES) }).meta({ id: 'Slot' });
export type Slot = z.infer<typeof Slot>;

export const ModuleType = z.literal(MODULE_TYPE);

export const SlotReference = z.object({ module_type: ModuleType, slot: Slot }).meta({ id: 'SlotReference' });
export type SlotReference = z.infer<typeof SlotReference>;

/** How a place in a body is written in `param`: images[0].slot.image_type. */
export const paramOf = (path: readonly PropertyKey[]): string | null =>
  path.length === 0
    ? null
    : path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${String(part)}`)).join('');
