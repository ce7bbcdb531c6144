import { digestOf, isWellFormedKey, issueKey } from './api-key';

describe('API keys', () => {
  it.each(['test', 'live'] as const)('of mode %s have its prefix, 256 bits and a checksum', (mode) => {
    const { key, digest, prefix, last4 } = issueKey(mode);
    expect(key).toMatch(new RegExp(`^svc_${mode}_[0-9A-Za-z]{49}$`));
    expect(isWellFormedKey(key)).toBe(true);
    expect(digest).toEqual(digestOf(key));
    expect([key.startsWith(prefix), key.endsWith(last4), prefix.length]).toEqual([true, true, 13]);
  });

  it('are unique', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => issueKey('test').key)).size).toBe(1_000);
  });

  it('are refused if one character or the mode is changed', () => {
    const { key } = issueKey('live');
    for (let index = 'svc_live_'.length; index < key.length; index += 1) {
      const other = key[index] === 'a' ? 'b' : 'a';
      expect(isWellFormedKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }
    expect(isWellFormedKey(key.replace('live', 'test'))).toBe(false);
  });

  it.each(['', 'svc_live_', 'Bearer x', `${issueKey('test').key}\n`, `sk${issueKey('test').key}`])(
    '%j is not a well-formed key',
    (text) => {
      expect(isWellFormedKey(text)).toBe(false);
    },
  );
});
