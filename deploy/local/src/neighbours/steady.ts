import { setTimeout as pause } from 'node:timers/promises';
import type { RegisterImagesResponse } from '@tire/contracts/api';
import { PartnerClient, upload } from '../client';
import type { NeighbourWorld } from './neighbour';
import { percentile } from './timing';

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

export interface Steady {
  readonly sent: number;
  /** Complete reports: from the creation until the page is open, sorted. */
  readonly tookMs: readonly number[];
  /** The medians of when they were registered, measured and published. */
  readonly medians: Times;
  /** Why reports did not become complete within two minutes. */
  readonly lost: readonly string[];
  /** Why requests failed, or reports ended without a page. */
  readonly failed: readonly string[];
}

/** A report of four treads as a partner makes it, until it is complete and published. */
async function oneReport(world: NeighbourWorld): Promise<End> {
  const client = new PartnerClient(world.stack, world.victim.key);
  const beganMs = performance.now();
  const sinceMs = () => performance.now() - beganMs;
  const { report_id: reportId, upload_targets: targets = [] } = await client.create({ template: 'tire_4t_0s' });
  await Promise.all(targets.map((target) => upload(target, world.samples)));
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

/** Begins reports at an even rate, whatever becomes of those before. Resolves when all have ended. */
export async function steadyReports(world: NeighbourWorld, perSecond: number, forMs: number): Promise<Steady> {
  const ends: Promise<End>[] = [];
  const beganMs = performance.now();
  const count = Math.max(1, Math.round((perSecond * forMs) / 1_000));
  for (let sent = 0; sent < count; sent += 1) {
    await pause(Math.max(0, beganMs + (1_000 * sent) / perSecond - performance.now()));
    ends.push(oneReport(world).catch((error: Error) => ({ kind: 'failed', why: error.message })));
  }
  const all = await Promise.all(ends);
  const times = all.flatMap((end) => (end.kind === 'complete' ? [end.times] : []));
  const sorted = (of: keyof Times) => times.map((one) => one[of]).sort((a, b) => a - b);
  const medianOf = (of: keyof Times) => percentile(sorted(of), 0.5);
  return {
    sent: count,
    tookMs: sorted('publishedMs'),
    medians: { registeredMs: medianOf('registeredMs'), measuredMs: medianOf('measuredMs'), publishedMs: medianOf('publishedMs') },
    lost: all.flatMap((end) => (end.kind === 'lost' ? [end.why] : [])),
    failed: all.flatMap((end) => (end.kind === 'failed' ? [end.why] : [])),
  };
}
