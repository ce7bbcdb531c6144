export const OBJECT_STORE = Symbol('object store');
export const OUTBOUND = Symbol('outbound');
/** Of a boolean: whether derivatives are made before their first use. */
export const DISPLAY_AHEAD = Symbol('display ahead');
export const LEDGER = Symbol('ledger');
/** Of `CleaningSettings`. */
export const CLEANING = Symbol('cleaning');
