import type { Content, ContentSection, ContentTire } from '@tire/contracts/api';
import { contentFixture } from '../page/content.fixture';
import {
  type Facts,
  isSidewall,
  overlay,
  POSITIONS,
  type Position,
  REPORT_NAMES,
  type ReportName,
  sidewall,
} from './images-of-reports.fixture';
import { WORDS, type Locale, type Sentences } from './sentences.fixture';

/** Documents with every fact of ruleset 2.0, in both languages. Their texts are shorter than real ones. */
export { isSidewall, REPORT_NAMES, type ReportName };
export const LOCALES = ['ko-KR', 'en-US'] as const;

const sure = (depthMm: number): Facts => ({
  depthMm,
  interval: [Math.round(depthMm * 10 - 5) / 10, Math.round(depthMm * 10 + 5) / 10],
  severity: depthMm > 3.5 ? 'good' : depthMm > 1.6 ? 'caution' : 'critical',
  certainty: 'sure',
});
const unsure = (depthMm: number, severity: ContentTire['severity'], certainty: ContentTire['certainty']): Facts => ({
  ...sure(depthMm),
  severity,
  certainty,
});
const SMOOTH: Facts = {
  depthMm: null,
  interval: null,
  severity: 'critical',
  certainty: null,
  bald: { worn_smooth: true, share_of_width: 1, places: ['whole'] },
};
const CENTER: Facts = { ...sure(3.8), severity: 'critical', bald: { worn_smooth: false, share_of_width: 0.28, places: ['center'] } };

/** By position, in the order of the tires. */
const FACTS: Record<ReportName, readonly [Facts, Facts, Facts, Facts]> = {
  good: [sure(6.2), sure(6.4), sure(5.9), sure(6.1)],
  worn: [unsure(1.7, 'critical', 'likely'), sure(1), sure(2.6), sure(2.7)],
  bald: [CENTER, SMOOTH, sure(4.2), sure(4.4)],
  unsure: [
    unsure(3.3, 'caution', 'near_limit'),
    unsure(1.9, 'caution', 'near_limit'),
    sure(5.2),
    { depthMm: null, interval: null, severity: 'unknown', certainty: null },
  ],
  'mixed-sizes': [sure(6.2), sure(6.4), sure(5.9), sure(6.1)],
};

const BRAKING: Record<ReportName, [current: number, low: number, high: number]> = {
  good: [48.6, 47.9, 49.8],
  worn: [82.4, 74.1, 88.3],
  bald: [55.1, 53.2, 57.9],
  unsure: [71.3, 66, 77.5],
  'mixed-sizes': [48.6, 47.9, 49.8],
};
const NEW_M = 47.2;

export function reportFixture(name: ReportName, locale: Locale): Content {
  const words = WORDS[locale];
  const facts = FACTS[name];
  const severity =
    (['critical', 'caution', 'unknown'] as const).find((one) => facts.some((fact) => fact.severity === one)) ??
    (name === 'mixed-sizes' ? 'caution' : 'good');
  return contentFixture({
    content_profile: { key: 'tire-standard', version: '2.0', locale },
    generator: { ruleset_version: '2.0', copy_version: '2.0', projection_version: '2.0' },
    overall: { severity, severity_label: words.severity[severity], ...words.overall[name] },
    tires: POSITIONS.map((position, index) => tire(words, position, index, facts[index]!, name)),
    sections: sections(words, name, facts),
    render_data: {
      tread_overlays: POSITIONS.map((position, index) => overlay(position, index, facts[index]!)),
      sidewall_specs: POSITIONS.map((position, index) => sidewall(position, index, name)),
    },
  });
}

