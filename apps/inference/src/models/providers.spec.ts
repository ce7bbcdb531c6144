import { attempts, unavailable } from './providers';

it('tries what was asked for and nothing else, unless the CPU may stand in', () => {
  expect(attempts({ requested: ['cuda', 'cpu'], fallback: false })).toEqual([['cuda', 'cpu']]);
  expect(attempts({ requested: ['cuda'], fallback: true })).toEqual([['cuda'], ['cpu']]);
  expect(attempts({ requested: ['cpu'], fallback: true })).toEqual([['cpu']]);
});

it('names what is missing', () => {
  expect(unavailable(['cuda', 'cpu'], ['cpu'])).toBe('execution provider cuda was asked for, this machine has cpu');
  expect(unavailable(['cpu'], ['cpu', 'cuda'])).toBeUndefined();
});
