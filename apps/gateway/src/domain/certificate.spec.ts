import { isSigned, signed, stayingAfter, summed, type Unsigned } from './certificate';

const KEY = Buffer.alloc(32, 1);
const ENDED = new Date('2026-11-27T12:00:00Z');
const CERTIFICATE: Unsigned = {
  version: '1',
  erasure_id: '0193b1f0-0000-7000-8000-000000000001',
  project_id: '0193b1f0-0000-7000-8000-000000000002',
  service: 'https://tires.example',
  subject: { kind: 'plate', digest: 'ab' },
  requested_at: ENDED.toISOString(),
  requested_by: 'owner@shop.example',
  confirmed_at: ENDED.toISOString(),
  confirmed_by: 'owner@shop.example',
  reason: 'Request of 27 November',
  ended_at: ENDED.toISOString(),
  removed: [{ store: 'ledger', what: 'reports', count: 1 }],
  report_ids: ['0193b1f0-0000-7000-8000-000000000003'],
  held_report_ids: [],
  remaining: [],
  stays: stayingAfter(ENDED, 30, 0),
};

describe('a certificate', () => {
  it('is that of the key, whatever the order of its fields', () => {
    const certificate = signed(KEY, CERTIFICATE);
    expect(isSigned(KEY, certificate)).toBe(true);
    const reversed = Object.fromEntries(Object.entries(certificate).toReversed());
    expect(isSigned(KEY, JSON.parse(JSON.stringify(reversed)) as Record<string, unknown>)).toBe(true);
  });

  it.each([
    ['another count', { removed: [{ store: 'ledger', what: 'reports', count: 2 }] }],
    ['another report', { report_ids: [] }],
    ['a further field', { note: 'x' }],
    ['no signature', { signature: undefined }],
    ['a short signature', { signature: 'ab' }],
    ['a signature that is no text', { signature: 7 }],
    ['more after the signature', { signature: `${signed(KEY, CERTIFICATE).signature}zz` }],
    ['a signature in capital letters', { signature: signed(KEY, CERTIFICATE).signature.toUpperCase() }],
    ['a field that is nested without end', { note: JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown }],
  ])('with %s is not', (_, change) => expect(isSigned(KEY, { ...signed(KEY, CERTIFICATE), ...change })).toBe(false));

  it('of another key is not', () => expect(isSigned(Buffer.alloc(32, 2), signed(KEY, CERTIFICATE))).toBe(false));

  it('names the day until which backups have the data, and held reports only where there are some', () => {
    const of = (held: number) => Object.fromEntries(stayingAfter(ENDED, 30, held).map(({ what, until }) => [what, until]));
    expect(of(0)).toMatchObject({ backups: '2026-12-27T12:00:00.000Z', streams: '2026-12-04T12:00:00.000Z', usage: null });
    expect([Object.hasOwn(of(0), 'held'), Object.hasOwn(of(1), 'held')]).toEqual([false, true]);
  });

  it('adds the counts of one kind, and names nothing of which there was none', () => {
    const count = (store: string, what: string, n: number) => ({ store, what, count: n });
    expect(
      summed([count('share', 'links', 1), count('ledger', 'reports', 1), count('share', 'links', 2), count('gateway', 'visits', 0)]),
    ).toEqual([count('ledger', 'reports', 1), count('share', 'links', 3)]);
  });
});
