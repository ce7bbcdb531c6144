/** What Nest cannot find by class. */
export const CLOCK = Symbol('Clock');
export const ADDRESSES = Symbol('PublicAddresses');
export const ASSETS = Symbol('AssetService');
export const RECONCILE = Symbol('ReconcileSettings');
