import { isUuid } from '@tire/kernel';
import { z } from 'zod';
import { isInRange, MUST_BE_IN_RANGE, RequestedTime } from '../api/common';
import { characters, isStorable } from '../api/text';
import { LIMITS, POLL_SECONDS_MAX } from '../limits';
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

const MUST_BE_SECONDS = `must be 0 to ${POLL_SECONDS_MAX}.`;
const NO_POSITION = 'is no next_cursor of this operation.';

/** A request that waits for what happens. The cursor belongs to the operation, and tells how much its caller has seen. */
const poll = (cursor: RegExp, example: string) => ({
  after: z.string({ error: NO_POSITION }).regex(cursor, NO_POSITION).optional().meta({
    description: '`next_cursor` of the answer before. Without it the answer comes at once, and only tells where to begin.',
    example,
  }),
  wait_s: z
    .string({ error: MUST_BE_SECONDS })
    .refine((text) => /^[0-9]{1,2}$/.test(text) && Number(text) <= POLL_SECONDS_MAX, MUST_BE_SECONDS)
    .transform(Number)
    .default(0)
    .meta({
      type: 'integer',
      minimum: 0,
      maximum: POLL_SECONDS_MAX,
      description: 'Where there is nothing new, how many seconds the answer waits for it.',
      example: 5,
    }),
});

/** The number of a callback. */
export const POLL_CALLBACKS = poll(/^[0-9]{1,15}$/, '17');
/** A transaction and an entry of the log: entries become visible in this order only. */
export const POLL_LOG = poll(/^[0-9]{1,18}\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '4711.01978a34-5c00-7000-8000-000000000001');

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
