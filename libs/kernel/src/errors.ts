/** The closed catalogue of public error codes: the status of each over HTTP and gRPC, and whether a client may retry. */

export type ErrorType = 'authentication_error' | 'permission_error' | 'invalid_request_error' | 'rate_limit_error' | 'api_error';

export type GrpcStatusName =
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ABORTED'
  | 'FAILED_PRECONDITION'
  | 'INVALID_ARGUMENT'
  | 'RESOURCE_EXHAUSTED'
  | 'UNAVAILABLE'
  | 'INTERNAL';

export interface ErrorDefinition {
  readonly httpStatus: number;
  readonly grpcStatus: GrpcStatusName;
  readonly type: ErrorType;
  readonly retryable: boolean;
  /** The message for clients if the error has no better one. Never the cause. */
  readonly message: string;
}

/** The codes of the interface, and those between services. */
export const INTERFACE_ERROR_CODES = [
  'unauthorized',
  'forbidden',
  'not_found',
  'idempotency_conflict',
  'idempotency_in_progress',
  'slot_already_succeeded',
  'report_discarded',
  'report_purge_pending',
  'content_unavailable_for_legacy',
  'publish_requirements_unmet',
  'validation_error',
  'rate_limited',
  'discard_incomplete',
  'internal_error',
  'service_unavailable',
] as const;

export type InterfaceErrorCode = (typeof INTERFACE_ERROR_CODES)[number];

/** Codes of the console that have no equivalent in the interface. */
export const CONSOLE_ERROR_CODES = ['conflict', 'confirmation_required'] as const;

/** Codes of the calls with a capture link. */
export const CAPTURE_ERROR_CODES = ['capture_ended'] as const;

export const ERROR_CODES = [...INTERFACE_ERROR_CODES, ...CONSOLE_ERROR_CODES, ...CAPTURE_ERROR_CODES] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The interface has one code for server errors. Between services it matters whether a server is unavailable or has a fault. */
export type PublicErrorCode = Exclude<ErrorCode, 'service_unavailable'>;

export const publicCode = (code: ErrorCode): PublicErrorCode => (code === 'service_unavailable' ? 'internal_error' : code);

export const PUBLIC_ERROR_CODES = [...new Set(INTERFACE_ERROR_CODES.map(publicCode))];

export const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERRORS, code);

const invalid = (httpStatus: number, grpcStatus: GrpcStatusName, message: string, retryable = false): ErrorDefinition => ({
  httpStatus,
  grpcStatus,
  type: 'invalid_request_error',
  retryable,
  message,
});

export const ERRORS: Record<ErrorCode, ErrorDefinition> = {
  unauthorized: {
    httpStatus: 401,
    grpcStatus: 'UNAUTHENTICATED',
    type: 'authentication_error',
    retryable: false,
    message: 'The API key is missing or invalid.',
  },
  forbidden: {
    httpStatus: 403,
    grpcStatus: 'PERMISSION_DENIED',
    type: 'permission_error',
    retryable: false,
    message: 'The API key has no scope for this call.',
  },
  not_found: invalid(404, 'NOT_FOUND', 'There is no such resource.'),
  idempotency_conflict: invalid(409, 'ABORTED', 'The same key was used before with a different request.'),
  idempotency_in_progress: invalid(409, 'ABORTED', 'The first request with this key is still running.', true),
  slot_already_succeeded: invalid(409, 'FAILED_PRECONDITION', 'The slot has a result already; send replace=true to replace its image.'),
  report_discarded: invalid(409, 'FAILED_PRECONDITION', 'The report was discarded.'),
  report_purge_pending: invalid(409, 'FAILED_PRECONDITION', 'The test report is being removed.', true),
  content_unavailable_for_legacy: invalid(409, 'FAILED_PRECONDITION', 'The report is older than versioned content.'),
  publish_requirements_unmet: invalid(409, 'FAILED_PRECONDITION', 'The template requirements for publication are not met.'),
  conflict: invalid(409, 'FAILED_PRECONDITION', 'The state of the resource refuses this.'),
  confirmation_required: invalid(409, 'FAILED_PRECONDITION', 'The values are unusual and need to be confirmed.'),
  capture_ended: invalid(409, 'FAILED_PRECONDITION', 'This link takes no photographs any more.'),
  validation_error: invalid(422, 'INVALID_ARGUMENT', 'The request is not valid.'),
  rate_limited: {
    httpStatus: 429,
    grpcStatus: 'RESOURCE_EXHAUSTED',
    type: 'rate_limit_error',
    retryable: true,
    message: 'Too many requests; try again later.',
  },
  discard_incomplete: {
    httpStatus: 503,
    grpcStatus: 'UNAVAILABLE',
    type: 'api_error',
    retryable: true,
    message: 'The report is closed, but its removal is not complete; repeat the call.',
  },
  internal_error: {
    httpStatus: 500,
    grpcStatus: 'INTERNAL',
    type: 'api_error',
    retryable: true,
    message: 'The service failed; try again later.',
  },
  service_unavailable: {
    httpStatus: 503,
    grpcStatus: 'UNAVAILABLE',
    type: 'api_error',
    retryable: true,
    message: 'The service is not available at the moment; try again later.',
  },
};

