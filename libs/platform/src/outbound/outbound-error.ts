export type OutboundReason = 'forbidden' | 'unreachable' | 'timeout' | 'too_large' | 'too_many_redirects' | 'bad_url';

/** Why an outbound request failed. The message contains no resolved address, because a tenant could map a network with it. */
export class OutboundError extends Error {
  constructor(
    readonly reason: OutboundReason,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutboundError';
  }
}
