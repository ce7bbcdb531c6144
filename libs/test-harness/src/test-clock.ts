import type { Clock } from '@tire/kernel';

export interface TestClock extends Clock {
  advanceMs(durationMs: number): void;
  setTo(time: Date): void;
}

/** A clock that only a test moves. */
export function testClock(start: Date = new Date('2026-01-01T00:00:00.000Z')): TestClock {
  let timeMs = start.getTime();
  return {
    now: () => new Date(timeMs),
    advanceMs: (durationMs) => void (timeMs += durationMs),
    setTo: (time) => void (timeMs = time.getTime()),
  };
}
