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

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
