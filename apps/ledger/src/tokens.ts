/** Injection tokens of what Nest cannot find by class. */
export const ADDRESSES = Symbol('PublicAddresses');
export const CREATION = Symbol('CreationSettings');
export const ASSETS = Symbol('AssetService');
export const CONTENT = Symbol('ContentService');
export const SHARE = Symbol('ShareService');
export const RECONCILE = Symbol('ReconcileSettings');
export const WORK = Symbol('WorkSettings');
export const RETENTION = Symbol('RetentionSettings');