function tire(
  words: Sentences,
  position: Position,
  index: number,
  { depthMm, interval, severity, certainty, bald }: Facts,
  name: ReportName,
): ContentTire {
  const key = bald ? (bald.worn_smooth ? 'smooth' : 'bald') : certainty === 'near_limit' || certainty === 'likely' ? certainty : severity;
  return {
    slot_id: `tire.tread.${position}`,
    tire_index: (['T1', 'T2', 'T3', 'T4'] as const)[index]!,
    position,
    position_label: words.positions[index]!,
    minimum_remaining_depth_mm: depthMm,
    severity,
    severity_label: words.severity[severity],
    decision_label: words.tire[key].decision,
    wear_pattern: {
      code: depthMm === null ? 'mixed_or_uncertain' : 'even_wear',
      worn_shoulder: null,
      label: words.wear[depthMm === null ? 1 : 0],
      description: '',
    },
    narrative: words.tire[key].narrative,
    depth_interval_mm: interval,
    certainty: certainty ?? null,
    bald: bald ?? null,
    remaining_distance_km:
      depthMm === null ? null : [Math.max(0, (interval![0] - 1.6) / 1.2) * 10_000, Math.max(0, (interval![1] - 1.6) / 1.2) * 10_000],
    same_image_slot_ids: name === 'unsure' && index > 1 ? [`tire.tread.${POSITIONS[5 - index]!}`] : [],
  };
}

const titled = ({ titles, paragraphs }: Sentences, index: number) => ({
  order: index + 1,
  title: titles[index]!,
  paragraphs: [paragraphs[index]!],
});

function sections(words: Sentences, name: ReportName, facts: readonly Facts[]): ContentSection[] {
  const depths = facts.flatMap(({ depthMm }) => depthMm ?? []);
  const lowest = Math.min(...depths);
  const [current, low, high] = BRAKING[name];
  const tread = name === 'worn' || name === 'bald' ? 'critical' : name === 'unsure' ? 'caution' : 'good';
  return [
    {
      ...titled(words, 0),
      section_id: 'tread_wear',
      severity: tread,
      badge_label: words.severity[tread],
      metrics: { minimum_remaining_depth_mm: lowest, legal_limit_mm: 1.6, inspection_threshold_mm: 3 },
    },
    {
      ...titled(words, 1),
      section_id: 'braking_distance',
      severity: name === 'worn' ? 'critical' : name === 'unsure' ? 'caution' : 'good',
      badge_label: words.bands[current > 60 ? 2 : current > 52 ? 1 : 0]!,
      metrics: {
        reference_speed_kmh: 100,
        new_tire_distance_m: NEW_M,
        current_tire_distance_m: current,
        distance_gap_m: current - NEW_M,
        distance_gap_car_lengths: 1,
        speed_at_new_tire_stop_kmh: 38.4,
        band: current > 60 ? 'long' : current > 52 ? 'moderate' : 'short',
        current_tire_distance_range_m: [low, high],
      },
    },
    ...ofCar(words, name, facts),
  ];
}

function ofCar(words: Sentences, name: ReportName, facts: readonly Facts[]): ContentSection[] {
  const mixed = name === 'mixed-sizes';
  const missing = facts.some(({ depthMm }) => depthMm === null);
  const partly = { severity: 'unknown', badge_label: words.partly } as const;
  const good = { severity: 'good', badge_label: words.severity.good } as const;
  return [
    {
      ...titled(words, 2),
      section_id: 'wear_pattern',
      ...(missing ? partly : good),
      metrics: { affected_tire_count: 0, codes: facts.map(({ depthMm }) => (depthMm === null ? 'mixed_or_uncertain' : 'even_wear')) },
    },
    {
      ...titled(words, 3),
      section_id: 'position_variance',
      ...(missing ? partly : good),
      metrics: {
        front_axle_delta_mm: name === 'bald' ? null : 0.2,
        rear_axle_delta_mm: name === 'unsure' ? null : 0.2,
        max_axle_delta_mm: 0.2,
      },
    },
    {
      ...titled(words, 4),
      section_id: 'sidewall_spec',
      severity: mixed ? 'caution' : 'good',
      badge_label: mixed ? words.sizes[1]! : words.sizes[0]!,
      metrics: {
        recognized_count: 4,
        front_spec: mixed ? null : '225/45R17',
        rear_spec: '225/45R17',
        front_rear_match: mixed ? null : true,
        mixed_axles: mixed ? ['front'] : [],
        diameter_difference_percent: 0,
      },
    },
  ];
}
