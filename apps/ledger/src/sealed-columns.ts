import { RECORDED_ANSWER } from './creation/idempotency.store';
import { LINK_TOKEN, SHARE_TOKEN } from './reports/share-token';

/** The columns that this service stores sealed. */
export const SEALED_COLUMNS = [SHARE_TOKEN, LINK_TOKEN, RECORDED_ANSWER];
