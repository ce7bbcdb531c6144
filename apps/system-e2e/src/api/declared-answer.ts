import { isDeepStrictEqual } from 'node:util';
import { ErrorEnvelope } from '@tire/contracts/api';
import { COMMON_ERRORS } from '@tire/contracts/openapi';
import { ERRORS, publicCode, type ErrorCode } from '@tire/kernel';
import type { z } from 'zod';
import { endpointOf, type Operation } from './operations';

interface Answer {
  readonly operation: Operation;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The faults of a response: an undeclared status, a field of the wrong shape, or an undeclared field. */
export function declaredAnswer({ operation, status, headers, text }: Answer): string | undefined {
  if (!headers.get('x-request-id')) return 'X-Request-Id is missing';
  const endpoint = endpointOf(operation);
  const declared = endpoint.responses.find((response) => response.status === status);
  if (declared && !declared.schema) return text === '' ? undefined : 'a body where none is declared';
  if (declared?.schema) return faultOf(declared.schema, headers, text);
  return errorFault(headers, text) ?? undeclaredError([...COMMON_ERRORS, ...endpoint.errors], status, text);
}

/** The error envelope, compared with the catalogue entry of its code. */
export const errorFault = (headers: Headers, text: string): string | undefined => faultOf(ErrorEnvelope, headers, text);

function faultOf(schema: z.ZodType, headers: Headers, text: string): string | undefined {
  if (!/^application\/json\b/.test(headers.get('content-type') ?? '')) return `the content type is ${headers.get('content-type')}`;
  const body: unknown = JSON.parse(text);
  const { data, error } = schema.safeParse(body);
  if (error) return error.message;
  return isDeepStrictEqual(data, body) ? undefined : 'a field that is not declared';
}

function undeclaredError(codes: readonly ErrorCode[], status: number, text: string): string | undefined {
  const { code, type, retryable } = (JSON.parse(text) as ErrorEnvelope).error;
  const declared = codes.filter((one) => publicCode(one) === code).map((one) => ERRORS[one]);
  if (declared.length === 0) return `the operation does not declare ${code}`;
  const isMeant = declared.some((one) => one.httpStatus === status && one.type === type && one.retryable === retryable);
  return isMeant ? undefined : `${code} must be one of ${JSON.stringify(declared)}`;
}
