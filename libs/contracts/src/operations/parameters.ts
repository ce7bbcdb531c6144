import { isUuid } from '@tire/kernel';
import { z } from 'zod';
import { LIMITS } from '../limits';
import { HEADERS } from '../openapi/parts';

/** A parameter of the query or a header: the schema that validates it, and how the documents describe it. */
export interface Parameter {
  readonly type: z.ZodType;
  readonly description: string;
  /** JSON Schema. */
  readonly schema: object;
  readonly required?: boolean;
  readonly example?: unknown;
}

export type Parameters = Readonly<Record<string, Parameter>>;

const UUID = { type: 'string', format: 'uuid' } as const;

export const optionalId = (description: string, error = 'is no id.') => ({
  type: z.string({ error }).refine(isUuid, error).optional(),
  description,
  schema: UUID,
});

const MUST_BE_FLAG = 'must be true or false.';

export const flag = <const T>(description: string, example: T) => ({
  type: z
    .enum(['true', 'false'], { error: MUST_BE_FLAG })
    .default('false')
    .transform((value) => value === 'true'),
  description,
  schema: { type: 'boolean', default: false },
  example,
});

export const oneOf = <S extends z.ZodEnum>(options: S, description: string) => ({
  type: options.optional(),
  description,
  schema: { type: 'string', enum: options.options },
});

/** Times before computers and far beyond are mistakes, and some parts of the system cannot compute with them. */
const YEARS = { min: 1970, max: 2999 } as const;

const isInRange = (text: string): boolean => {
  const year = Number(text.slice(0, 4));
  return year >= YEARS.min && year <= YEARS.max;
};

const MUST_BE_IN_RANGE = `must be in the years ${YEARS.min} to ${YEARS.max}.`;

export const moment = (description: string) => ({
  type: z.iso.datetime().refine(isInRange, MUST_BE_IN_RANGE).optional(),
  description,
  schema: { type: 'string', format: 'date-time' },
});

const MUST_BE_DAY = 'must be a day, as in 2026-11-21.';

export const day = (description: string) => ({
  type: z.iso.date({ error: MUST_BE_DAY }).refine(isInRange, MUST_BE_IN_RANGE),
  description,
  schema: { type: 'string', format: 'date' },
  required: true,
});

const MUST_BE_SHORT = `must be 1 to ${LIMITS.externalId} characters.`;

/** Text that is looked for, as partners write their ids. */
export const ShortText = z
  .string({ error: MUST_BE_SHORT })
  .refine((text) => text !== '' && text.length <= LIMITS.externalId && !text.includes('\u0000'), MUST_BE_SHORT);

export const SHORT_TEXT_SCHEMA = { type: 'string', minLength: 1, maxLength: LIMITS.externalId } as const;

const PAGE_SIZE_MAX = 100;
const MUST_BE_PAGE_SIZE = `must be 1 to ${PAGE_SIZE_MAX}.`;
const NO_CURSOR = 'is not one of this list.';
const CURSOR = { description: 'next_cursor of the page before.', schema: { type: 'string' } } as const;

const limit = {
  type: z.coerce
    .number({ error: MUST_BE_PAGE_SIZE })
    .refine((count) => Number.isInteger(count) && count >= 1 && count <= PAGE_SIZE_MAX, MUST_BE_PAGE_SIZE)
    .default(20),
  description: 'How many at most.',
  schema: { type: 'integer', minimum: 1, maximum: PAGE_SIZE_MAX, default: 20 },
} as const;

/** A list whose cursors only the service that makes them can read. */
export const PAGE = { cursor: { ...CURSOR, type: z.string({ error: NO_CURSOR }).optional() }, limit } as const;

/** A list in the order of its ids: the cursor is the last id of the page before. */
export const PAGE_BY_ID = {
  cursor: { ...CURSOR, type: z.string({ error: NO_CURSOR }).refine(isUuid, NO_CURSOR).optional() },
  limit,
} as const;

export const IDEMPOTENCY_KEY = {
  'Idempotency-Key': {
    type: z
      .string()
      .regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters.')
      .optional(),
    description: '1 to 255 printable ASCII characters. Deduplicates one request; `external_inspection_id` identifies the inspection.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
    example: 'order-4711',
  },
} as const;

export const IF_NONE_MATCH = {
  'If-None-Match': {
    type: z.string().optional(),
    description: 'A stored `ETag`, a list of them, or `*`: 304 while the content is unchanged.',
    schema: { type: 'string' },
    example: HEADERS.ETag.example,
  },
} as const;
