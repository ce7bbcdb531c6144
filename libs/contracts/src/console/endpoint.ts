import type { ErrorCode } from '@tire/kernel';
import type { z } from 'zod';
import type { Permission } from './roles';

export interface ConsoleEndpoint {
  readonly operationId: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** everyone: without a session; signed_in: any session; else a member whose role has it. */
  readonly access: 'everyone' | 'signed_in' | Permission;
  readonly query?: Readonly<Record<string, { readonly description: string; readonly schema: object; readonly required?: boolean }>>;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: object }>>;
  readonly request?: z.ZodType;
  readonly status: 200 | 201 | 202 | 204 | 303;
  readonly answer?: z.ZodType;
  /** Beside those that its access, its request and its path bring along. */
  readonly errors?: readonly ErrorCode[];
}

export const ORGANIZATION = '/organizations/{organization_id}';
export const PROJECT = '/projects/{project_id}';

export const PAGE = {
  cursor: { description: 'next_cursor of the page before.', schema: { type: 'string' } },
  limit: { description: 'How many at most.', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
} as const;

export const IDEMPOTENCY_KEY = {
  'Idempotency-Key': {
    description: 'Of the form that is sent: the same form, sent again, makes no second report.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  },
} as const;
