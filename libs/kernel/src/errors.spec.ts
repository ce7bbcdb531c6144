import {
  ANALYSIS_ERRORS,
  CAPTURE_ERROR_CODES,
  CONSOLE_ERROR_CODES,
  DomainError,
  ERROR_CODES,
  ERRORS,
  FAULTS_MAX,
  invalidRequest,
  isAnalysisErrorCode,
  PUBLIC_ERROR_CODES,
  publicCode,
} from './errors';

/** The specification's table of codes, with those that docs/architecture.md (what the specification leaves open) and the console add. */
const TABLE = [
  [401, 'authentication_error', 'unauthorized', false],
  [403, 'permission_error', 'forbidden', false],
  [404, 'invalid_request_error', 'not_found', false],
  [409, 'invalid_request_error', 'idempotency_conflict', false],
  [409, 'invalid_request_error', 'idempotency_in_progress', true],
  [409, 'invalid_request_error', 'slot_already_succeeded', false],
  [409, 'invalid_request_error', 'report_discarded', false],
  [409, 'invalid_request_error', 'report_purge_pending', true],
  [409, 'invalid_request_error', 'content_unavailable_for_legacy', false],
  [409, 'invalid_request_error', 'publish_requirements_unmet', false],
  [422, 'invalid_request_error', 'validation_error', false],
  [429, 'rate_limit_error', 'rate_limited', true],
  [503, 'api_error', 'discard_incomplete', true],
  [503, 'api_error', 'service_unavailable', true],
  [500, 'api_error', 'internal_error', true],
  [409, 'invalid_request_error', 'conflict', false],
  [409, 'invalid_request_error', 'confirmation_required', false],
  [409, 'invalid_request_error', 'capture_ended', false],
] as const;

describe('the catalogue of error codes', () => {
  it.each(TABLE)('%i %s %s, retryable: %s', (httpStatus, type, code, retryable) => {
    expect(ERRORS[code]).toMatchObject({ httpStatus, type, retryable });
  });

  it('contains these codes and no other', () => {
    expect([...ERROR_CODES].sort()).toEqual(TABLE.map(([, , code]) => code).sort());
    expect(Object.keys(ERRORS).sort()).toEqual([...ERROR_CODES].sort());
  });

  it('shows a client the codes of the interface only', () => {
    expect(publicCode('service_unavailable')).toBe('internal_error');
    const others = TABLE.map(([, , code]) => code).filter((code) => code !== 'service_unavailable');
    expect(others.map(publicCode)).toEqual(others);
    const elsewhere: readonly string[] = [...CONSOLE_ERROR_CODES, ...CAPTURE_ERROR_CODES];
    expect([...PUBLIC_ERROR_CODES].sort()).toEqual(others.filter((code) => !elsewhere.includes(code)).sort());
  });

  it('names the first fault of a request, and all of them up to a limit', () => {
    const faults = Array.from({ length: FAULTS_MAX + 1 }, (_, index) => ({ param: `a[${index}]`, message: `is wrong ${index}` }));
    const error = invalidRequest([faults[0]!, ...faults.slice(1)]);
    expect([error.code, error.param, error.message, error.faults]).toEqual([
      'validation_error',
      'a[0]',
      'is wrong 0',
      faults.slice(0, FAULTS_MAX),
    ]);
  });

  it('lists the one fault of a validation_error, and none of another error', () => {
    expect(new DomainError('validation_error', { param: 'a', message: 'is wrong' }).faults).toEqual([{ param: 'a', message: 'is wrong' }]);
    expect(new DomainError('not_found', { param: 'a' }).faults).toEqual([]);
  });

  it('keeps the cause separate from the message for clients', () => {
    const error = new DomainError('internal_error', { cause: new Error('password authentication failed') });
    expect(error.message).toBe(ERRORS.internal_error.message);
    expect((error.cause as Error).message).toContain('password');
  });
});

describe('analysis error codes', () => {
  it('are retryable as decided', () => {
    const retryable = Object.entries(ANALYSIS_ERRORS).flatMap(([code, definition]) => (definition.retryable ? [code] : []));
    expect(retryable.sort()).toEqual([
      'analysis_failed',
      'image_fetch_timeout',
      'image_unreachable',
      'sidewall_not_found',
      'tread_not_found',
    ]);
  });

  it('are distinguished from any other text, also from names of the prototype', () => {
    expect(isAnalysisErrorCode('image_too_large')).toBe(true);
    expect(isAnalysisErrorCode('toString')).toBe(false);
  });
});
