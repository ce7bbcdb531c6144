import { ATTRIBUTES, counter, METRICS } from '@tire/platform';

/** Why a request was refused with 429. */
export type RefusalReason = 'rate' | 'project_rate' | 'share' | 'in_flight' | 'body' | 'event_loop' | 'unknown_keys' | 'unknown_links';

const refused = counter(METRICS.requestsRefused, 'Requests refused with 429 at the edge, by reason');

export const countRefusal = (reason: RefusalReason): void => refused.add(1, { [ATTRIBUTES.reason]: reason });
