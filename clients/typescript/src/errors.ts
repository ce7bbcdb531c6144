import type { ErrorBody, Report, SlotId } from './types.ts';

export type ErrorCode = ErrorBody['code'];

/** Every error of this package. None of them holds the API key, a webhook secret or a signed address. */
export class TireInspectionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** What an answer of the service said. Branch on the class or on `code`; `message` is for people and may change. */
export class ApiError extends TireInspectionError {
  readonly status: number;
  /** `X-Request-Id` of the answer: name it when you ask for help. */
  readonly requestId: string | null;
  /** One of ErrorCode, or `http_502` where something in between answered instead of the service. */
  readonly code: string;
  readonly type: string;
  /** The place of the first fault in the request: `images[0].slot.image_type`. */
  readonly param: string | null;
  /** Every fault that was found. */
  readonly errors: readonly { readonly param: string | null; readonly message: string }[];
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  /** With `idempotency_conflict` of an external_inspection_id: the report that exists. */
  readonly reportId: string | null;

  constructor(body: Omit<ErrorBody, 'code' | 'type'> & { code: string; type: string }, answer: AnswerFacts) {
    super(body.message);
    this.status = answer.status;
    this.requestId = answer.requestId;
    this.retryAfterMs = answer.retryAfterMs;
    this.code = body.code;
    this.type = body.type;
    this.param = body.param;
    this.errors = body.errors ?? [{ param: body.param, message: body.message }];
    this.retryable = body.retryable;
    this.reportId = body.report_id ?? null;
  }
}

export interface AnswerFacts {
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
}

export class UnauthorizedError extends ApiError {}
export class ForbiddenError extends ApiError {}
export class NotFoundError extends ApiError {}
export class IdempotencyConflictError extends ApiError {}
export class IdempotencyInProgressError extends ApiError {}
export class SlotAlreadySucceededError extends ApiError {}
export class ReportDiscardedError extends ApiError {}
export class ReportPurgePendingError extends ApiError {}
export class ContentUnavailableForLegacyError extends ApiError {}
export class PublishRequirementsUnmetError extends ApiError {}
export class ValidationError extends ApiError {}
export class RateLimitedError extends ApiError {}
export class DiscardIncompleteError extends ApiError {}
export class InternalError extends ApiError {}

/** A new code of the document does not compile until it has a class here. */
const CLASSES: Record<ErrorCode, typeof ApiError> = {
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  idempotency_conflict: IdempotencyConflictError,
  idempotency_in_progress: IdempotencyInProgressError,
  slot_already_succeeded: SlotAlreadySucceededError,
  report_discarded: ReportDiscardedError,
  report_purge_pending: ReportPurgePendingError,
  content_unavailable_for_legacy: ContentUnavailableForLegacyError,
  publish_requirements_unmet: PublishRequirementsUnmetError,
  validation_error: ValidationError,
  rate_limited: RateLimitedError,
  discard_incomplete: DiscardIncompleteError,
  internal_error: InternalError,
};

/** Something in between, such as a proxy, answers without the envelope. */
const RETRYABLE_STATUSES = [408, 429, 502, 503, 504];

export function apiError(body: unknown, answer: AnswerFacts): ApiError {
  const error = (body as { error?: ErrorBody } | null | undefined)?.error;
  if (typeof error?.code === 'string' && typeof error.message === 'string') {
    const known = Object.hasOwn(CLASSES, error.code) ? CLASSES[error.code] : ApiError;
    return new known({ ...error, param: error.param ?? null, retryable: error.retryable === true }, answer);
  }
  const { status } = answer;
  const message = `The answer has status ${status} and is not from the service.`;
  return new ApiError(
    { type: 'api_error', code: `http_${status}`, message, param: null, retryable: RETRYABLE_STATUSES.includes(status) },
    answer,
  );
}

/** There was no answer, or none in time. The request may have been carried out. */
export class ConnectionError extends TireInspectionError {}

/** The storage did not take an image. */
export class UploadError extends TireInspectionError {
  readonly slotId: SlotId;
  readonly status: number;

  constructor(id: SlotId, status: number) {
    super(`The upload of ${id} was answered with status ${status}.`);
    this.slotId = id;
    this.status = status;
  }
}

/** A file that was given is no image that the service takes. Nothing was sent. */
export class ImageFileError extends TireInspectionError {
  readonly slotId: string;

  constructor(id: string, fault: string) {
    super(`${id}: ${fault}`);
    this.slotId = id;
  }
}

/** The report did not come to the awaited state before the deadline. */
export class WaitTimeoutError extends TireInspectionError {
  /** As it was read last; null if no read succeeded. */
  readonly report: Report | null;

  constructor(what: string, timeoutMs: number, report: Report | null) {
    super(`${what} did not come within ${timeoutMs} ms.`);
    this.report = report;
  }
}

/** The report ended in another state than the awaited one, and no longer wait would change that. */
export class ReportOutcomeError extends TireInspectionError {
  readonly report: Report;

  constructor(wanted: string, report: Report) {
    super(`The report will not be ${wanted}: its analysis is ${report.analysis_status} and it is ${report.publication_status}.`);
    this.report = report;
  }
}

/** The callback is not from the service, or it is too old. Do not act on it. */
export class WebhookVerificationError extends TireInspectionError {}
