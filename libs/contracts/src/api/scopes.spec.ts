import { allows, KEY_SCOPES, SCOPES } from './scopes';

describe('scopes', () => {
  it.each(SCOPES)('%s is granted by itself and by report:* only', (required) => {
    const holders = KEY_SCOPES.filter((granted) => allows([granted], required));
    expect(holders).toEqual([required, 'report:*']);
    expect(allows([], required)).toBe(false);
    expect(allows(['*', 'report', 'report:', `${required} `], required)).toBe(false);
  });

  it('report:* as a requirement is met by itself and by all others together', () => {
    expect([allows(['report:*'], 'report:*'), allows(SCOPES, 'report:*')]).toEqual([true, true]);
    for (const missing of SCOPES)
      expect(
        allows(
          SCOPES.filter((scope) => scope !== missing),
          'report:*',
        ),
      ).toBe(false);
  });
});
