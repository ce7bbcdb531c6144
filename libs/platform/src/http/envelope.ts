import { HttpException } from '@nestjs/common';
import { DomainError, type ErrorCode, type Fault, ERROR_CODES, ERRORS, HTTP_REFUSALS, publicCode } from '@tire/kernel';

export interface ErrorBody {
  readonly error: {
    type: string;
    code: string;
    message: string;
    param: string | null;
    retryable: boolean;
    errors?: readonly Fault[];
    report_id?: string;
  };
}

export interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
}

const answer = (code: ErrorCode, status = ERRORS[code].httpStatus, message = ERRORS[code].message, param: string | null = null) => ({
  status,
  body: { error: { type: ERRORS[code].type, code: publicCode(code), message, param, retryable: ERRORS[code].retryable } },
});

/** Fields beyond those of the specification; left out where there is nothing to say. */
const withDetails = ({ status, body }: ErrorAnswer, { faults, reportId }: DomainError): ErrorAnswer => ({
  status,
  body: { error: { ...body.error, ...(faults.length > 0 && { errors: faults }), ...(reportId !== undefined && { report_id: reportId }) } },
});

/** The public form of an error. Contains the message of the error only if it was written for clients. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof DomainError) return withDetails(answer(error.code, undefined, error.message, error.param), error);
  const status = error instanceof HttpException ? error.getStatus() : 500;
  const code = ERROR_CODES.find((candidate) => ERRORS[candidate].httpStatus === status && status !== 409 && status !== 503);
  if (status === 503) return answer('service_unavailable');
  if (code) return answer(code);
  if (status >= 400 && status < 500)
    return answer('validation_error', status, HTTP_REFUSALS[status] ?? `The request is refused with the HTTP status ${status}.`);
  return answer('internal_error');
}
