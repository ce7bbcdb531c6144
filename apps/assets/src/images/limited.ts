/** `weight` is the share of the capacity that the work takes. */
export type Limit = <T>(work: () => Promise<T>, weight?: number) => Promise<T>;

/** Runs work up to a total weight at once. The rest waits in order: light work does not overtake heavy work. */
export function limited(capacity: number): Limit {
  const waiting: { weight: number; start: () => void }[] = [];
  let free = capacity;
  const startWaiting = (): void => {
    while (waiting[0] && waiting[0].weight <= free) {
      const { weight, start } = waiting.shift()!;
      free -= weight;
      start();
    }
  };
  return async (work, weight = 1) => {
    // Work heavier than the capacity runs alone.
    const taken = Math.min(weight, capacity);
    const started = new Promise<void>((start) => waiting.push({ weight: taken, start }));
    startWaiting();
    await started;
    try {
      return await work();
    } finally {
      free += taken;
      startWaiting();
    }
  };
}
