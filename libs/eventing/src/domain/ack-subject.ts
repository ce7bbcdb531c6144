export interface Delivery {
  /** 1 for the first delivery. The broker counts, so a restart of the process does not reset it. */
  readonly count: number;
  readonly streamSequence: number;
}

/**
 * The data of a delivery in its acknowledgement subject:
 * `$JS.ACK.<stream>.<consumer>.<count>.<stream sequence>.…`, with a domain and an account before the stream if they are set.
 */
export function parseAckSubject(subject: string): Delivery | undefined {
  const tokens = subject.split('.');
  if (tokens[0] !== '$JS' || tokens[1] !== 'ACK' || tokens.length < 9) return undefined;
  const start = tokens.length >= 11 ? 6 : 4;
  return { count: Number(tokens[start]), streamSequence: Number(tokens[start + 1]) };
}
