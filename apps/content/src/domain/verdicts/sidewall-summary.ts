import type { Position } from '@tire/kernel';
import type { Judged } from './judged';
import type { Ruleset } from '../rulesets/ruleset';
import type { AxleSizes } from './axle-sizes';
import type { Severity } from './severity';

export interface TireSize {
  readonly section_width: number;
  readonly aspect_ratio: number;
  readonly rim_diameter: number;
}

export interface SidewallReading {
  readonly position: Position;
  readonly asset: object | null;
  readonly size: TireSize | null;
}

/** The size of one axle. It is disputed where its two tires have different sizes and the other axle confirms neither or both. */
export type AxleSize =
  | { readonly state: 'read'; readonly spec: string; readonly settled: boolean }
  | { readonly state: 'disputed' | 'unread' | 'no_image' };

export interface SidewallSummary {
  readonly recognizedCount: number;
  readonly front: AxleSize;
  readonly rear: AxleSize;
  readonly frontSpec: string | null;
  readonly rearSpec: string | null;
  readonly frontRearMatch: boolean | null;
  readonly severity: Severity;
  /** Null before ruleset 2.0. */
  readonly axles: AxleSizes | null;
}

export const sizeText = (size: TireSize): string => `${size.section_width}/${size.aspect_ratio}R${size.rim_diameter}`;

const within = (value: number, [low, high]: readonly [number, number]): boolean => value >= low && value <= high;
const onStep = (value: number, range: readonly [number, number], step: number): boolean =>
  within(value, range) && (value - range[0]) % step === 0;

export const overallDiameterMm = (size: TireSize): number => size.rim_diameter * 25.4 + (2 * size.section_width * size.aspect_ratio) / 100;
const diameterMm = (size: TireSize): number => Math.round(overallDiameterMm(size));

export const isSoundSize = (size: TireSize, { size: bounds }: Ruleset): boolean =>
  onStep(size.section_width, bounds.widthMm, bounds.widthStepMm) &&
  onStep(size.aspect_ratio, bounds.aspectPercent, bounds.aspectStepPercent) &&
  onStep(size.rim_diameter, bounds.rimInch, 1) &&
  within(diameterMm(size), bounds.diameterMm);

export function sidewallSummary(readings: readonly SidewallReading[]): SidewallSummary {
  const ofAxle = (axle: 'front' | 'rear') => readings.filter(({ position }) => position.startsWith(axle));
  const front = axleSize(ofAxle('front'), ofAxle('rear'));
  const rear = axleSize(ofAxle('rear'), ofAxle('front'));
  const frontSpec = front.state === 'read' ? front.spec : null;
  const rearSpec = rear.state === 'read' ? rear.spec : null;
  const recognizedCount = specs(readings).length;
  return {
    recognizedCount,
    front,
    rear,
    frontSpec,
    rearSpec,
    frontRearMatch: frontSpec === null || rearSpec === null ? null : frontSpec === rearSpec,
    severity: judgeSizes({ recognizedCount, front, rear }).verdict,
    axles: null,
  };
}

/** Different sizes front and rear are normal on some cars. Different sizes on one axle need a check. */
export function judgeSizes({
  recognizedCount,
  front,
  rear,
}: Pick<SidewallSummary, 'recognizedCount' | 'front' | 'rear'>): Judged<Severity> {
  const specOrState = (axle: AxleSize): string => (axle.state === 'read' ? axle.spec : axle.state);
  const judged = (verdict: Severity, rule: string) => ({
    verdict,
    rule,
    inputs: { recognizedCount, front: specOrState(front), rear: specOrState(rear) },
    thresholds: {},
  });
  if (recognizedCount === 0) return judged('unknown', 'no size was read');
  if (front.state === 'disputed' || rear.state === 'disputed') {
    return judged('caution', 'the tires of one axle were read differently, and the other axle does not settle it');
  }
  return judged('good', 'no axle has two sizes; sizes that differ front and rear are information');
}

const specs = (readings: readonly SidewallReading[]): string[] => readings.flatMap(({ size }) => (size ? [sizeText(size)] : []));

/** Both tires of an axle have one size. Where two sizes were read, the one that the other axle confirms counts. */
function axleSize(own: readonly SidewallReading[], other: readonly SidewallReading[]): AxleSize {
  const distinct = [...new Set(specs(own))];
  if (distinct.length === 0) return { state: own.every(({ asset }) => asset === null) ? 'no_image' : 'unread' };
  if (distinct.length === 1) return { state: 'read', spec: distinct[0]!, settled: false };
  const confirmed = distinct.filter((spec) => specs(other).includes(spec));
  return confirmed.length === 1 ? { state: 'read', spec: confirmed[0]!, settled: true } : { state: 'disputed' };
}
