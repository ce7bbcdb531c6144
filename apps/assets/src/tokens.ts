/** Injection tokens for values without a class. */
export const OBJECT_STORE = Symbol('ObjectStore');
/** Boolean: whether derivatives are made before their first use. */
export const DISPLAY_AHEAD = Symbol('DisplayAhead');
export const CLEANING = Symbol('CleaningSettings');
export const RETENTION_INTERVAL_MS = Symbol('RetentionIntervalMs');
