import type { Content, ContentTire } from '@tire/contracts/api';
import { readSource, type Snapshot } from '../source/source';
import { findings, type Findings } from '../verdicts/findings';
import { isUneven } from '../verdicts/wear-pattern';
import { generationOf, type Generation } from '../versions/registry';
import { sections } from './sections';

export interface GeneratedContent {
  readonly content: Content;
  /** Parts of the source that are not plausible, for the log. */
  readonly faults: readonly string[];
}

const TIRE_INDEX = { front_left: 'T1', front_right: 'T2', rear_left: 'T3', rear_right: 'T4' } as const;

/** The same snapshot and revision id give the same content: no clock, no randomness. */
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
    ...(found.ruleset.doubt ? doubtsOf(tire) : {}),
  };
}

/** The fields that exist from ruleset 2.0 on. */
function doubtsOf({ intervalMm, certainty, bald, unseen, remainingKm, sharedWith, ageAdvice }: Findings['tires'][number]) {
  return {
    depth_interval_mm: intervalMm && pair(intervalMm),
    certainty,
    bald: bald && { worn_smooth: bald.wornSmooth, share_of_width: bald.shareOfWidth, places: [...bald.places] },
    unseen_parts: [...unseen],
    remaining_distance_km: remainingKm && pair(remainingKm),
    same_image_slot_ids: [...(sharedWith?.slotIds ?? [])],
    age_advice: ageAdvice,
  };
}

const pair = ([low, high]: readonly [number, number]): [number, number] => [low, high];

/** Left or right of the vehicle: the outside of a left tire is left. */
function wornShoulder({ position, wear }: Findings['tires'][number]): 'left' | 'right' | null {
  if (!wear || wear.wornSide === null || !isUneven(wear.code)) return null;
  return position.endsWith('left') === (wear.wornSide === 'outside') ? 'left' : 'right';
}
