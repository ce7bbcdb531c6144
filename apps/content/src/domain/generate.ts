import type { Content, ContentSection, ContentTire } from '@tire/contracts';
import type { SectionText } from './copy';
import { findings, type Findings } from './findings';
import { generationOf, type Generation } from './registry';
import { readSource, type Snapshot } from './source';
import { newTireDistanceM } from './braking';
import { isUneven } from './wear-pattern';

export interface GeneratedContent {
  readonly content: Content;
  /** What in the source could not be believed: for the log. */
  readonly faults: readonly string[];
}

const TIRE_INDEX = { front_left: 'T1', front_right: 'T2', rear_left: 'T3', rear_right: 'T4' } as const;

/** Same snapshot, same revision id: same content. No clock, no randomness. */
export function generateContent(
  snapshot: Snapshot,
  contentRevision: string,
  publicApiUrl: string,
  generation: Generation = generationOf(snapshot.generator, snapshot.content_profile.locale),
): GeneratedContent {
  const source = readSource(snapshot, generation.ruleset);
  const found = findings(source, snapshot.creation.mode, generation.ruleset);
  const report = `${publicApiUrl}/reports/${snapshot.report_id}`;
  const content: Content = {
    schema_version: 'report-content.v1',
    report_id: snapshot.report_id,
    status: 'ready',
    content_revision: contentRevision,
    content_profile: snapshot.content_profile,
    generator: snapshot.generator,
    source: { report_schema_version: 'report.v1', analysis_revision: snapshot.analysis_revision },
    generated_at: snapshot.completed_at,
    report_context: {
      plate_number: snapshot.vehicle.plate_number,
      inspected_at: snapshot.created_at,
      template_key: snapshot.template.key,
    },
    overall: overall(found, generation),
    tires: found.tires.map((tire) => contentTire(tire, found, generation)),
    sections: sections(found, generation),
    render_data: generation.projection.project(source),
    error: null,
    links: { self: `${report}/content`, canonical: `${report}/content/${contentRevision}`, report },
  };
  return { content, faults: source.faults };
}

function overall(found: Findings, { copy }: Generation): NonNullable<Content['overall']> {
  const { headline, paragraphs } = copy.overall(found);
  return { severity: found.severity, severity_label: copy.severityLabel(found.severity), headline, paragraphs: [...paragraphs] };
}

function contentTire(tire: Findings['tires'][number], found: Findings, { copy }: Generation): ContentTire {
  const text = copy.tire(tire, found);
  return {
    slot_id: tire.slotId,
    tire_index: TIRE_INDEX[tire.position],
    position: tire.position,
    position_label: text.positionLabel,
    minimum_remaining_depth_mm: tire.minimumDepthMm,
    severity: tire.severity,
    severity_label: copy.severityLabel(tire.severity),
    decision_label: text.decisionLabel,
    wear_pattern: tire.wear &&
      text.wear && { code: tire.wear.code, worn_shoulder: wornShoulder(tire), label: text.wear.label, description: text.wear.description },
    narrative: text.narrative,
  };
}

/** Left or right of the vehicle: the outside of a left tire is left. */
function wornShoulder({ position, wear }: Findings['tires'][number]): 'left' | 'right' | null {
  if (!wear || wear.wornSide === null || !isUneven(wear.code)) return null;
  return position.endsWith('left') === (wear.wornSide === 'outside') ? 'left' : 'right';
}

function sections(found: Findings, { copy }: Generation): ContentSection[] {
  const { ruleset, braking, wear, axle, sidewall } = found;
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
      metrics: {
        reference_speed_kmh: ruleset.braking.speedKmh,
        new_tire_distance_m: newTireDistanceM(ruleset),
        current_tire_distance_m: braking?.currentTireDistanceM ?? null,
        distance_gap_m: braking?.gapM ?? null,
        distance_gap_car_lengths: braking?.gapCarLengths ?? null,
        speed_at_new_tire_stop_kmh: braking?.speedAtNewTireStopKmh ?? null,
        ...(ruleset.braking.withGapPercent ? { distance_gap_percent: braking?.gapPercent ?? null } : {}),
        band: braking?.band ?? null,
      },
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
      },
    });
  }
  return all;
}
