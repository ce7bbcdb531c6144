export const CLOCK = Symbol('clock');
export const OUTBOUND = Symbol('outbound');
