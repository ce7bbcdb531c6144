import { roundDepth } from '@tire/kernel';
import type { Ruleset } from '../rulesets/ruleset';

/** Rounds to the tenth that a report shows. Rules compare rounded values, so that texts and severities agree. */
export function roundTenth(value: number): number {
  const rounded = Math.round(value * 10) / 10;
  return rounded === 0 ? 0 : rounded;
}

/** From ruleset 2.0 on, the rounding that every part of the product has. The older rulesets keep theirs. */
export const roundedDepth = ({ doubt }: Ruleset): ((depthMm: number) => number) => (doubt ? (depthMm) => roundDepth(depthMm) : roundTenth);

export const oneDecimal = (value: number): string => value.toFixed(1);

export function lowest(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.min(...values);
}