/** The time for the head and the body of a request to arrive. */
export const REQUEST_SECONDS_MAX = 10;

/** A request that is refused before it reaches a route: a validation_error with the HTTP status for this case. */
export const HTTP_REFUSALS: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  405: 'This path does not have the method; the header Allow names those that it has.',
  408: 'The request did not arrive in time.',
  411: 'The request needs a Content-Length.',
  413: 'The request body is too large.',
  414: 'The address is too long.',
  415: 'The media type of the body is not supported; send application/json.',
  431: 'The request headers are too large.',
};

/** What is wrong at one place of a request; null: with the whole of it. */
export interface Fault {
  readonly param: string | null;
  readonly message: string;
}

export interface ErrorDetails {
  readonly param?: string | null;
  readonly message?: string;
  /** Every fault of the request, the first one included. */
  readonly faults?: readonly Fault[];
  /** The existing report that the request conflicts with. */
  readonly reportId?: string | undefined;
  readonly cause?: unknown;
}

/** The default text of a validation_error would help nobody, so each has one of its own. */
type CodeWithMessage = Exclude<ErrorCode, 'validation_error'>;

/** An error with a public code. The message, the param, the faults and the report are for the client, the cause is for the log. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly faults: readonly Fault[];
  readonly reportId: string | undefined;

  constructor(code: CodeWithMessage, details?: ErrorDetails);
  constructor(code: ErrorCode, details: ErrorDetails & { message: string });
  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? ERRORS[code].message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'DomainError';
    this.code = code;
    this.param = details.param ?? null;
    this.faults = details.faults ?? (code === 'validation_error' ? [{ param: this.param, message: this.message }] : []);
    this.reportId = details.reportId;
  }
}

/** The error of a code that another service sent. */
export function errorOfCode(text: string): DomainError {
  const code = isErrorCode(text) ? text : 'internal_error';
  return new DomainError(code, { message: ERRORS[code].message });
}

/** More faults of one request are not listed. */
export const FAULTS_MAX = 50;

/** Messages begin with their place. */
export const fault = (param: string, message: string): Fault => ({ param, message: `${param}: ${message}` });

export function refuseFaulty([first, ...others]: readonly Fault[]): void {
  if (first) throw invalidRequest([first, ...others]);
}

/** The error of a request with one fault. */
export const faulty = (param: string, message: string, cause?: unknown): DomainError => invalidRequest([fault(param, message)], cause);

/** The first fault is the one of the specification's `param` and `message`. */
export const invalidRequest = (faults: readonly [Fault, ...Fault[]], cause?: unknown): DomainError =>
  new DomainError('validation_error', { ...faults[0], faults: faults.slice(0, FAULTS_MAX), cause });

/** The public reasons why the analysis of a slot failed, and whether to retry with the same or with another image. */
export const ANALYSIS_ERRORS = {
  analysis_failed: { retryable: true },
  image_unreachable: { retryable: true },
  image_fetch_timeout: { retryable: true },
  image_too_large: { retryable: false },
  image_url_forbidden: { retryable: false },
  image_format_unsupported: { retryable: false },
  image_undecodable: { retryable: false },
  image_too_small: { retryable: false },
  tread_not_found: { retryable: true },
  sidewall_not_found: { retryable: true },
} as const satisfies Record<string, { retryable: boolean }>;

export type AnalysisErrorCode = keyof typeof ANALYSIS_ERRORS;

export const isAnalysisErrorCode = (code: string): code is AnalysisErrorCode => Object.hasOwn(ANALYSIS_ERRORS, code);
