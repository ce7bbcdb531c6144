/** Every n-th case, for cases that differ in values and not in kind. `npm run test:long` sets LONG_FORM and tests all of them. */
export const sampled = <T>(cases: readonly T[], every: number): readonly T[] =>
  process.env['LONG_FORM'] ? cases : cases.filter((_, index) => index % every === 0);
