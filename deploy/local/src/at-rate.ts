import { setTimeout as pause } from 'node:timers/promises';

/** Begins work at an even rate, independent of the progress of earlier work. Resolves when all of it has ended. */
export async function atRate<T>(perSecond: number, count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const begun: Promise<T>[] = [];
  const beganMs = performance.now();
  for (let index = 0; index < count; index += 1) {
    await pause(Math.max(0, beganMs + (1_000 * index) / perSecond - performance.now()));
    const one = work(index);
    // It may fail before all have begun. Promise.all tells.
    one.catch(() => undefined);
    begun.push(one);
  }
  return Promise.all(begun);
}
