/** What the reader sees: every comparison is made on it, so that text and severity never disagree. */
export function roundTenth(value: number): number {
  // The nudge undoes binary noise: 1.25 and 1.35 are stored just beside themselves.
  const rounded = Math.round(value * 10 + Math.sign(value) * 1e-9) / 10;
  return rounded === 0 ? 0 : rounded;
}

export const oneDecimal = (value: number): string => value.toFixed(1);

export function lowest(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.min(...values);
}
