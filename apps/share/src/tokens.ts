/** Injection tokens for values without a class. */
export const CONFIG = Symbol('Config');
