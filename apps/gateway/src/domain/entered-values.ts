import type { ManualTire } from '@tire/contracts';

/** Outside of these a typed value is likelier a slip than a tire: new ones have 7 to 9 mm, bald ones next to nothing. */
export const UNUSUAL = { aboveMm: 9, belowMm: 0.5, spreadMm: 3 } as const;

/** Where the first value stands that is possible and unlikely; null: there is none. */
export function firstUnusual(tires: readonly ManualTire[]): string | null {
  for (const [index, { groove_depths_mm: depthsMm }] of tires.entries()) {
    const groove = depthsMm.findIndex((depthMm) => depthMm > UNUSUAL.aboveMm || depthMm < UNUSUAL.belowMm);
    if (groove >= 0) return `tires[${index}].groove_depths_mm[${groove}]`;
    if (Math.max(...depthsMm) - Math.min(...depthsMm) > UNUSUAL.spreadMm) return `tires[${index}].groove_depths_mm`;
  }
  return firstOddSize(tires);
}

/** Both tires of an axle have one size. */
function firstOddSize(tires: readonly ManualTire[]): string | null {
  const sizeAt = new Map<string, string>();
  for (const [index, { position, size }] of tires.entries()) {
    if (!size) continue;
    const axle = position.split('_')[0]!;
    const text = `${size.section_width}/${size.aspect_ratio}R${size.rim_diameter}`;
    const other = sizeAt.get(axle);
    if (other !== undefined && other !== text) return `tires[${index}].size`;
    sizeAt.set(axle, text);
  }
  return null;
}
