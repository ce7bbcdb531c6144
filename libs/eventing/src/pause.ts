import { setTimeout } from 'node:timers/promises';

/** Waits, or until the signal. */
export const pause = (durationMs: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(durationMs, undefined, { signal }).catch(() => undefined);

/** Waits for the work, but no longer than this; leaves no timer behind. */
export async function atMost(durationMs: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const ended = work.then(
    () => done.abort(),
    () => done.abort(),
  );
  await Promise.race([ended, pause(durationMs, done.signal)]);
}

/** Lets a line through at most every few seconds: a broker that stays away is one story, not a flood. */
export function throttle(intervalMs = 5_000): (write: () => void) => void {
  let lastMs = -Infinity;
  return (write) => {
    if (performance.now() - lastMs < intervalMs) return;
    lastMs = performance.now();
    write();
  };
}
