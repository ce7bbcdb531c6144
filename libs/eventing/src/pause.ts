import { setTimeout } from 'node:timers/promises';

/** Waits for the duration, or until the signal is aborted. */
export const pause = (durationMs: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(durationMs, undefined, { signal }).catch(() => undefined);

/** Waits for the work, at most for the duration. Leaves no timer behind. */
export async function atMost(durationMs: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const ended = work.then(
    () => done.abort(),
    () => done.abort(),
  );
  await Promise.race([ended, pause(durationMs, done.signal)]);
}

/** Writes at most one line per interval, so that an unavailable broker does not flood the log. */
export function throttle(intervalMs = 5_000): (write: () => void) => void {
  let lastMs = -Infinity;
  return (write) => {
    if (performance.now() - lastMs < intervalMs) return;
    lastMs = performance.now();
    write();
  };
}
