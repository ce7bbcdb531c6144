import { matchesEtag } from './if-none-match';

describe('If-None-Match', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['*', true],
    [' * ', true],
    ['W/"abc"', true],
    ['"abc"', true],
    ['"x", W/"abc"', true],
    ['"x","abc" , "y"', true],
    ['"x,abc"', false],
    ['"a,b", "abc"', true],
    ['"ABC"', false],
    ['w/"abc"', false],
    ['abc', false],
    ['"abc', false],
    ['"abc" "x"', false],
    ['"x", *', false],
  ])('%j against W/"abc": %s', (header, expected) => {
    expect(matchesEtag(header, 'W/"abc"')).toBe(expected);
  });
});
