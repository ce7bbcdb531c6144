import type { Content, ContentTire } from '@tire/contracts/api';

export const REPORT_NAMES = ['good', 'worn', 'bald', 'unsure', 'mixed-sizes'] as const;
export type ReportName = (typeof REPORT_NAMES)[number];

export const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;
export type Position = (typeof POSITIONS)[number];

export interface Facts {
  readonly depthMm: number | null;
  readonly interval: [number, number] | null;
  readonly severity: ContentTire['severity'];
  readonly certainty: ContentTire['certainty'];
  readonly bald?: ContentTire['bald'];
}

const SIZES = {
  usual: { section_width: 225, aspect_ratio: 45, rim_diameter: 17 },
  other: { section_width: 205, aspect_ratio: 55, rim_diameter: 16 },
};

const id = (number: number): string => `01999000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const source = { kind: 'atrace_upload', url: null, client_asset_id: null } as const;

/** The assets of the fixtures by what they show, for servers of images. */
export const isSidewall = (assetId: string): boolean => Number(assetId.slice(-12)) >= 200;

/** Grooves and edges of `tire.jpg`, which lean to the right. */
const LEAN = 0.143;
const strip = (left: number, width: number): [number, number][] => [
  [left, 0],
  [left + width, 0],
  [left + width + LEAN, 1],
  [left + LEAN, 1],
];
const GROOVES = [0.193, 0.342, 0.487, 0.632];

export function overlay(position: Position, index: number, { depthMm, bald }: Facts): Content['render_data']['tread_overlays'][number] {
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

export function sidewall(position: Position, index: number, name: ReportName): Content['render_data']['sidewall_specs'][number] {
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
