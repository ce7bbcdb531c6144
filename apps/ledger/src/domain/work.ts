import { parseSlotId, type SlotId } from '@tire/kernel';

/** Work is what a pending slot waits for: that its image is fetched, or measured by the engine of its kind. */
export const WORK_KINDS = ['fetch', 'tire.tread', 'tire.sidewall'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** Measurements of well-known photographs: no worker has them, the ledger answers them itself. */
export const SANDBOX_KIND = 'sandbox';
export type PendingKind = WorkKind | typeof SANDBOX_KIND;

/** The engine that measures the image of a slot. */
export const analysisKind = (slotId: SlotId): WorkKind => `tire.${parseSlotId(slotId).image_type}`;

/** How much work the workers of a kind have, and how much they request. */
export interface WorkDemand {
  readonly untaken: number;
  readonly held: number;
  readonly asking: number;
}

/**
 * The minimum number of messages for an open request of a worker. A fetcher fetches 48 images at once and is fair among those that it has.
 * A model measures one image after the other, so an image that is handed out early delays those of other projects.
 */
const PER_REQUEST: Readonly<Record<WorkKind, number>> = { fetch: 32, 'tire.tread': 1, 'tire.sidewall': 1 };
/** Many workers, or a batch on a GPU, take more at once: a quarter of what they hold. */
const HELD_PER_MESSAGE = 4;
/**
 * But no more than this. What is held contains failed deliveries that wait for their next one: without a bound, each of them would let more
 * work be handed out while an outage makes every delivery fail.
 */
const PER_REQUEST_MAX = 32;

/** How many messages to hand out now. One waits for the first worker even where none runs. */
export function roomFor(kind: WorkKind, { untaken, held, asking }: WorkDemand): number {
  const wanted = asking * Math.max(PER_REQUEST[kind], Math.min(PER_REQUEST_MAX, Math.floor(held / HELD_PER_MESSAGE)));
  return Math.max(0, (held === 0 ? Math.max(1, wanted) : wanted) - untaken);
}
