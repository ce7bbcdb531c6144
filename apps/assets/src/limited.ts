/** `weight`: how much of what there is the work takes. */
export type Limit = <T>(work: () => Promise<T>, weight?: number) => Promise<T>;

/** At most so much at once; the others wait in their order, also behind one that takes much. */
export function limited(atOnce: number): Limit {
  const waiting: { weight: number; enter: () => void }[] = [];
  let free = atOnce;
  const letIn = (): void => {
    while (waiting[0] && waiting[0].weight <= free) {
      const { weight, enter } = waiting.shift()!;
      free -= weight;
      enter();
    }
  };
  return async (work, weight = 1) => {
    // What takes more than there is goes alone.
    const taken = Math.min(weight, atOnce);
    const entered = new Promise<void>((enter) => waiting.push({ weight: taken, enter }));
    letIn();
    await entered;
    try {
      return await work();
    } finally {
      free += taken;
      letIn();
    }
  };
}
