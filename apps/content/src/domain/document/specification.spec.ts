import { Content } from '@tire/contracts/api';
import { generateContent } from './generate';
import { CASES as CASES_1 } from '../goldens/cases.fixture';
import { CASES_2_0 } from '../goldens/cases-2.0.fixture';
import { API_URL, type Car, CONTENT_REVISION, snapshotOf } from '../fixtures/snapshot.fixture';

/** The tables of the content chapter of the specification, row by row, for the report of every golden in Korean. */

const CASES: Readonly<Record<string, Car>> = {
  ...CASES_1,
  ...Object.fromEntries(Object.entries(CASES_2_0).map(([name, car]) => [`2.0-${name}`, car])),
};

const issued = (name: string): Content => Content.parse(generateContent(snapshotOf(CASES[name]!), CONTENT_REVISION, API_URL).content);
const REPORTS = Object.keys(CASES).map((name) => ({ name, content: issued(name) }));
const under = (prefix: string) => REPORTS.filter(({ name }) => name.replace('2.0-', '').startsWith(prefix)).map(({ content }) => content);
const sectionOf = (content: Content, id: string) => content.sections.find(({ section_id }) => section_id === id);

/** Everything found under a path like `sections[].metrics`; undefined where a field that must be there is not. */
function found(value: unknown, path: string): unknown[] {
  return path.split('.').reduce<unknown[]>(
    (parents, step) =>
      parents.flatMap((parent) => {
        const child = (parent as Record<string, unknown> | null)?.[step.replace('[]', '')];
        return step.endsWith('[]') && Array.isArray(child) ? (child as unknown[]) : [child];
      }),
    [value],
  );
}

const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const DATE_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const URI = expect.stringMatching(/^https:\/\/\S+$/);
const TEXT = expect.stringMatching(/\S/);
const NUMBER = expect.any(Number);
const TEXTS = expect.arrayContaining([TEXT]);
const ARRAY = expect.any(Array);
const OBJECT = expect.any(Object);

const SEVERITY = ['good', 'caution', 'critical', 'unknown'];
const CODES = [
  'even_wear',
  'center_wear_overinflation_candidate',
  'both_shoulder_wear_underinflation_candidate',
  'one_shoulder_wear_alignment_candidate',
  'mixed_or_uncertain',
];

type Row = readonly [field: string, oneOf: readonly unknown[]];

/** Each value matches the row, and each alternative of the row occurs in some report. */
function rows(root: string, table: readonly Row[]): void {
  it.each(table)(`${root}%s`, (field, oneOf) => {
    const values = REPORTS.flatMap(({ content }) => found(content, `${root}${field}`));
    const left = values.filter((value) => !oneOf.some((expected) => matches(value, expected)));
    expect(left).toStrictEqual([]);
    expect(oneOf.filter((expected) => !values.some((value) => matches(value, expected)))).toStrictEqual([]);
  });
}

const matches = (value: unknown, expected: unknown): boolean =>
  typeof expected === 'object' && expected !== null && 'asymmetricMatch' in expected
    ? (expected as { asymmetricMatch(value: unknown): boolean }).asymmetricMatch(value)
    : JSON.stringify(value) === JSON.stringify(expected);

describe('Content (report-content.v1), response of GET /reports/{id}/content', () => {
  rows('', [
    ['schema_version', ['report-content.v1']],
    ['report_id', [UUID]],
    ['status', ['ready']],
    ['content_revision', [UUID]],
    ['content_profile.key', ['tire-standard']],
    ['content_profile.version', ['1.0']],
    ['content_profile.locale', ['ko-KR']],
    ['generator.ruleset_version', ['1.0', '1.1', '2.0']],
    ['generator.copy_version', ['1.0', '2.0']],
    ['generator.projection_version', ['1.0', '2.0']],
    ['source.report_schema_version', ['report.v1']],
    ['source.analysis_revision', [UUID]],
    ['generated_at', [DATE_TIME]],
    ['report_context.plate_number', [TEXT, null]],
    ['report_context.inspected_at', [DATE_TIME]],
    ['report_context.template_key', ['tire_4t_2s', 'tire_4t_4s', 'tire_4t_0s']],
    ['overall', [OBJECT]],
    ['overall.severity', SEVERITY],
    ['overall.severity_label', ['양호', '주의', '위험', '확인 불가']],
    ['overall.headline', [TEXT]],
    ['overall.paragraphs', [TEXTS]],
    ['tires', [ARRAY]],
    ['sections', [ARRAY]],
    ['render_data', [OBJECT]],
    ['error', [null]],
    ['links.self', [URI]],
    ['links.canonical', [URI]],
    ['links.report', [URI]],
  ]);

  it.each(['pending', 'failed'])(
    'when %s, content_revision, generated_at, overall and links.canonical are null and the arrays empty',
    (status) => {
      const content = issued('good-used-tires');
      const error = status === 'failed' ? { code: 'content_source_incomplete', retryable: false } : null;
      const none = {
        ...content,
        status,
        error,
        content_revision: null,
        generated_at: null,
        overall: null,
        tires: [],
        sections: [],
        render_data: { tread_overlays: [], sidewall_specs: [] },
        links: { ...content.links, canonical: null },
      };
      expect(Content.safeParse(none).success).toBe(true);
      const parts = ['content_revision', 'generated_at', 'overall', 'tires', 'sections', 'render_data', 'links'] as const;
      expect(parts.filter((part) => Content.safeParse({ ...none, [part]: content[part] }).success)).toEqual([]);
    },
  );
});

