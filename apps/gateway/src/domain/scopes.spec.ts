import { allows, GRANTABLE_SCOPES, SCOPES } from './scopes';

describe('scopes', () => {
  it.each(SCOPES)('%s is granted by itself and by report:* only', (needed) => {
    const holders = GRANTABLE_SCOPES.filter((granted) => allows([granted], needed));
    expect(holders).toEqual([needed, 'report:*']);
    expect(allows([], needed)).toBe(false);
    expect(allows(['*', 'report', 'report:', `${needed} `], needed)).toBe(false);
  });
});
