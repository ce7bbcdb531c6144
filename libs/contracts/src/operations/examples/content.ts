import { POSITIONS, slotId, type Position } from '@tire/kernel';
import type { Content, ContentTire } from '../../api';
import { ANALYSIS_REVISION, COMPLETED_AT, CONTENT_REVISION, CREATED_AT, REPORT_ID, asset, self } from './story';
import { depthsMm, tread } from './tread';

const POSITION_LABELS: Record<Position, string> = {
  front_left: '앞 왼쪽',
  front_right: '앞 오른쪽',
  rear_left: '뒤 왼쪽',
  rear_right: '뒤 오른쪽',
};

const contentTire = (position: Position): ContentTire => ({
  slot_id: slotId({ position, image_type: 'tread' }),
  tire_index: (['T1', 'T2', 'T3', 'T4'] as const)[POSITIONS.indexOf(position)]!,
  position,
  position_label: POSITION_LABELS[position],
  minimum_remaining_depth_mm: 5,
  severity: 'good',
  severity_label: '양호',
  decision_label: '홈 깊이 충분',
  wear_pattern: { code: 'even_wear', worn_shoulder: null, label: '고른 마모', description: '측정된 홈들의 깊이가 고릅니다.' },
  narrative: `${POSITION_LABELS[position]} 타이어의 최소 홈 깊이는 약 5.0mm (4.5~5.5mm)로 측정되었습니다. 권장 기준(3.0mm)보다 깊습니다.`,
  depth_interval_mm: [4.5, 5.5],
  certainty: 'sure',
  bald: null,
  unseen_parts: [],
  remaining_distance_km: [24_000, 33_000],
  same_image_slot_ids: [],
  age_advice: null,
});

const frame = (status: Content['status']): Content => ({
  schema_version: 'report-content.v1',
  report_id: REPORT_ID,
  status,
  content_revision: null,
  content_profile: { key: 'tire-standard', version: '1.0', locale: 'ko-KR' },
  generator: { ruleset_version: '2.0', copy_version: '2.0', projection_version: '2.0' },
  source: { report_schema_version: 'report.v1', analysis_revision: status === 'pending' ? null : ANALYSIS_REVISION },
  generated_at: null,
  report_context: { plate_number: '12가 3456', inspected_at: CREATED_AT, template_key: 'tire_4t_0s' },
  overall: null,
  tires: [],
  sections: [],
  render_data: { tread_overlays: [], sidewall_specs: [] },
  error: status === 'failed' ? { code: 'content_source_incomplete', retryable: false } : null,
  links: { self: `${self}/content`, canonical: null, report: self },
});

export const pendingContentExample = frame('pending');
export const failedContentExample = frame('failed');
const good = { severity: 'good' as const, badge_label: '양호' };

export const readyContentExample: Content = {
  ...frame('ready'),
  content_revision: CONTENT_REVISION,
  generated_at: COMPLETED_AT,
  overall: {
    severity: 'good',
    severity_label: '양호',
    headline: '타이어의 홈 깊이가 충분합니다.',
    paragraphs: ['네 타이어 모두 홈 깊이가 권장 기준(3.0mm)보다 깊은 것으로 측정되었습니다.'],
  },
  tires: POSITIONS.map(contentTire),
  sections: [
    {
      section_id: 'tread_wear',
      order: 1,
      title: '트레드 마모',
      ...good,
      paragraphs: [
        '네 타이어 중 가장 얕은 홈 깊이는 약 5.0mm (4.5~5.5mm)로 측정되었습니다.',
        '네 타이어 모두 권장 기준(3.0mm)보다 깊은 것으로 측정되었습니다.',
      ],
      metrics: { minimum_remaining_depth_mm: 5, legal_limit_mm: 1.6, inspection_threshold_mm: 3 },
    },
    {
      section_id: 'braking_distance',
      order: 2,
      title: '빗길 제동거리',
      severity: 'good',
      badge_label: '새 타이어와 비슷',
      paragraphs: [
        '젖은 노면에서 시속 100km로 달리다 급제동하면, 새 타이어는 약 47.2m, 현재 타이어는 약 48.7~49.8m에서 멈추는 것으로 추정됩니다.',
        '차이는 약 1.5~2.6m입니다.',
        '홈이 가장 얕은 타이어를 기준으로 계산했습니다.',
        '추정치이며 노면, 차량, 운전 조건에 따라 달라질 수 있습니다.',
      ],
      metrics: {
        reference_speed_kmh: 100,
        new_tire_distance_m: 47.2,
        current_tire_distance_m: 49.1,
        distance_gap_m: 1.9,
        distance_gap_car_lengths: 0.4,
        speed_at_new_tire_stop_kmh: 19.8,
        distance_gap_percent: 4,
        band: 'short',
        current_tire_distance_range_m: [48.7, 49.8],
        farthest_band: 'short',
        distance_is_at_least: false,
      },
    },
    {
      section_id: 'wear_pattern',
      order: 3,
      title: '마모 형태',
      ...good,
      paragraphs: ['네 타이어 모두 고르게 닳은 것으로 보입니다.'],
      metrics: { affected_tire_count: 0, codes: [] },
    },
    {
      section_id: 'position_variance',
      order: 4,
      title: '좌우 마모 차이',
      ...good,
      paragraphs: ['앞바퀴의 좌우 최소 홈 깊이는 같게 측정되었습니다.', '뒷바퀴의 좌우 최소 홈 깊이는 같게 측정되었습니다.'],
      metrics: { front_axle_delta_mm: 0, rear_axle_delta_mm: 0, max_axle_delta_mm: 0 },
    },
  ],
  render_data: {
    tread_overlays: POSITIONS.map((position) => ({
      slot_id: slotId({ position, image_type: 'tread' }),
      asset: asset(position),
      tire_rotation: tread.tire_rotation,
      vehicle_side: tread.vehicle_side,
      remaining_depths_mm: [...depthsMm],
      groove_masks: tread.groove_masks,
      tread_roi: tread.tread_roi,
      bald_zones: tread.bald_zones,
      unseen_parts: tread.unseen_parts,
      coordinate_system: {
        space: 'input_image_normalized',
        origin: 'top_left',
        x_range: [0, 1],
        y_range: [0, 1],
        rotation_degrees_clockwise: 0,
        mirror_x: position === 'front_right' || position === 'rear_right',
        image_orientation_normalized: false,
        mask_depth_order: 'same_index',
      },
    })),
    sidewall_specs: [],
  },
  links: { ...frame('ready').links, canonical: `${self}/content/${CONTENT_REVISION}` },
};