const DECISIONS_1 = ['계속 사용 가능', '교체 준비 권장', '정비소 점검 권장', '즉시 교체 필요', '재촬영 필요', '촬영 필요', '측정 필요'];
const DECISIONS_2 = [
  '홈 깊이 충분',
  '교체 상담 권장',
  '게이지로 확인 권장',
  '트레드 전체 확인 권장',
  '교체 필요 가능성 높음',
  '즉시 점검 필요',
];

describe('tires[]', () => {
  rows('tires[].', [
    ['slot_id', ['tire.tread.front_left', 'tire.tread.front_right', 'tire.tread.rear_left', 'tire.tread.rear_right']],
    ['tire_index', ['T1', 'T2', 'T3', 'T4']],
    ['position', ['front_left', 'front_right', 'rear_left', 'rear_right']],
    ['position_label', ['앞 왼쪽', '앞 오른쪽', '뒤 왼쪽', '뒤 오른쪽']],
    ['minimum_remaining_depth_mm', [NUMBER, null]],
    ['severity', SEVERITY],
    ['severity_label', ['양호', '주의', '위험', '확인 불가']],
    ['decision_label', [...DECISIONS_1, ...DECISIONS_2]],
    ['wear_pattern', [OBJECT, null]],
    ['narrative', [TEXT]],
  ]);

  const patterns = REPORTS.flatMap(({ content }) => content.tires.flatMap(({ wear_pattern }) => (wear_pattern ? [wear_pattern] : [])));

  it('tires[].wear_pattern.code', () => {
    expect(new Set(patterns.map(({ code }) => code))).toEqual(new Set(CODES));
  });

  it('tires[].wear_pattern.worn_shoulder: left or right for one-shoulder wear, null where the side is unknown, otherwise null', () => {
    const sides = (oneShoulder: boolean) =>
      new Set(
        patterns
          .filter(({ code }) => (code === 'one_shoulder_wear_alignment_candidate') === oneShoulder)
          .map(({ worn_shoulder }) => worn_shoulder),
      );
    expect(sides(true)).toEqual(new Set(['left', 'right', null]));
    expect(sides(false)).toEqual(new Set([null]));
  });

  it.each(['label', 'description'] as const)('tires[].wear_pattern.%s', (field) => {
    expect(patterns.filter((pattern) => pattern[field].trim() === '')).toEqual([]);
  });

  it('has T1 to T4, once each and in order', () => {
    expect(new Set(REPORTS.map(({ content }) => content.tires.map(({ tire_index }) => tire_index).join()))).toEqual(
      new Set(['T1,T2,T3,T4']),
    );
  });
});

const ADDED_IN_2_0: Readonly<Record<string, readonly string[]>> = {
  braking_distance: ['current_tire_distance_range_m', 'farthest_band', 'distance_is_at_least'],
  sidewall_spec: ['mixed_axles', 'diameter_difference_percent'],
};

