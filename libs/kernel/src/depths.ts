/** Half away from zero on the decimal text: 1.45 is 1.5, and 1.005 at two digits 1.01. `toFixed` rounds the binary value and gives 1.4 and 1.00. */
export function roundDepth(depthMm: number, digits = 1): number {
  if (!Number.isFinite(depthMm)) return depthMm;
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(depthMm))!;
  // The text without its point, and how many of its digits are kept.
  const text = `${whole}${fraction}`;
  const kept = whole!.length + Number(exponent) + digits;
  if (kept >= text.length) return depthMm;
  const below = kept < 0 ? '0' : text[kept]!;
  const units = BigInt(text.slice(0, Math.max(kept, 0)) || '0') + (below >= '5' ? 1n : 0n);
  return units === 0n ? 0 : Number(`${sign}${units}e-${digits}`);
}

/** The number that people read, without its unit. It has a fixed number of digits: 7 is "7.0". */
export const formatDepth = (depthMm: number, digits = 1): string => roundDepth(depthMm, digits).toFixed(digits);
