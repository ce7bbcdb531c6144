import { attempts, unavailable } from './providers';

it('tries the requested providers only, unless the CPU may replace them', () => {
  expect(attempts({ requested: ['cuda', 'cpu'], fallback: false })).toEqual([['cuda', 'cpu']]);
  expect(attempts({ requested: ['cuda'], fallback: true })).toEqual([['cuda'], ['cpu']]);
  expect(attempts({ requested: ['cpu'], fallback: true })).toEqual([['cpu']]);
});

it('names the missing providers', () => {
  expect(unavailable(['cuda', 'cpu'], ['cpu'])).toBe('execution provider cuda is missing; this machine has cpu');
  expect(unavailable(['cpu'], ['cpu', 'cuda'])).toBeUndefined();
});
