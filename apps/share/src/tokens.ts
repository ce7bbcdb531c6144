export const CONFIG = Symbol('Config');
export const LEDGER = Symbol('LedgerServiceClient');
export const CONTENT = Symbol('ContentServiceClient');
export const ASSETS = Symbol('AssetServiceClient');
export const OUTBOUND = Symbol('Outbound');
