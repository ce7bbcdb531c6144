export const OBJECT_STORE = Symbol('object store');
export const OUTBOUND = Symbol('outbound');
/** Boolean: whether derivatives are made before their first use. */
export const DISPLAY_AHEAD = Symbol('display ahead');
/** The token of `CleaningSettings`. */
export const CLEANING = Symbol('cleaning');
