import * as assetsApi from '../generated/tire/assets/v1/assets';
import * as contentApi from '../generated/tire/content/v1/content';
import * as ledgerApi from '../generated/tire/ledger/v1/ledger';
import * as shareApi from '../generated/tire/share/v1/share';

export * from './callers';
export * from './services';
// Not `export * as`, so that these are loaded when they are used first (deploy/entry-points.cjs).
export { assetsApi, contentApi, ledgerApi, shareApi };
