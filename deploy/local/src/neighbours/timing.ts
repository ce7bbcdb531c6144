import { median } from '@tire/test-harness/bench';
import { setTimeout as pause } from 'node:timers/promises';
import type { PartnerClient } from '../client';

const POLL_MS = 50;

/** How long a report took, from `beganMs` until no slot waits. */
export interface Ended {
  readonly ms: number;
  readonly failedSlots: number;
}

export async function reportEnded(client: PartnerClient, reportId: string, beganMs: number): Promise<Ended> {
  for (;;) {
    const { analysis_status, slots } = await client.report(reportId);
    if (analysis_status !== 'processing')
      return { ms: performance.now() - beganMs, failedSlots: slots.filter(({ analysis }) => analysis.error).length };
    await pause(POLL_MS);
  }
}

/** How long work took, and how often it failed. */
export interface Timed {
  /** The median. */
  readonly ms: number;
  readonly meanMs: number;
  readonly times: number;
  readonly failed: number;
}

/** Repeats work, one after the other, while it should go on. */
export async function medianOf(times: number, work: () => Promise<boolean>, goesOn: () => boolean = () => true): Promise<Timed> {
  const took: number[] = [];
  let failed = 0;
  do {
    const beganMs = performance.now();
    if (!(await work())) failed += 1;
    took.push(performance.now() - beganMs);
  } while (took.length < times && goesOn());
  return { ms: median(took), meanMs: took.reduce((sum, ms) => sum + ms, 0) / took.length, times: took.length, failed };
}
