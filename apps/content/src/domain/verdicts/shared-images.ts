import { POSITION_ORDER } from '../source/source';
import type { Position, TireFinding } from './findings';
import type { DepthInterval } from './tire-verdict';

/** Tires whose images are the same or near copies. Each image shows one of them, and which one is not known. */
export interface SharedGroup {
  /** The positions in the order of the report. */
  readonly positions: readonly Position[];
  readonly isCritical: boolean;
  readonly isBald: boolean;
  /** The whole tread has lost its pattern, and not only some places. */
  readonly isWholeBald: boolean;
  /** The lowest depth that was measured in the images. */
  readonly minimumDepthMm: number | null;
  readonly intervalMm: DepthInterval | null;
  readonly isGauged: boolean;
}

export function sharedGroups(tires: readonly TireFinding[]): SharedGroup[] {
  const groups: Set<Position>[] = [];
  for (const { position, sharedWith } of tires) {
    if (!sharedWith) continue;
    const together = new Set([position, ...sharedWith.slotIds.map((id) => id.split('.')[2] as Position)]);
    for (const other of groups.filter((group) => [...group].some((one) => together.has(one)))) {
      other.forEach((one) => together.add(one));
      groups.splice(groups.indexOf(other), 1);
    }
    groups.push(together);
  }
  return groups.map((group) => {
    const shared = tires.filter(({ position, sharedWith }) => sharedWith && group.has(position));
    const measured = shared.filter(({ minimumDepthMm }) => minimumDepthMm !== null);
    const lowest = measured.toSorted((one, other) => one.minimumDepthMm! - other.minimumDepthMm!)[0];
    return {
      positions: POSITION_ORDER.filter((position) => group.has(position)),
      isCritical: shared.some(({ severity }) => severity === 'critical'),
      isBald: shared.some(({ bald }) => bald !== null),
      isWholeBald: shared.some(({ bald }) => bald?.wornSmooth || bald?.places.includes('whole')),
      minimumDepthMm: lowest?.minimumDepthMm ?? null,
      intervalMm: lowest?.intervalMm ?? null,
      isGauged: lowest?.isGauged ?? false,
    };
  });
}
