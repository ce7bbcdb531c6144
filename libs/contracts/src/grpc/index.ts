export * from './callers';
export * from './services';
export * as ledgerApi from '../generated/tire/ledger/v1/ledger';
export * as assetsApi from '../generated/tire/assets/v1/assets';
export * as contentApi from '../generated/tire/content/v1/content';
export * as shareApi from '../generated/tire/share/v1/share';
