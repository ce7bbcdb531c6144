import type { Analysis, GaugeValue, TreadResult } from '@tire/contracts/api';
import { fault, roundDepth, type Fault } from '@tire/kernel';
import { medianMm } from './manual';
import { isFaulty, refuseFaults, type Refusal } from './refusal';
import { slotState, type Report, type ReportEvent } from './report';
import type { AnalysisRecord } from './slot';

/** What a person read from a gauge in one groove, or null to withdraw it. Grooves are counted from 1, in the order of the depths. */
export interface GaugeReading {
  readonly groove: number;
  readonly depthMm: number | null;
}

/** The analysis of a slot, as the person who used the gauge saw it. */
export interface GaugedAnalysis {
  /** The one that the slot has now. */
  readonly analysisId: string;
  /** The one that the slot had in the revision that the person saw; null if that revision has none. */
  readonly seenId: string | null;
  /** What the engine measured, without gauge values. */
  readonly measuredId: string;
  readonly measured: Analysis;
  readonly values: readonly GaugeValue[];
}

export interface SetGaugeCommand {
  readonly type: 'setGauge';
  readonly slotId: string;
  readonly held: GaugedAnalysis;
  readonly readings: readonly GaugeReading[];
  readonly analysisId: string;
  readonly revisionId: string;
}

type GaugeSet = Extract<ReportEvent, { type: 'gaugeSet' }>;

/**
 * A gauge value belongs to the measurement over which it was entered: a later measurement counts the grooves anew. So a value that was
 * entered over another measurement than the present one is refused, and a slot that is measured again has no gauge values.
 */
export function setGauge(report: Report, command: SetGaugeCommand, now: Date): GaugeSet | Refusal | null {
  const { held, readings } = command;
  const state = slotState(report, command.slotId);
  const depthsMm = depthsOf(held.measured);
  if (report.identity.legacy || state.phase !== 'succeeded' || state.analysis.provenance !== 'engine' || depthsMm.length === 0) {
    return refuseFaults([fault('slot_id', 'has no groove that was measured.')]);
  }
  const faults = readings.flatMap(({ groove }, index): Fault[] =>
    groove > depthsMm.length ? [fault(`values[${index}].groove`, `must be 1 to ${depthsMm.length}: so many grooves were measured.`)] : [],
  );
  if (isFaulty(faults)) return refuseFaults(faults);
  const at = now.toISOString();
  const values = mergedValues(held, readings, at);
  if (JSON.stringify(values) === JSON.stringify(held.values)) return null;
  if (held.seenId !== held.analysisId || state.analysis.analysisId !== held.analysisId) {
    return refuseFaults([fault('analysis_revision', 'is not the one in which this slot has its present values; read the report again.')]);
  }
  const analysis: AnalysisRecord = {
    ...state.analysis,
    slotId: command.slotId as AnalysisRecord['slotId'],
    analysisId: command.analysisId,
    json: JSON.stringify(gauged(held.measured, values)),
    measuredId: held.measuredId,
  };
  const isEntered = values.some((value) => !held.values.includes(value));
  return { type: 'gaugeSet', slotId: analysis.slotId, analysis, change: isEntered ? 'entered' : 'withdrawn', at };
}

const isTread = (result: Analysis['result']): result is TreadResult => result !== null && 'individual_depths' in result;

const depthsOf = ({ result }: Analysis): readonly number[] => (isTread(result) ? result.individual_depths.individual_remaining_depth : []);

/** In the order of the grooves. A reading that is repeated keeps the time at which it was entered first. */
function mergedValues({ measured, values }: GaugedAnalysis, readings: readonly GaugeReading[], at: string): GaugeValue[] {
  const depthsMm = depthsOf(measured);
  const intervals = isTread(measured.result) ? measured.result.individual_depths.depth_intervals_mm : undefined;
  return depthsMm.flatMap((measuredMm, index): GaugeValue[] => {
    const before = values.find(({ groove }) => groove === index + 1);
    const reading = readings.find(({ groove }) => groove === index + 1);
    if (!reading || reading.depthMm === before?.depth_mm) return before ? [before] : [];
    if (reading.depthMm === null) return [];
    const measured_interval_mm = intervals?.[index] ?? null;
    return [{ groove: index + 1, depth_mm: reading.depthMm, measured_mm: measuredMm, measured_interval_mm, entered_at: at }];
  });
}

/**
 * The measurement, with the gauge's depth in place of the engine's in each of these grooves. Such a depth has an interval without a width.
 * The place of the grooves, bald zones and unseen parts stay: a gauge tells nothing about them.
 */
export function gauged(measured: Analysis, values: readonly GaugeValue[]): Analysis {
  const { result } = measured;
  if (values.length === 0 || !isTread(result)) return measured;
  const gaugeMm = new Map(values.map(({ groove, depth_mm }) => [groove - 1, depth_mm]));
  const depthsMm = depthsOf(measured).map((depthMm, index) => gaugeMm.get(index) ?? depthMm);
  const ownIntervals = result.individual_depths.depth_intervals_mm;
  const intervals = ownIntervals?.map((interval, index): Interval => exactly(gaugeMm.get(index)) ?? interval);
  const isWholly = values.length === depthsMm.length;
  const known = intervals ?? (isWholly ? depthsMm.map((depthMm): Interval => [depthMm, depthMm]) : undefined);
  return {
    ...measured,
    result: {
      ...result,
      aggregated_depth: {
        aggregated_remaining_depth: medianMm(depthsMm),
        // An estimate of the engine, which knows no gauge.
        estimated_lifetime: null,
        ...(known ? { depth_interval_mm: middleInterval(depthsMm, known) } : {}),
      },
      individual_depths: { individual_remaining_depth: depthsMm, ...(known ? { depth_intervals_mm: known } : {}) },
      groove_masks: result.groove_masks.map((mask, index) => {
        const depthMm = gaugeMm.get(index);
        return depthMm === undefined ? mask : { ...mask, depth_mm: depthMm, depth_interval_mm: exactly(depthMm) };
      }),
    },
    gauge: [...values],
  };
}

type Interval = [number, number];

const exactly = (depthMm: number | undefined): Interval | null => (depthMm === undefined ? null : [depthMm, depthMm]);

/** The aggregate is the median, so it has the interval of the grooves in the middle. */
function middleInterval(depthsMm: readonly number[], intervals: readonly Interval[]): Interval {
  const order = depthsMm.map((_, index) => index).toSorted((a, b) => depthsMm[a]! - depthsMm[b]!);
  const middle = order.length / 2;
  const [one, other] = [intervals[order[Math.ceil(middle) - 1]!]!, intervals[order[Math.floor(middle)]!]!];
  return [roundDepth((one[0] + other[0]) / 2, 2), roundDepth((one[1] + other[1]) / 2, 2)];
}
