export interface Delivery {
  /** 1 for the first time. The broker counts, also over a restart of the process. */
  readonly count: number;
  readonly streamSequence: number;
}

/**
 * What the broker says about a delivery, in the subject that awaits its acknowledgement:
 * `$JS.ACK.<stream>.<consumer>.<count>.<stream sequence>.…`, with a domain and an account before the stream where they are set.
 */
export function parseAckSubject(subject: string): Delivery | undefined {
  const tokens = subject.split('.');
  if (tokens[0] !== '$JS' || tokens[1] !== 'ACK' || tokens.length < 9) return undefined;
  const start = tokens.length >= 11 ? 6 : 4;
  return { count: Number(tokens[start]), streamSequence: Number(tokens[start + 1]) };
}
