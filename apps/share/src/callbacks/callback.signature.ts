import { Webhook } from 'standardwebhooks';

/** What every callback carries beside its signature. */
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'tire-inspection-callback/1.0' };

/** The headers of a callback by Standard Webhooks: during a rotation it carries one signature for each secret. */
export function signedHeaders(id: string, body: string, secrets: readonly string[], at: Date): Record<string, string> {
  return {
    ...HEADERS,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
