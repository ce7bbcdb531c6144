/** Rules get the time from a clock, so that tests can set it. */
export interface Clock {
  now(): Date;
}

/** The injection token of the clock. */
export const CLOCK = Symbol('Clock');

/**
 * The first millisecond at or after a time in ISO 8601, which may be finer: no stored time is, so what is queued "before 0.0005 s" includes
 * 0.000 s. NaN where the text is no time.
 */
export function firstMsAt(text: string): number {
  const ms = Date.parse(text);
  return /\.\d{3}\d*[1-9]/.test(text) ? ms + 1 : ms;
}

export const systemClock: Clock = { now: () => new Date() };

/** Ends an exhaustive switch. A new member of the union is a compile error; an unknown value at run time is an exception. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
