import { backoffMs } from './backoff';

it.each([
  [1, 250],
  [2, 500],
  [5, 4_000],
  [9, 60_000],
  [10_000, 60_000],
])('waits at most as long after attempt %i: %i ms', (attempt, delayMs) => {
  expect(backoffMs(attempt, () => 1)).toBe(delayMs);
  expect(backoffMs(attempt, () => 0)).toBe(Math.round(delayMs * 0.75));
});
