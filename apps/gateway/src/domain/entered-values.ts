import type { MANUAL_LIMITS, ManualTire, SetGaugeRequest } from '@tire/contracts/console';

/**
 * The path of the first possible but unlikely value; null if there is none. Outside of the limits a value is probably a typing error:
 * new tires have 7 to 9 mm.
 */
export function firstUnusual(tires: readonly ManualTire[], limits: (typeof MANUAL_LIMITS)['depthMm']): string | null {
  for (const [index, { groove_depths_mm: depthsMm }] of tires.entries()) {
    const groove = depthsMm.findIndex((depthMm) => depthMm > limits.unusualAbove || depthMm < limits.unusualBelow);
    if (groove >= 0) return `tires[${index}].groove_depths_mm[${groove}]`;
    if (Math.max(...depthsMm) - Math.min(...depthsMm) > limits.unusualSpread) return `tires[${index}].groove_depths_mm`;
  }
  return firstOddSize(tires);
}

/** The same for depths that a person enters over measured ones. */
export function firstUnusualGauge(values: SetGaugeRequest['values'], limits: (typeof MANUAL_LIMITS)['depthMm']): string | null {
  const index = values.findIndex(
    ({ depth_mm: depthMm }) => depthMm !== null && (depthMm > limits.unusualAbove || depthMm < limits.unusualBelow),
  );
  return index >= 0 ? `values[${index}].depth_mm` : null;
}

/** Both tires of an axle have one size, a width that ends in five, and a ratio in steps of five. */
function firstOddSize(tires: readonly ManualTire[]): string | null {
  const sizeAt = new Map<string, string>();
  for (const [index, { position, size }] of tires.entries()) {
    if (!size) continue;
    const axle = position.split('_')[0]!;
    const text = `${size.section_width}/${size.aspect_ratio}R${size.rim_diameter}`;
    const other = sizeAt.get(axle) ?? text;
    if (other !== text || size.section_width % 10 !== 5 || size.aspect_ratio % 5 !== 0) return `tires[${index}].size`;
    sizeAt.set(axle, text);
  }
  return null;
}
