import type { TireSize } from '@tire/contracts';

/** Fitted to the load indices that 126 sizes of cars have as standard load, written down by hand: nine in ten lie within 1.1 of it. */
export const usualLoadIndex = ({ sectionWidthMm, aspectRatioPercent, rimDiameterInch }: TireSize): number =>
  -427.99 + 60 * Math.log(sectionWidthMm) + 32.01 * Math.log(aspectRatioPercent) + 25.13 * Math.log(rimDiameterInch);

/** From a standard load to an extra one, which carries three to five more. */
const [LEAST, MOST] = [-1.3, 4.7];
const SPREAD = 0.9;
/** A digit may be misread, and a maker may go his own way. */
const MOST_COST = 5;

/** Log of how likely a car's tire of this size has this load index: 89 speaks against 195/50R15, and is usual for 195/60R16. */
export function loadIndexCost(size: TireSize, loadIndex: number): number {
  const more = loadIndex - usualLoadIndex(size);
  const beyond = Math.max(0, LEAST - more, more - MOST) / SPREAD;
  return -Math.min(MOST_COST, beyond ** 2 / 2);
}
