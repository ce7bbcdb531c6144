import { isUuid } from '@tire/kernel';
import { z } from 'zod';
import { isInRange, MUST_BE_IN_RANGE, RequestedTime } from '../api/common';
import { characters, isStorable } from '../api/text';
import { LIMITS } from '../limits';
import { HEADERS } from './headers';

/**
 * Parameters of a query or headers, by name. A schema validates the text of the request; the documents take the JSON Schema, the description
 * and the example from it.
 */
export type Parameters = Readonly<Record<string, z.ZodType>>;

export const optionalId = (description: string) => z.guid({ error: 'is no id.' }).optional().describe(description);

/** In the documents a boolean, as every client library writes it. */
export const flag = (description: string, example: boolean) =>
  z
    .stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive', error: 'must be true or false.' })
    .default(false)
    .meta({ type: 'boolean', description, example });

/** A copy of the options: the documents show the values of a parameter in place, not as a reference to a component. */
export const oneOf = <const Option extends string>({ options }: { readonly options: readonly Option[] }, description: string) =>
  z.enum(options).optional().describe(description);

export const moment = (description: string) => RequestedTime.optional().describe(description);

export const day = (description: string) =>
  z.iso.date({ error: 'must be a day, as in 2026-11-21.' }).refine(isInRange, MUST_BE_IN_RANGE).describe(description);

const MUST_BE_SHORT = `must be 1 to ${LIMITS.externalId} characters.`;

/** Text that is looked for, as partners write their ids. */
export const shortText = () =>
  z
    .string({ error: MUST_BE_SHORT })
    .refine((text) => text !== '' && characters(text) <= LIMITS.externalId && isStorable(text), MUST_BE_SHORT)
    .meta({ minLength: 1, maxLength: LIMITS.externalId });

/** The parameters of paths that are text of the partner. All others are UUIDs. */
export const TEXT_IN_PATH: Parameters = { external_vehicle_id: shortText() };

const PAGE_SIZE_MAX = 100;
const MUST_BE_PAGE_SIZE = `must be 1 to ${PAGE_SIZE_MAX}.`;
const NO_CURSOR = 'is not one of this list.';
const CURSOR = 'next_cursor of the page before.';

const limit = z.coerce
  .number({ error: MUST_BE_PAGE_SIZE })
  .int(MUST_BE_PAGE_SIZE)
  .min(1, MUST_BE_PAGE_SIZE)
  .max(PAGE_SIZE_MAX, MUST_BE_PAGE_SIZE)
  .default(20)
  .meta({ description: 'How many at most.', example: 20 });

/** A list whose cursors only the service that makes them can read. */
export const PAGE = {
  cursor: z.string({ error: NO_CURSOR }).optional().meta({ description: CURSOR, example: 'MjAyNi0xMS0yMQ' }),
  limit,
} as const;

/** A list in the order of its ids: the cursor is the last id of the page before. */
export const PAGE_BY_ID = {
  cursor: z.string({ error: NO_CURSOR }).refine(isUuid, NO_CURSOR).optional().describe(CURSOR),
  limit,
} as const;

const MUST_BE_PRINTABLE = 'must be 1 to 255 printable ASCII characters.';

export const IDEMPOTENCY_KEY = {
  'Idempotency-Key': z
    .string()
    .min(1, MUST_BE_PRINTABLE)
    .max(255, MUST_BE_PRINTABLE)
    .regex(/^[\x20-\x7e]+$/, MUST_BE_PRINTABLE)
    .optional()
    .meta({
      description: '1 to 255 printable ASCII characters. Deduplicates one request; `external_inspection_id` identifies the inspection.',
      example: 'order-4711',
    }),
} as const;

export const IF_NONE_MATCH = {
  'If-None-Match': z.string().optional().meta({
    description: 'A stored `ETag`, a list of them, or `*`: 304 while the content is unchanged.',
    example: HEADERS.ETag.example,
  }),
} as const;
