import { CALLBACK_BODY } from './callbacks/callback.store';
import { LISTENED_BODY } from './listeners/listener.store';
import { LINK_TOKEN } from './links/link.store';
import { WEBHOOK_SECRET } from './webhook-secrets/webhook-secret.store';

/** The columns that this service stores sealed. */
export const SEALED_COLUMNS = [WEBHOOK_SECRET, LINK_TOKEN, CALLBACK_BODY, LISTENED_BODY];
