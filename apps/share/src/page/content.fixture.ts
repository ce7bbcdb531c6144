import type { Content, ContentSection, ContentTire, RenderData } from '@tire/contracts/api';

export const FIXTURE_IDS = {
  report: '01999000-0000-7000-8000-000000000001',
  analysis: '01999000-0000-7000-8000-000000000002',
  content: '01999000-0000-7000-8000-000000000003',
  tread: '01999000-0000-7000-8000-000000000004',
  sidewall: '01999000-0000-7000-8000-000000000005',
};

const source = { kind: 'atrace_upload', url: null, client_asset_id: null } as const;

const tire = (
  tire_index: ContentTire['tire_index'],
  position: ContentTire['position'],
  position_label: string,
  depthMm: number | null,
): ContentTire => ({
  slot_id: `tire.tread.${position}`,
  tire_index,
  position,
  position_label,
  minimum_remaining_depth_mm: depthMm,
  severity: depthMm === null ? 'unknown' : 'good',
  severity_label: depthMm === null ? '확인 불가' : '양호',
  decision_label: depthMm === null ? '재촬영 필요' : '계속 사용 가능',
  wear_pattern: { code: 'even_wear', worn_shoulder: null, label: '고른 마모', description: '홈 깊이가 전체적으로 고르게 남아 있습니다.' },
  narrative: `${position_label} 타이어입니다.`,
});

const section: Pick<ContentSection, 'severity' | 'badge_label' | 'paragraphs'> = {
  severity: 'good',
  badge_label: '양호',
  paragraphs: ['문단입니다.'],
};

const SECTIONS: ContentSection[] = [
  {
    ...section,
    section_id: 'braking_distance',
    order: 2,
    title: '빗길 제동거리',
    metrics: {
      reference_speed_kmh: 100,
      new_tire_distance_m: 47.2,
      current_tire_distance_m: 59,
      distance_gap_m: 11.8,
      distance_gap_car_lengths: 2.6,
      speed_at_new_tire_stop_kmh: 44.7,
      band: 'moderate',
    },
  },
  {
    ...section,
    section_id: 'tread_wear',
    order: 1,
    title: '트레드 마모',
    metrics: { minimum_remaining_depth_mm: 4.1, legal_limit_mm: 1.6, inspection_threshold_mm: 3 },
  },
  {
    ...section,
    section_id: 'sidewall_spec',
    order: 5,
    title: '타이어 규격',
    badge_label: null,
    paragraphs: ['앞 타이어 규격은 225/45R17입니다.'],
    metrics: { recognized_count: 1, front_spec: '225/45R17', rear_spec: null, front_rear_match: null },
  },
];

const RENDER_DATA: RenderData = {
  tread_overlays: [
    {
      slot_id: 'tire.tread.front_left',
      asset: { asset_id: FIXTURE_IDS.tread, source },
      tire_rotation: -90,
      vehicle_side: 'left',
      remaining_depths_mm: [6.2, 6.4],
      groove_masks: [
        {
          depth_mm: 6.2,
          score: 0.9,
          polygon_xy_norm: [
            [0.1, 0],
            [0.2, 0],
            [0.15, 1],
          ],
        },
      ],
      tread_roi: null,
      coordinate_system: {
        space: 'input_image_normalized',
        origin: 'top_left',
        x_range: [0, 1],
        y_range: [0, 1],
        rotation_degrees_clockwise: -90,
        mirror_x: true,
        image_orientation_normalized: false,
        mask_depth_order: 'same_index',
      },
    },
  ],
  sidewall_specs: [
    {
      slot_id: 'tire.sidewall.front_left',
      asset: { asset_id: FIXTURE_IDS.sidewall, source },
      size: { section_width: 225, aspect_ratio: 45, rim_diameter: 17 },
      recognized: true,
    },
  ],
};

export function contentFixture(change: Partial<Content> = {}): Content {
  const report = `https://api.example.com/api/v1/reports/${FIXTURE_IDS.report}`;
  return {
    schema_version: 'report-content.v1',
    report_id: FIXTURE_IDS.report,
    status: 'ready',
    content_revision: FIXTURE_IDS.content,
    content_profile: { key: 'tire-standard', version: '1.0', locale: 'ko-KR' },
    generator: { ruleset_version: '1.1', copy_version: '1.0', projection_version: '1.0' },
    source: { report_schema_version: 'report.v1', analysis_revision: FIXTURE_IDS.analysis },
    generated_at: '2026-10-01T09:00:05.000Z',
    report_context: { plate_number: '12가 3456', inspected_at: '2026-10-01T09:00:00.000Z', template_key: 'tire_4t_2s' },
    overall: {
      severity: 'good',
      severity_label: '양호',
      headline: '타이어 상태가 양호합니다.',
      paragraphs: ['계속 사용하실 수 있습니다.'],
    },
    tires: [
      tire('T1', 'front_left', '앞 왼쪽', 6.2),
      tire('T2', 'front_right', '앞 오른쪽', 5.9),
      tire('T3', 'rear_left', '뒤 왼쪽', 4.1),
      tire('T4', 'rear_right', '뒤 오른쪽', null),
    ],
    sections: SECTIONS,
    render_data: RENDER_DATA,
    error: null,
    links: { self: `${report}/content`, canonical: `${report}/content/${FIXTURE_IDS.content}`, report },
    ...change,
  };
}
