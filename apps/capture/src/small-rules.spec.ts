import { pollAfterMs } from '../web/api/polling';
import { outcomeOf } from '../web/api/outcomes';
import { ApiError } from '../web/api/api-error';
import { returnAddress, tokenOf } from '../web/app/links';
import { en } from '../web/i18n/en';
import { ko } from '../web/i18n/ko';
import { askedWaitMs, backoffMs } from '../web/uploads/backoff';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const REPORT = '00000000-0000-4000-8000-000000000000';

describe('addresses', () => {
  it('the token is in the path, 43 characters long', () => {
    const token = 'aB3-_'.repeat(9).slice(0, 43);
    expect([tokenOf(`/c/${token}`), tokenOf(`/c/${token}/`)]).toEqual([token, token]);
    for (const path of ['/c/', `/c/${token}x`, `/c/${token.slice(1)}`, `/c/${token}/x`, '/', `/c/${token.slice(1)}.`])
      expect(tokenOf(path)).toBeNull();
  });

  it('the way back keeps the parameters of the partner and adds two', () => {
    expect(returnAddress('https://a.example/x?y=1&status=old#z', REPORT, 'finished')).toBe(
      `https://a.example/x?y=1&status=finished&report_id=${REPORT}#z`,
    );
  });

  it('no address that would run in the page', () => {
    for (const address of [null, 'javascript:alert(1)', 'data:text/html,x', 'blob:https://a.example/1', 'nonsense', '//a.example'])
      expect(returnAddress(address, REPORT, 'finished')).toBeNull();
  });
});

describe('the page', () => {
  it('has the place where the gateway writes the origins of partners, once and in these words', () => {
    const html = readFileSync(join(__dirname, '../web/index.html'), 'utf8');
    expect(html.split('<meta name="capture-embed-origins" content=""')).toHaveLength(2);
  });
});

describe('patience', () => {
  it('grows twofold up to half a minute, is spread over half of it, and follows the server', () => {
    expect([1, 2, 3, 6, 60].map((failures) => backoffMs(failures, 1))).toEqual([1_000, 2_000, 4_000, 30_000, 30_000]);
    expect(backoffMs(3, 0)).toBe(2_000);
    expect(backoffMs(1, 0, 7_000)).toBe(7_000);
  });

  it('reads seconds of Retry-After, and no date, because the clock of a phone may be wrong', () => {
    expect([askedWaitMs('3'), askedWaitMs(null), askedWaitMs('Wed, 25 Nov 2026 10:00:00 GMT'), askedWaitMs('999999')]).toEqual([
      3_000, 0, 0, 600_000,
    ]);
  });

  it('looks every 1.5 s while a result is expected, then less often, and every 30 s otherwise', () => {
    expect([1, 8, 9, 10, 40].map((looks) => pollAfterMs(true, looks))).toEqual([1_500, 1_500, 2_250, 3_375, 10_000]);
    expect(pollAfterMs(false, 1)).toBe(30_000);
  });
});

describe('what an error means for the queue', () => {
  it.each([
    [409, 'capture_ended', { type: 'over', why: 'ended' }],
    [409, 'report_discarded', { type: 'over', why: 'closed' }],
    [409, 'slot_already_succeeded', { type: 'taken' }],
    [404, 'not_found', { type: 'over', why: 'link' }],
    [422, 'validation_error', { type: 'unfit' }],
    [429, 'rate_limited', { type: 'later', askedMs: 2_000 }],
    [503, 'internal_error', { type: 'later', askedMs: 2_000 }],
    [0, 'unreachable', { type: 'later', askedMs: 2_000 }],
    // A page of a proxy in between is no word of the service.
    [404, 'unreachable', { type: 'later', askedMs: 2_000 }],
    [403, 'forbidden', { type: 'later', askedMs: 2_000 }],
  ])('%i %s', (status, code, expected) => {
    expect(outcomeOf(new ApiError(status, code, 2_000))).toEqual(expected);
  });
});

describe('texts', () => {
  const textsOf = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    if (typeof value === 'function') return textsOf((value as (...args: unknown[]) => unknown)(1, 2));
    return Object.values(value as object).flatMap(textsOf);
  };

  it('each is there in both languages, in letters of its own', () => {
    const [english, korean] = [textsOf({ ...en, other: '' }), textsOf({ ...ko, other: '' })];
    expect(korean).toHaveLength(english.length);
    expect(english.filter((text) => /[가-힣]/.test(text))).toEqual([]);
    expect(korean.filter((text) => text !== '' && !/[가-힣\d]/.test(text))).toEqual([]);
  });
});
