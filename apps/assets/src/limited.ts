export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** At most so many at once; the others wait in their order. */
export function limited(atOnce: number): Limit {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await work();
    } finally {
      // Who leaves hands the place on, so that nobody who comes just now takes it.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
