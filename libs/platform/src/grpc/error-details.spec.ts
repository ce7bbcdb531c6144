import { Metadata } from '@grpc/grpc-js';
import { DomainError, ERRORS, invalidRequest, newId } from '@tire/kernel';
import { fromTrailer, toTrailer } from './error-details';

const KEY = 'tire-error-bin';
const fault = (index: number) => ({ param: `이미지[${index}]`, message: `is wrong: ${'x'.repeat(200)}` });

describe('the trailer of an error', () => {
  it('carries the place of a single fault', () => {
    const faults = [{ param: 'uploads[1].asset_id', message: 'is wrong' }];
    const sent = new DomainError('validation_error', { param: 'asset_id', message: 'is wrong', faults });
    expect(fromTrailer(toTrailer(sent), null)!.faults).toEqual(faults);
  });

  it('carries code, param, message, report and every fault', () => {
    const cause = new Error('status');
    const faults = [fault(0), fault(1)];
    const sent = new DomainError('idempotency_conflict', {
      param: 'external_inspection_id',
      message: 'differs',
      faults,
      reportId: newId(),
    });
    const received = fromTrailer(toTrailer(sent), cause)!;
    expect(received).toEqual(sent);
    expect([received.code, received.param, received.faults, received.reportId]).toEqual([sent.code, sent.param, faults, sent.reportId]);
    expect(received.cause).toBe(cause);
  });

  it('is shorter than 8 KiB, whatever a request holds', () => {
    const error = invalidRequest([fault(0), ...Array.from({ length: 100 }, (_, index) => fault(index + 1))]);
    const trailer = toTrailer(error);
    expect((trailer.get(KEY)[0] as Buffer).length).toBeLessThan((8_192 * 3) / 4);
    expect(fromTrailer(trailer, null)!.faults.length).toBeGreaterThan(10);
  });

  it('of a neighbouring release has no faults and no report', () => {
    const trailer = new Metadata();
    trailer.set(KEY, Buffer.from(JSON.stringify({ code: 'validation_error', param: 'a', message: 'a: is wrong' })));
    const { faults, reportId } = fromTrailer(trailer, null)!;
    expect([faults, reportId]).toEqual([[{ param: 'a', message: 'a: is wrong' }], undefined]);
  });

  it.each([['{}'], ['no JSON'], ['{"code":"toString"}']])('of an unknown kind is ignored: %s', (text) => {
    const trailer = new Metadata();
    trailer.set(KEY, Buffer.from(text));
    expect(fromTrailer(trailer, null)).toBeUndefined();
  });

  it('without a message has that of its code', () => {
    const trailer = new Metadata();
    trailer.set(KEY, Buffer.from('{"code":"not_found"}'));
    expect(fromTrailer(trailer, null)!.message).toBe(ERRORS.not_found.message);
  });
});
