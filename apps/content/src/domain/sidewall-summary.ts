import type { Position } from '@tire/kernel';
import type { Ruleset } from './ruleset';
import type { Severity } from './verdict';

export interface TireSize {
  readonly section_width: number;
  readonly aspect_ratio: number;
  readonly rim_diameter: number;
}

export interface SidewallReading {
  readonly position: Position;
  readonly size: TireSize | null;
}

export interface SidewallSummary {
  readonly recognizedCount: number;
  readonly frontSpec: string | null;
  readonly rearSpec: string | null;
  readonly frontRearMatch: boolean | null;
  /** Two tires of one axle were read differently, and the rest of the car does not settle it. */
  readonly disputed: boolean;
  readonly severity: Severity;
}

export const sizeText = (size: TireSize): string => `${size.section_width}/${size.aspect_ratio}R${size.rim_diameter}`;

const within = (value: number, [low, high]: readonly [number, number]): boolean => Number.isInteger(value) && value >= low && value <= high;

export const isSoundSize = (size: TireSize, { size: bounds }: Ruleset): boolean =>
  within(size.section_width, bounds.widthMm) &&
  within(size.aspect_ratio, bounds.aspectPercent) &&
  within(size.rim_diameter, bounds.rimInch);

export function sidewallSummary(readings: readonly SidewallReading[]): SidewallSummary {
  const texts = (axle: 'front' | 'rear'): string[] =>
    readings.flatMap(({ position, size }) => (size && position.startsWith(axle) ? [sizeText(size)] : []));
  const front = texts('front');
  const rear = texts('rear');
  const frontSpec = vote(front, rear);
  const rearSpec = vote(rear, front);
  const recognizedCount = front.length + rear.length;
  const disputed = (front.length > 0 && frontSpec === null) || (rear.length > 0 && rearSpec === null);
  return {
    recognizedCount,
    frontSpec,
    rearSpec,
    frontRearMatch: frontSpec === null || rearSpec === null ? null : frontSpec === rearSpec,
    disputed,
    // Different sizes front and rear are normal on some cars: information. Within one axle they are worth a look.
    severity: recognizedCount === 0 ? 'unknown' : disputed ? 'caution' : 'good',
  };
}

/** Tires of one axle carry one size. Where they were read differently, the one that the other axle confirms counts. */
function vote(own: readonly string[], other: readonly string[]): string | null {
  const distinct = [...new Set(own)];
  if (distinct.length === 1) return distinct[0]!;
  const confirmed = distinct.filter((spec) => other.includes(spec));
  return confirmed.length === 1 ? confirmed[0]! : null;
}
