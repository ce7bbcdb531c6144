export type OutboundReason = 'forbidden' | 'unreachable' | 'timeout' | 'too_large' | 'too_many_redirects' | 'bad_url';

/** Why a request out was not made or not finished. The message names no address that was resolved: a caller could map a network by it. */
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
