import { logger, OutboundError, type Outbound } from '@tire/platform';
import { IDEMPOTENT_SMS_RETRIES, SMS_RETRIES, type Outcome } from '../domain/sending';
import { outcomeOfAnswer, requestOf, type SmsInterface } from '../domain/sms-request';
import type { Carrier } from './carrier';

export interface SmsSettings {
  readonly url: string;
  readonly method: string;
  readonly provider: SmsInterface;
  readonly sender: { readonly from: string; readonly secret: string };
  readonly isIdempotent: boolean;
  readonly outbound: Outbound;
}

/** Less than the lease of a message. */
const WHOLE_MS = 30_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** A provider of text messages that takes one JSON request with fixed credentials at one address. Redirects are not followed: the next host would get the secret. */
export function smsCarrier({ url, method, provider, sender, isIdempotent, outbound }: SmsSettings): Carrier {
  const log = logger('sms');
  return {
    retries: isIdempotent ? IDEMPOTENT_SMS_RETRIES : SMS_RETRIES,
    async send(message): Promise<Outcome> {
      let isUnderWay = false;
      try {
        const answer = await outbound.request(url, {
          ...{ method, ...requestOf(provider, message, sender), maxRedirects: 0, timeoutMs: WHOLE_MS, maxBytes: ANSWER_BYTES_MAX },
          onConnected: () => (isUnderWay = true),
        });
        const outcome = outcomeOfAnswer(provider, answer.status, answer.body.toString());
        if (outcome.kind !== 'sent')
          log.warn({ message_id: message.id, outcome: outcome.kind, response_code: answer.status }, 'A text message was not sent');
        return outcome;
      } catch (error) {
        // The error may hold what the provider said, and that may name the receiver.
        const reason = error instanceof OutboundError ? error.reason : 'unreachable';
        const outcome: Outcome = { kind: isUnderWay ? 'unknown' : 'unavailable' };
        log.warn({ message_id: message.id, outcome: outcome.kind, reason }, 'A text message was not sent');
        return outcome;
      }
    },
  };
}
