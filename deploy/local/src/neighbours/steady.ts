import { percentile } from '@tire/test-harness/bench';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RegisterImagesResponse } from '@tire/contracts/api';
import { atRate } from '../at-rate';
import { PartnerClient, upload, type Send } from '../client';
import type { NeighbourWorld } from './neighbour';
import { retryingClient, StillRefused } from './retrying-client';

const POLL_MS = 100;
/** A report that takes longer is lost. */
const LOST_AFTER_MS = 120_000;

/** Since the creation of a report began. */
interface Times {
  readonly registeredMs: number;
  readonly measuredMs: number;
  readonly publishedMs: number;
}
type End = { readonly kind: 'complete'; readonly times: Times } | { readonly kind: 'lost' | 'failed'; readonly why: string };
type Counted = End & { readonly refused: number; readonly beganMs: number };

export interface CompleteReport extends Times {
  /** On the clock of `performance.now()`. */
  readonly beganMs: number;
}

export interface Steady {
  readonly sent: number;
  /** Requests that were refused for now (429, 503, no connection) and sent again. Their reports may still be complete. */
  readonly refused: number;
  /** Complete reports: from the first attempt of the creation until the page is open. */
  readonly tookMs: readonly number[];
  /** The medians of when they were registered, measured and published. */
  readonly medians: Times;
  /** Complete reports, the slowest first. */
  readonly slowest: readonly CompleteReport[];
  /** Why reports did not become complete within two minutes. */
  readonly lost: readonly string[];
  /** Why requests failed after all retries, or reports ended without a page. */
  readonly failed: readonly string[];
}

/** A report of four treads as a partner makes it, until it is complete and published. */
async function oneReport(world: NeighbourWorld, send: Send): Promise<End> {
  const client = new PartnerClient(world.stack, world.victim.key, send);
  const beganMs = performance.now();
  const sinceMs = () => performance.now() - beganMs;
  const idempotencyKey = { 'idempotency-key': randomUUID() };
  const { report_id: reportId, upload_targets: targets = [] } = await client.create({ template: 'tire_4t_0s' }, idempotencyKey);
  await Promise.all(targets.map((target) => upload(target, world.samples, send)));
  await client.json<RegisterImagesResponse>('POST', `/reports/${reportId}/images`, {
    images: targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot })),
  });
  const registeredMs = sinceMs();
  let measuredMs: number | undefined;
  for (;;) {
    const { analysis_status: analysis, publication_status: publication } = await client.report(reportId);
    if (analysis === 'complete') measuredMs ??= sinceMs();
    if (measuredMs && publication === 'published') return { kind: 'complete', times: { registeredMs, measuredMs, publishedMs: sinceMs() } };
    if (analysis === 'failed' || analysis === 'partial') return { kind: 'failed', why: `${reportId} ended ${analysis}` };
    if (sinceMs() > LOST_AFTER_MS) return { kind: 'lost', why: `${reportId} is ${analysis}, ${publication}` };
    await pause(POLL_MS);
  }
}

async function countedReport(world: NeighbourWorld): Promise<Counted> {
  const beganMs = performance.now();
  const client = retryingClient({ lostAfterMs: LOST_AFTER_MS });
  const end = await oneReport(world, client.fetch).catch((error: Error): End => ({
    kind: error instanceof StillRefused || error.name === 'TimeoutError' ? 'lost' : 'failed',
    why: error.message,
  }));
  return { ...end, refused: client.refused, beganMs };
}

/** Begins reports at an even rate, independent of the progress of earlier ones. Resolves when all have ended. */
export async function steadyReports(world: NeighbourWorld, perSecond: number, forMs: number): Promise<Steady> {
  const count = Math.max(1, Math.round((perSecond * forMs) / 1_000));
  const all = await atRate(perSecond, count, () => countedReport(world));
  const times = all.flatMap((end) => (end.kind === 'complete' ? [{ ...end.times, beganMs: end.beganMs }] : []));
  const timesOf = (of: keyof Times) => times.map((one) => one[of]);
  const medianOf = (of: keyof Times) => percentile(timesOf(of), 0.5);
  return {
    sent: count,
    refused: all.reduce((sum, { refused }) => sum + refused, 0),
    tookMs: timesOf('publishedMs'),
    medians: { registeredMs: medianOf('registeredMs'), measuredMs: medianOf('measuredMs'), publishedMs: medianOf('publishedMs') },
    slowest: times.sort((a, b) => b.publishedMs - a.publishedMs),
    lost: all.flatMap((end) => (end.kind === 'lost' ? [end.why] : [])),
    failed: all.flatMap((end) => (end.kind === 'failed' ? [end.why] : [])),
  };
}