describe('sections[]', () => {
  rows('sections[].', [
    ['section_id', ['tread_wear', 'braking_distance', 'wear_pattern', 'position_variance', 'sidewall_spec']],
    ['order', [1, 2, 3, 4, 5]],
    ['title', ['트레드 마모', '빗길 제동거리', '편마모', '마모 형태', '좌우 마모 차이', '타이어 규격']],
    ['severity', SEVERITY],
    ['badge_label', [TEXT, null]],
    ['paragraphs', [TEXTS]],
    ['metrics', [OBJECT]],
  ]);

  it('ascends in order', () => {
    for (const { content } of REPORTS)
      expect(content.sections.map(({ order }) => order)).toEqual(content.sections.map((_section, index) => index + 1));
  });

  it.each([
    ['tread_wear', ['minimum_remaining_depth_mm', 'legal_limit_mm', 'inspection_threshold_mm']],
    [
      'braking_distance',
      [
        'reference_speed_kmh',
        'new_tire_distance_m',
        'current_tire_distance_m',
        'distance_gap_m',
        'distance_gap_car_lengths',
        'speed_at_new_tire_stop_kmh',
        'distance_gap_percent',
        'band',
      ],
    ],
    ['wear_pattern', ['affected_tire_count', 'codes']],
    ['position_variance', ['front_axle_delta_mm', 'rear_axle_delta_mm', 'max_axle_delta_mm']],
    ['sidewall_spec', ['recognized_count', 'front_spec', 'rear_spec', 'front_rear_match']],
  ])('metrics keys of %s', (id, keys) => {
    for (const { name, content } of REPORTS) {
      const section = sectionOf(content, id);
      const issued = name.startsWith('ruleset-1.0') ? keys.filter((key) => key !== 'distance_gap_percent') : keys;
      const added = name.startsWith('2.0-') ? (ADDED_IN_2_0[id] ?? []) : [];
      if (section) expect(Object.keys(section.metrics)).toEqual([...issued, ...added]);
    }
  });

  it('rule 1: a manual report has no wear_pattern section and every tires[].wear_pattern is null', () => {
    expect(under('manual').length).toBeGreaterThan(0);
    for (const content of under('manual')) {
      expect(sectionOf(content, 'wear_pattern')).toBeUndefined();
      expect(content.tires.map(({ wear_pattern }) => wear_pattern)).toEqual([null, null, null, null]);
    }
  });

  it.each([
    ['template-4t-2s', 5, 2],
    ['template-4t-4s', 5, 4],
    ['template-4t-0s', 4, 0],
  ])('rule 2: %s has %i sections', (name, sections, sidewalls) => {
    const content = issued(name);
    expect(content.sections).toHaveLength(sections);
    expect(sectionOf(content, 'sidewall_spec') === undefined).toBe(sidewalls === 0);
    expect(content.render_data.sidewall_specs).toHaveLength(sidewalls);
  });

  it('rule 3: distance_gap_m is the difference of the two distances', () => {
    const known = REPORTS.flatMap(({ content }) => {
      const section = content.sections.find((one) => one.section_id === 'braking_distance');
      return section && section.metrics.distance_gap_m !== null ? [section.metrics] : [];
    });
    expect(known.length).toBeGreaterThan(0);
    for (const { new_tire_distance_m, current_tire_distance_m, distance_gap_m } of known)
      expect(current_tire_distance_m! - new_tire_distance_m!).toBeCloseTo(distance_gap_m!, 9);
  });

  it('rule 4: wear_pattern.code selects the illustration; no other resource is named', () => {
    for (const { content } of REPORTS) expect(JSON.stringify(content.sections)).not.toMatch(/https?:|\.(?:png|svg|jpe?g)/);
  });
});

describe('render_data', () => {
  rows('render_data.tread_overlays[].', [
    ['slot_id', ['tire.tread.front_left', 'tire.tread.front_right', 'tire.tread.rear_left', 'tire.tread.rear_right']],
    ['asset', [OBJECT]],
    ['tire_rotation', [90, null]],
    ['vehicle_side', ['right', null]],
    ['remaining_depths_mm', [ARRAY]],
    ['groove_masks', [ARRAY]],
    ['tread_roi', [OBJECT, null]],
    ['coordinate_system.space', ['input_image_normalized']],
    ['coordinate_system.origin', ['top_left']],
    ['coordinate_system.x_range', [[0, 1]]],
    ['coordinate_system.y_range', [[0, 1]]],
    ['coordinate_system.rotation_degrees_clockwise', [90, 0]],
    ['coordinate_system.mirror_x', [true, false]],
    ['coordinate_system.image_orientation_normalized', [false]],
    ['coordinate_system.mask_depth_order', ['same_index']],
  ]);

  rows('render_data.sidewall_specs[].', [
    ['slot_id', ['tire.sidewall.front_left', 'tire.sidewall.front_right', 'tire.sidewall.rear_left', 'tire.sidewall.rear_right']],
    ['asset', [OBJECT]],
    ['size', [expect.objectContaining({ section_width: NUMBER, aspect_ratio: NUMBER, rim_diameter: NUMBER }), null]],
    ['recognized', [true, false]],
  ]);

  it('has one overlay per tread slot and one spec per sidewall slot with a registered asset, the same asset', () => {
    for (const name of Object.keys(CASES)) {
      const { slots } = snapshotOf(CASES[name]!);
      const assets = (type: string) =>
        slots.flatMap(({ slot_id, slot, asset }) => (asset && slot.image_type === type ? [{ slot_id, asset }] : []));
      const { tread_overlays, sidewall_specs } = issued(name).render_data;
      expect(tread_overlays.map(({ slot_id, asset }) => ({ slot_id, asset }))).toEqual(assets('tread'));
      expect(sidewall_specs.map(({ slot_id, asset }) => ({ slot_id, asset }))).toEqual(assets('sidewall'));
    }
  });

  it('has depths and masks of the same index, as in the report', () => {
    for (const { content } of REPORTS)
      for (const { remaining_depths_mm, groove_masks } of content.render_data.tread_overlays) {
        const isExact = content.generator.projection_version === '2.0';
        expect(groove_masks.map(({ depth_mm }) => (isExact ? depth_mm : Math.round(depth_mm! * 10) / 10))).toEqual(remaining_depths_mm);
      }
  });
});
