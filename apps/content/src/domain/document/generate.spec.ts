import { Content, type ReportSlot } from '@tire/contracts/api';
import { generateContent } from './generate';
import { API_URL, type Car, CONTENT_REVISION, even, FIXTURE_IDS, snapshotOf } from '../fixtures/snapshot.fixture';

const generate = (car: Car) => Content.parse(generateContent(snapshotOf(car), CONTENT_REVISION, API_URL).content);
const sectionOf = (content: Content, id: string) => content.sections.find(({ section_id }) => section_id === id);
const SIZE = [225, 45, 17] as const;

describe('report-content.v1', () => {
  it('names the report, the revisions and the versions it was made with', () => {
    expect(generate({})).toMatchObject({
      schema_version: 'report-content.v1',
      status: 'ready',
      content_revision: CONTENT_REVISION,
      generator: { ruleset_version: '1.1', copy_version: '1.0', projection_version: '1.0' },
      source: { report_schema_version: 'report.v1', analysis_revision: FIXTURE_IDS.analysis },
      generated_at: '2026-10-01T09:00:05.000Z',
      report_context: { plate_number: '12가 3456', inspected_at: '2026-10-01T09:00:00.000Z', template_key: 'tire_4t_0s' },
      error: null,
      links: {
        self: `${API_URL}/reports/${FIXTURE_IDS.report}/content`,
        canonical: `${API_URL}/reports/${FIXTURE_IDS.report}/content/${CONTENT_REVISION}`,
        report: `${API_URL}/reports/${FIXTURE_IDS.report}`,
      },
    });
  });

  it('has five sections in order, four without sidewall, none on wear pattern in a manual report', () => {
    const ids = (car: Car) => [...generate(car).sections].sort((a, b) => a.order - b.order).map(({ section_id }) => section_id);
    const sizes = [SIZE, SIZE, SIZE, SIZE] as const;
    expect(ids({ sizes })).toEqual(['tread_wear', 'braking_distance', 'wear_pattern', 'position_variance', 'sidewall_spec']);
    expect(ids({})).toEqual(['tread_wear', 'braking_distance', 'wear_pattern', 'position_variance']);
    expect(ids({ sizes, mode: 'manual' })).toEqual(['tread_wear', 'braking_distance', 'position_variance', 'sidewall_spec']);
    expect(generate({ mode: 'manual' }).tires.every(({ wear_pattern }) => wear_pattern === null)).toBe(true);
    expect(generate({}).render_data.sidewall_specs).toEqual([]);
  });

  it('judges each tire by its lowest groove and the car by its worst tire', () => {
    const content = generate({ depths: [even(6), [2.71, 3, 3, 3], even(6), [1.64, 2, 2, 2]] });
    expect(
      content.tires.map((tire) => [
        tire.tire_index,
        tire.position_label,
        tire.minimum_remaining_depth_mm,
        tire.severity_label,
        tire.decision_label,
      ]),
    ).toEqual([
      ['T1', '앞 왼쪽', 6, '양호', '계속 사용 가능'],
      ['T2', '앞 오른쪽', 2.7, '주의', '교체 준비 권장'],
      ['T3', '뒤 왼쪽', 6, '양호', '계속 사용 가능'],
      ['T4', '뒤 오른쪽', 1.6, '위험', '즉시 교체 필요'],
    ]);
    expect(content.tires[1]?.narrative).toBe(
      '앞 오른쪽 타이어의 최소 홈 깊이가 2.7mm로 권장 기준(3.0mm)보다 얕습니다. 교체를 준비해 주세요.',
    );
    expect(content.overall).toMatchObject({ severity: 'critical', headline: '즉시 교체가 필요한 타이어가 있습니다.' });
  });

  it('names the side of the car of one-sided wear', () => {
    const worn = [3.5, 4.5, 5.5, 6];
    const inner = [...worn].reverse();
    const content = generate({ depths: [worn, worn, inner, inner] });
    expect(content.tires.map(({ wear_pattern }) => [wear_pattern?.worn_shoulder, wear_pattern?.label])).toEqual([
      ['left', '한쪽 마모 (바깥쪽)'],
      ['right', '한쪽 마모 (바깥쪽)'],
      ['right', '한쪽 마모 (안쪽)'],
      ['left', '한쪽 마모 (안쪽)'],
    ]);
    expect(sectionOf(content, 'wear_pattern')?.metrics).toEqual({
      affected_tire_count: 4,
      codes: ['one_shoulder_wear_alignment_candidate'],
    });
    expect(content.overall?.severity).toBe('caution');
  });

  it('has distance_gap_percent from ruleset 1.1 on', () => {
    const metrics = (rulesetVersion: '1.0' | '1.1') =>
      sectionOf(generate({ depths: [even(3), even(6), even(6), even(6)], rulesetVersion }), 'braking_distance')?.metrics;
    expect(metrics('1.1')).toMatchObject({ distance_gap_percent: 38.8, current_tire_distance_m: 65.5 });
    expect(metrics('1.0')).not.toHaveProperty('distance_gap_percent');
  });

  it('has no values where nothing was measured', () => {
    const content = generate({ depths: [null, null, null, null], sizes: [null, null, null, null] });
    expect(content.overall?.severity).toBe('unknown');
    expect(sectionOf(content, 'braking_distance')?.metrics).toMatchObject({ current_tire_distance_m: null, band: null });
    expect(sectionOf(content, 'position_variance')?.metrics).toEqual({
      front_axle_delta_mm: null,
      rear_axle_delta_mm: null,
      max_axle_delta_mm: null,
    });
    expect(sectionOf(content, 'sidewall_spec')?.metrics).toEqual({
      recognized_count: 0,
      front_spec: null,
      rear_spec: null,
      front_rear_match: null,
    });
    expect(content.tires.every(({ decision_label }) => decision_label === '재촬영 필요')).toBe(true);
  });

  it('turns and flips every tire to the view from above', () => {
    const systems = generate({}).render_data.tread_overlays.map(({ coordinate_system }) => coordinate_system);
    expect(systems.map(({ mirror_x }) => mirror_x)).toEqual([false, true, false, true]);
    expect(systems[0]).toMatchObject({
      rotation_degrees_clockwise: 90,
      space: 'input_image_normalized',
      image_orientation_normalized: false,
    });
  });

  it('ignores slots of a failed analysis', () => {
    const failed = (slot: ReportSlot): ReportSlot => ({ ...slot, analysis: { ...slot.analysis, status: 'failed' } });
    expect(generate({ change: failed }).tires.every(({ severity }) => severity === 'unknown')).toBe(true);
  });
});
