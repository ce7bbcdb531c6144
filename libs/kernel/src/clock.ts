/** Rules get the time from a clock, so that tests can set it. */
export interface Clock {
  now(): Date;
}

/** The injection token of the clock. */
export const CLOCK = Symbol('Clock');

export const systemClock: Clock = { now: () => new Date() };

/** Ends an exhaustive switch. A new member of the union is a compile error; an unknown value at run time is an exception. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
