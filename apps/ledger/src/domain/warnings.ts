import type { Report as ReportDocument } from '@tire/contracts/api';
import { hashDistance, NEAR_COPY_BITS, type SlotId } from '@tire/kernel';
import type { ReportSlotRecord } from './slot';

type ReportWarning = NonNullable<ReportDocument['warnings']>[number];

export interface Image {
  readonly sha256: string | null;
  readonly hash: string | null;
}

interface Shown extends Image {
  readonly slotId: SlotId;
}

/**
 * Images that stand in more than one slot of a report. They follow from the images that the slots show now, measured or not, so a replaced
 * image takes its warning away. Images of the same bytes come before near copies, and each in the order of the slots.
 */
export function imageWarnings(slots: readonly ReportSlotRecord[]): ReportWarning[] {
  const shown = slots.flatMap(({ slotId, state }): Shown[] =>
    state.phase === 'empty' || !state.asset ? [] : [{ slotId, ...imageOf(state.asset) }],
  );
  const same = groupsOf(shown, isSame).map((group) => warning('same_image', group));
  const similar = groupsOf(shown, areAlike).filter((group) => !isOneImage(group));
  return [...same, ...similar.map((group) => warning('similar_image', group))];
}

export const imageOf = ({ sha256 = null, hash = null }: Partial<Image>): Image => ({ sha256, hash });

const warning = (code: ReportWarning['code'], group: readonly Shown[]): ReportWarning => ({
  code,
  slot_ids: group.map(({ slotId }) => slotId),
});

const isSame = (a: Image, b: Image): boolean => a.sha256 !== null && a.sha256 === b.sha256;

/** Whether two images are the same photograph, as far as their bytes and pixels tell. */
export const areAlike = (a: Image, b: Image): boolean => isSame(a, b) || isNearCopy(a, b);

const isOneImage = ([first, ...others]: readonly Shown[]): boolean => others.every((other) => isSame(first!, other));

const isNearCopy = (a: Image, b: Image): boolean => a.hash !== null && b.hash !== null && hashDistance(a.hash, b.hash) <= NEAR_COPY_BITS;

/** Groups of two and more that a chain of alike images joins. They keep the order, and so do their members. */
function groupsOf(shown: readonly Shown[], belongTogether: (a: Shown, b: Shown) => boolean): Shown[][] {
  const groups: Shown[][] = [];
  for (const one of shown) {
    const joined = groups.filter((group) => group.some((other) => belongTogether(one, other)));
    const merged = [...joined.flat(), one].toSorted((a, b) => shown.indexOf(a) - shown.indexOf(b));
    const at = joined[0] ? groups.indexOf(joined[0]) : groups.length;
    groups.splice(at, joined[0] ? 1 : 0, merged);
    for (const other of joined.slice(1)) groups.splice(groups.indexOf(other), 1);
  }
  return groups.filter((group) => group.length > 1);
}

const SHA256 = /^[0-9a-f]{64}$/;
const HASH = /^[0-9a-f]{16}$/;

/** Undefined where a service of an earlier version, or a fault, gives none. */
export const knownSha256 = (text: string | undefined): string | undefined => (text !== undefined && SHA256.test(text) ? text : undefined);
export const knownHash = (text: string | undefined): string | undefined => (text !== undefined && HASH.test(text) ? text : undefined);
