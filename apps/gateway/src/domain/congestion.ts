/** One late sample is a pause, for example a garbage collection. Several in a row are a queue that does not get shorter. */
const LATE_IN_A_ROW = 3;

export interface Congestion {
  readonly lateInARow: number;
}

export const calm: Congestion = { lateInARow: 0 };

export const sampled = ({ lateInARow }: Congestion, lagMs: number, lagMsMax: number): Congestion =>
  lagMs > lagMsMax ? { lateInARow: Math.min(lateInARow + 1, LATE_IN_A_ROW) } : calm;

export const isCongested = ({ lateInARow }: Congestion): boolean => lateInARow >= LATE_IN_A_ROW;
