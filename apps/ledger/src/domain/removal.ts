import { refuse, type Refusal } from './refusal';
import type { LegalHold, Report, ReportEvent, ReportState } from './report';
import { heldAsset, isPending } from './slot';

/** The param of the refusal to remove a held report. */
const LEGAL_HOLD = 'legal_hold';

/**
 * A report under legal hold loses nothing: no retention, no erasure, and no discard, which ends access only. Whatever removes data of a report
 * asks this first.
 */
export const isHeld = ({ hold }: Pick<Report, 'hold'>): boolean => hold !== null;

/** What a request gets that would remove a report under legal hold; null where nothing holds it. */
export const refuseHeld = (report: Pick<Report, 'hold'>): Refusal | null =>
  isHeld(report) ? { ...refuse('conflict', LEGAL_HOLD), message: 'The report is under legal hold.' } : null;

/** Those of these images that may go: the report is not held, and none of its slots is being measured from one of them. */
export function endableImages(state: ReportState, assetIds: readonly string[]): readonly string[] {
  if (state.lifecycle === 'absent') return assetIds;
  if (isHeld(state.report)) return [];
  if (state.lifecycle !== 'open') return assetIds;
  const inUse = new Set(state.report.slots.filter(isPending).map((slot) => heldAsset(slot.state)));
  return assetIds.filter((assetId) => !inUse.has(assetId));
}

export const purge = (report: Report, now: Date): readonly ReportEvent[] =>
  isHeld(report) ? [] : [{ type: 'purgeStarted', at: now.toISOString() }];

export const holdOf = ({ by, reason }: { readonly by: string; readonly reason: string }, now: Date): LegalHold => ({
  at: now.toISOString(),
  by,
  reason,
});

export const releaseHold = (report: Report, now: Date): readonly ReportEvent[] =>
  isHeld(report) ? [{ type: 'holdChanged', hold: null, at: now.toISOString() }] : [];

/** Images of earlier revisions have no slot any more: they only leave the object store. */
export function endImages(report: Report, { assetIds }: { readonly assetIds: readonly string[] }, now: Date): readonly ReportEvent[] {
  const endable = new Set(endableImages({ lifecycle: 'open', report }, assetIds));
  const slotIds = report.slots.flatMap(({ slotId: id, state }) => {
    const asset = state.phase === 'empty' ? null : state.asset;
    return asset && !asset.isEnded && endable.has(asset.assetId) ? [id] : [];
  });
  return slotIds.length === 0 ? [] : [{ type: 'imagesEnded', slotIds, at: now.toISOString() }];
}

/** Of a live report too: no row of it stays, and nothing that names its inspection. */
export const erase = (report: Report, now: Date): readonly ReportEvent[] | Refusal =>
  refuseHeld(report) ?? [{ type: 'purgeStarted', at: now.toISOString() }];
