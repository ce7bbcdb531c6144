export const OBJECT_STORE = Symbol('object store');
export const OUTBOUND = Symbol('outbound');
export const LEDGER = Symbol('ledger');
/** Of `CleaningSettings`. */
export const CLEANING = Symbol('cleaning');
