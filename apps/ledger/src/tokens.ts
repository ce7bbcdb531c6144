/** Injection tokens for values without a class. */
export const ADDRESSES = Symbol('PublicAddresses');
export const CREATION = Symbol('CreationSettings');
export const RECONCILE = Symbol('ReconcileSettings');
export const WORK = Symbol('WorkSettings');
export const SEALING_KEYS = Symbol('SealingKeys');
export const RETENTION = Symbol('RetentionSettings');
