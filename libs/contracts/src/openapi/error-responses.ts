import { ERRORS, HTTP_REFUSALS, REQUEST_SECONDS_MAX, publicCode, type ErrorCode, type Fault } from '@tire/kernel';
import { ErrorEnvelope } from '../api';
import type { ApiOperation } from '../operations';
import type { HeaderName } from '../operations/headers';
import type { Examples } from '../operations/operation';
import { INVALID_REQUESTS } from './invalid-requests';
import { ALLOWANCE, headerReferences, jsonBody } from './parts';

/** Errors that every operation can give, beside its own. */
export const COMMON_ERRORS: readonly ErrorCode[] = ['unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'service_unavailable'];

/** Given before the operation is known, or before its body is read. */
export const HTTP_STATUSES = [400, 408, 431];
export const BODY_STATUSES = [413, 415];

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The address or the message is malformed.',
  401: '`unauthorized`: the key is missing or invalid, or was revoked.',
  403: '`forbidden`: the operation is beyond the scope of the key.',
  404: '`not_found`: no such resource in the project of the key, or the report was discarded.',
  408: `The request did not arrive within ${REQUEST_SECONDS_MAX} seconds.`,
  409: 'The state of the resource, or of an earlier request, does not allow the request.',
  413: 'The body is larger than 256 KiB.',
  415: '`Content-Type` holds no media type. A body of another type than JSON is a `validation_error`, 422.',
  422: '`validation_error`: `param` names the place of the first fault, and `errors` every fault. Nothing was changed.',
  429: '`rate_limited`: nothing was changed; repeat after `Retry-After`, with exponential backoff and jitter.',
  431: 'The headers are larger than 16 KiB.',
  500: '`internal_error`: back off exponentially; a creation is safe to repeat with its `Idempotency-Key`.',
  503: 'A part of the service is temporarily unavailable: back off exponentially. `discard_incomplete`: repeat the same request until it gives 200.',
};

const STATUS_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  400: [],
  401: ['WWW-Authenticate'],
  408: [],
  429: ['Retry-After', ...ALLOWANCE],
  431: [],
  503: ['Retry-After', ...ALLOWANCE],
};

const envelope = (code: ErrorCode, fault: Partial<Fault> = {}): ErrorEnvelope => {
  const { type, message, retryable } = ERRORS[code];
  return { error: { type, code: publicCode(code), message: fault.message ?? message, param: fault.param ?? null, retryable } };
};

/** An upload that is refused has its place in the list only: the specification's param is the field. */
const withErrors = ({ error }: ErrorEnvelope, { param, message }: Fault): ErrorEnvelope => ({
  error: { ...error, errors: [{ param: param === 'asset_id' ? 'images[0].asset_id' : param, message }] },
});

const response = (status: number, examples: Examples) => ({
  description: DESCRIPTIONS[status],
  headers: headerReferences(STATUS_HEADERS[status] ?? ALLOWANCE),
  content: jsonBody(ErrorEnvelope, examples),
});

function statusExamples(codes: readonly ErrorCode[], faults: Readonly<Record<string, Fault>>): Map<number, Examples> {
  const byStatus = new Map<number, Examples>();
  for (const code of codes) {
    const examples =
      code === 'validation_error'
        ? Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, withErrors(envelope(code, fault), fault)]))
        : { [publicCode(code)]: envelope(code) };
    const { httpStatus } = ERRORS[code];
    byStatus.set(httpStatus, { ...byStatus.get(httpStatus), ...examples });
  }
  return byStatus;
}

const SHARED_NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  408: 'RequestTimeout',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

/** The error responses that are the same for every operation. */
export function sharedErrorResponses(): Record<string, object> {
  const ofHttp = [...HTTP_STATUSES, ...BODY_STATUSES].map((status): [number, Examples] => [
    status,
    { validation_error: envelope('validation_error', { message: HTTP_REFUSALS[status] }) },
  ]);
  const all = [...ofHttp, ...statusExamples(COMMON_ERRORS, {})];
  all.sort(([a], [b]) => a - b);
  return Object.fromEntries(all.map(([status, examples]) => [SHARED_NAMES[status], response(status, examples)]));
}

/** The error responses of one operation, by status. */
export function errorResponses({ operationId, method, errors }: ApiOperation): Record<string, object> {
  const own = statusExamples(errors, INVALID_REQUESTS[operationId] ?? {});
  const shared = statusExamples(COMMON_ERRORS, {});
  // A body is also read where the operation has none.
  const ofHttp = method === 'get' ? HTTP_STATUSES : [...HTTP_STATUSES, ...BODY_STATUSES];
  const references = [...ofHttp, ...shared.keys()].map((status) => [status, { $ref: `#/components/responses/${SHARED_NAMES[status]}` }]);
  return {
    ...(Object.fromEntries(references) as Record<string, object>),
    ...Object.fromEntries([...own].map(([status, examples]) => [status, response(status, { ...shared.get(status), ...examples })])),
  };
}
