import type { ContentSection } from '@tire/contracts/api';
import type { SectionText } from '../copy/copy';
import { newTireDistanceM } from '../verdicts/braking';
import type { Findings } from '../verdicts/findings';
import type { Generation } from '../versions/registry';

/** The sections of a report in their order, each with its text and metrics. */
export function sections(found: Findings, { copy }: Generation): ContentSection[] {
  const { ruleset, wear, axle, sidewall } = found;
  let order = 0;
  const head = ({ title, badge, paragraphs }: SectionText) => ({ order: ++order, title, badge_label: badge, paragraphs: [...paragraphs] });
  const all: ContentSection[] = [
    {
      section_id: 'tread_wear',
      ...head(copy.treadWear(found)),
      severity: found.treadSeverity,
      metrics: {
        minimum_remaining_depth_mm: found.minimumDepthMm,
        legal_limit_mm: ruleset.depth.legalLimitMm,
        inspection_threshold_mm: ruleset.depth.inspectionThresholdMm,
      },
    },
    {
      section_id: 'braking_distance',
      ...head(copy.brakingDistance(found)),
      severity: found.brakingSeverity,
      metrics: brakingMetrics(found),
    },
  ];
  if (wear) {
    all.push({
      section_id: 'wear_pattern',
      ...head(copy.wearPattern(found)),
      severity: wear.severity,
      metrics: { affected_tire_count: wear.affected.length, codes: [...wear.codes] },
    });
  }
  all.push({
    section_id: 'position_variance',
    ...head(copy.positionVariance(found)),
    severity: axle.severity,
    metrics: { front_axle_delta_mm: axle.frontDeltaMm, rear_axle_delta_mm: axle.rearDeltaMm, max_axle_delta_mm: axle.maxDeltaMm },
  });
  if (sidewall) {
    all.push({
      section_id: 'sidewall_spec',
      ...head(copy.sidewallSpec(found)),
      severity: sidewall.severity,
      metrics: {
        recognized_count: sidewall.recognizedCount,
        front_spec: sidewall.frontSpec,
        rear_spec: sidewall.rearSpec,
        front_rear_match: sidewall.frontRearMatch,
        ...(sidewall.axles
          ? { mixed_axles: [...sidewall.axles.mixedAxles], diameter_difference_percent: sidewall.axles.diameterDifferencePercent }
          : {}),
      },
    });
  }
  return all;
}

function brakingMetrics({ ruleset, braking }: Findings): Extract<ContentSection, { section_id: 'braking_distance' }>['metrics'] {
  return {
    reference_speed_kmh: ruleset.braking.speedKmh,
    new_tire_distance_m: newTireDistanceM(ruleset),
    current_tire_distance_m: braking?.currentTireDistanceM ?? null,
    distance_gap_m: braking?.gapM ?? null,
    distance_gap_car_lengths: braking?.gapCarLengths ?? null,
    speed_at_new_tire_stop_kmh: braking?.speedAtNewTireStopKmh ?? null,
    ...(ruleset.braking.withGapPercent ? { distance_gap_percent: braking?.gapPercent ?? null } : {}),
    band: braking?.band ?? null,
    ...(ruleset.doubt
      ? {
          current_tire_distance_range_m: range(braking?.currentTireDistanceRangeM ?? null),
          farthest_band: braking?.farthestBand ?? null,
          distance_is_at_least: braking?.isAtLeast ?? false,
        }
      : {}),
  };
}

const range = (one: readonly [number, number] | null): [number, number] | null => one && [one[0], one[1]];
