/** Time is passed in, so that a rule about time can be tested at any time. */
export interface Clock {
  now(): Date;
}

/** The injection token of the clock. */
export const CLOCK = Symbol('Clock');

export const systemClock: Clock = { now: () => new Date() };

/** Ends an exhaustive switch: a union that grows makes the caller a compile error, and a stray value at run time a loud one. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
