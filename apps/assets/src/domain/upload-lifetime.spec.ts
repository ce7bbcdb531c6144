import { sweepAfter, UPLOAD_LIFETIME_SECONDS } from './upload-lifetime';

it('a discarded report is swept when no address issued before can be valid any more, with a margin', () => {
  const discardedAt = new Date('2026-01-01T00:00:00.000Z');
  expect(UPLOAD_LIFETIME_SECONDS).toBe(7_200);
  expect(sweepAfter(discardedAt)).toEqual(new Date('2026-01-01T02:15:00.000Z'));
});
