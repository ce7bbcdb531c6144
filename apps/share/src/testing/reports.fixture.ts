import type { Content, ContentSection, ContentTire } from '@tire/contracts/api';
import { contentFixture } from '../page/content.fixture';
import { WORDS, type Locale, type Sentences } from './sentences.fixture';

/** Documents with every fact of ruleset 2.0, in both languages. Their texts are shorter than real ones. */
export const REPORT_NAMES = ['good', 'worn', 'bald', 'unsure', 'mixed-sizes'] as const;
export type ReportName = (typeof REPORT_NAMES)[number];
export const LOCALES = ['ko-KR', 'en-US'] as const;

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;
type Position = (typeof POSITIONS)[number];

interface Facts {
  readonly depthMm: number | null;
  readonly interval: [number, number] | null;
  readonly severity: ContentTire['severity'];
  readonly certainty: ContentTire['certainty'];
  readonly bald?: ContentTire['bald'];
}

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

const SIZES = {
  usual: { section_width: 225, aspect_ratio: 45, rim_diameter: 17 },
  other: { section_width: 205, aspect_ratio: 55, rim_diameter: 16 },
};
const BRAKING: Record<ReportName, [current: number, low: number, high: number]> = {
  good: [48.6, 47.9, 49.8],
  worn: [82.4, 74.1, 88.3],
  bald: [55.1, 53.2, 57.9],
  unsure: [71.3, 66, 77.5],
  'mixed-sizes': [48.6, 47.9, 49.8],
};
const NEW_M = 47.2;

const id = (number: number): string => `01999000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const source = { kind: 'atrace_upload', url: null, client_asset_id: null } as const;

/** The assets of the fixtures by what they show, for servers of images. */
export const isSidewall = (assetId: string): boolean => Number(assetId.slice(-12)) >= 200;

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

function sections(words: Sentences, name: ReportName, facts: readonly Facts[]): ContentSection[] {
  const depths = facts.flatMap(({ depthMm }) => depthMm ?? []);
  const lowest = Math.min(...depths);
  const [current, low, high] = BRAKING[name];
  const mixed = name === 'mixed-sizes';
  const tread = name === 'worn' || name === 'bald' ? 'critical' : name === 'unsure' ? 'caution' : 'good';
  const titled = (index: number) => ({ order: index + 1, title: words.titles[index]!, paragraphs: [words.paragraphs[index]!] });
  const missing = facts.some(({ depthMm }) => depthMm === null);
  const partly = { severity: 'unknown', badge_label: words.partly } as const;
  const good = { severity: 'good', badge_label: words.severity.good } as const;
  return [
    {
      ...titled(0),
      section_id: 'tread_wear',
      severity: tread,
      badge_label: words.severity[tread],
      metrics: { minimum_remaining_depth_mm: lowest, legal_limit_mm: 1.6, inspection_threshold_mm: 3 },
    },
    {
      ...titled(1),
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
    {
      ...titled(2),
      section_id: 'wear_pattern',
      ...(missing ? partly : good),
      metrics: { affected_tire_count: 0, codes: facts.map(({ depthMm }) => (depthMm === null ? 'mixed_or_uncertain' : 'even_wear')) },
    },
    {
      ...titled(3),
      section_id: 'position_variance',
      ...(missing ? partly : good),
      metrics: {
        front_axle_delta_mm: name === 'bald' ? null : 0.2,
        rear_axle_delta_mm: name === 'unsure' ? null : 0.2,
        max_axle_delta_mm: 0.2,
      },
    },
    {
      ...titled(4),
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

/** Grooves and edges of `tire.jpg`, which lean to the right. */
const LEAN = 0.143;
const strip = (left: number, width: number): [number, number][] => [
  [left, 0],
  [left + width, 0],
  [left + width + LEAN, 1],
  [left + LEAN, 1],
];
const GROOVES = [0.193, 0.342, 0.487, 0.632];

function overlay(position: Position, index: number, { depthMm, bald }: Facts): Content['render_data']['tread_overlays'][number] {
  const center = bald?.worn_smooth === false;
  const known = index % 2 === 0;
  const depths = depthMm === null ? [] : (center ? [0, 3] : [0, 1, 2, 3]).map((groove) => depthMm + 0.24 * (groove % 3));
  const zone = (from: number, to: number, place: 'center' | 'whole') => ({
    place,
    from_share: from,
    to_share: to,
    polygon_xy_norm: strip(0.045 + 0.77 * from, 0.77 * (to - from)),
  });
  return {
    slot_id: `tire.tread.${position}`,
    asset: { asset_id: id(100 + index), source },
    tire_rotation: 0,
    vehicle_side: known ? 'right' : null,
    remaining_depths_mm: depths,
    groove_masks: depths.map((depth, at) => ({
      depth_mm: depth,
      score: 0.9,
      polygon_xy_norm: strip(GROOVES[center ? at * 3 : at]!, 0.034),
      depth_interval_mm: [Math.max(0, depth - 0.5), depth + 0.5],
    })),
    tread_roi: null,
    bald_zones: bald
      ? {
          share_of_width: bald.share_of_width,
          worn_smooth: bald.worn_smooth,
          zones: [bald.worn_smooth ? zone(0, 1, 'whole') : zone(0.36, 0.64, 'center')],
        }
      : null,
    coordinate_system: {
      space: 'input_image_normalized',
      origin: 'top_left',
      x_range: [0, 1],
      y_range: [0, 1],
      rotation_degrees_clockwise: 0,
      mirror_x: false,
      image_orientation_normalized: false,
      mask_depth_order: 'same_index',
    },
  };
}

const AGES_MONTHS = [26, 26, 80, 131];

function sidewall(position: Position, index: number, name: ReportName): Content['render_data']['sidewall_specs'][number] {
  const age_months = AGES_MONTHS[index]!;
  return {
    slot_id: `tire.sidewall.${position}`,
    asset: { asset_id: id(200 + index), source },
    size: name === 'mixed-sizes' && index === 0 ? SIZES.other : SIZES.usual,
    recognized: true,
    size_polygon_xy_norm: [
      [0.61, 0.13],
      [0.64, 0.09],
      [0.76, 0.15],
      [0.85, 0.26],
      [0.79, 0.29],
    ],
    load_index: 91,
    manufactured:
      name === 'good' && index < 2
        ? { week: 23, year: 2024, age_months }
        : { week: 40, year: 2026 - Math.round(age_months / 12), age_months },
    brand: index === 0 ? 'Hankook' : null,
  };
}
