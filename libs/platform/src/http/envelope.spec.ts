import { HttpException } from '@nestjs/common';
import { DomainError, ERRORS, invalidRequest, newId } from '@tire/kernel';
import { errorAnswer } from './envelope';

describe('the public form of an error', () => {
  it('lists every fault of a request beside the first one', () => {
    const [first, second] = [
      { param: 'a', message: 'a: is wrong' },
      { param: null, message: 'is wrong' },
    ];
    expect(errorAnswer(invalidRequest([first!, second!]))).toEqual({
      status: 422,
      body: {
        error: { type: 'invalid_request_error', code: 'validation_error', ...first, retryable: false, errors: [first, second] },
      },
    });
  });

  it('names the report of a conflict', () => {
    const reportId = newId();
    expect(errorAnswer(new DomainError('idempotency_conflict', { reportId })).body.error).toMatchObject({ report_id: reportId });
  });

  it('has only the fields of the specification where there is no more to say', () => {
    expect(Object.keys(errorAnswer(new DomainError('not_found')).body.error).sort()).toEqual([
      'code',
      'message',
      'param',
      'retryable',
      'type',
    ]);
  });

  it.each([400, 402, 405, 406, 408, 413, 415, 417, 431, 451])('says what a refusal with %i means', (status) => {
    const { body } = errorAnswer(new HttpException('', status));
    expect([body.error.code, body.error.message === ERRORS.validation_error.message]).toEqual(['validation_error', false]);
  });
});
