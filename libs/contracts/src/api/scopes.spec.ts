import { allows, KEY_SCOPES, SCOPES } from './scopes';

describe('scopes', () => {
  it.each(SCOPES)('%s is granted by itself and by report:* only', (required) => {
    const holders = KEY_SCOPES.filter((granted) => allows([granted], required));
    expect(holders).toEqual([required, 'report:*']);
    expect(allows([], required)).toBe(false);
    expect(allows(['*', 'report', 'report:', `${required} `], required)).toBe(false);
  });
});
