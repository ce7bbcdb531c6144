import type { TreadMeasurement } from '@tire/contracts/events';
import { orderAcross, type StoredPixels } from '@tire/kernel';

export type Shown = StoredPixels;

export interface MeasuredGroove {
  readonly depthMm: number;
  /** Its 90 % interval, where the engine gives one. */
  readonly intervalMm: readonly [low: number, high: number] | null;
}

/** The measured grooves in the order in which a person counts the grooves of the upright image. */
export function groovesAcross({ grooveMasks }: TreadMeasurement, shown: Shown): MeasuredGroove[] {
  const places = grooveMasks.map(({ polygonXyNorm }) => ({
    x: mean(polygonXyNorm.map(({ x }) => x)),
    y: mean(polygonXyNorm.map(({ y }) => y)),
  }));
  return orderAcross(places, shown).map((index) => {
    const { depthMm, depthInterval } = grooveMasks[index]!;
    return { depthMm: depthMm ?? NaN, intervalMm: depthInterval ? ([depthInterval.lowMm, depthInterval.highMm] as const) : null };
  });
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
