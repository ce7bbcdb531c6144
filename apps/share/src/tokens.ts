export const CONFIG = Symbol('Config');
export const OUTBOUND = Symbol('Outbound');
