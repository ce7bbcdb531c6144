import { allows, GRANTABLE_SCOPES, SCOPES } from './scopes';

describe('scopes', () => {
  it.each(SCOPES)('%s is held by itself and by report:*, by nothing else', (needed) => {
    const holders = GRANTABLE_SCOPES.filter((granted) => allows([granted], needed));
    expect(holders).toEqual([needed, 'report:*']);
    expect(allows([], needed)).toBe(false);
    expect(allows(['*', 'report', 'report:', `${needed} `], needed)).toBe(false);
  });
});
