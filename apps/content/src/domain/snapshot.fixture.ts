import type { AnalysisRevisionSnapshot, ReportSlot, TreadResult } from '@tire/contracts';
import { NOT_ANALYSED } from './source';

type Position = ReportSlot['slot']['position'];
type Four<T> = readonly [frontLeft: T, frontRight: T, rearLeft: T, rearRight: T];

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;
const COMPLETED_AT = '2026-10-01T09:00:05.000Z';

export const FIXTURE_IDS = { report: '01999000-0000-7000-8000-000000000001', analysis: '01999000-0000-7000-8000-000000000002' };
export const CONTENT_REVISION = '01999000-0000-7000-8000-000000000003';
export const API_URL = 'https://api.example.com/api/v1';

export type Size = readonly [widthMm: number, aspectPercent: number, rimInch: number];
export const NO_PHOTO = 'no photo';
type NotPhotographed = typeof NO_PHOTO;

export interface Car {
  /** Groove depths outside to inside; null for a photo of which nothing could be measured. */
  readonly depths?: Four<readonly number[] | NotPhotographed | null>;
  /** Absent: a template without sidewall. */
  readonly sizes?: Four<Size | NotPhotographed | null>;
  readonly template?: 'tire_4t_2s' | 'tire_4t_4s';
  readonly mode?: 'automatic' | 'manual';
  readonly rulesetVersion?: '1.0' | '1.1';
  readonly confidence?: number | null;
  readonly plate?: string | null;
  readonly change?: (slot: ReportSlot) => ReportSlot;
}

/** Of each tread: the engine cannot tell on which side of the picture the inside of the car lies. */
export const sideUnknown = (slot: ReportSlot): ReportSlot => {
  const { analysis } = slot;
  if (!analysis.result || !('vehicle_side' in analysis.result)) return slot;
  return { ...slot, analysis: { ...analysis, result: { ...analysis.result, vehicle_side: 'unknown' } } };
};

export const even = (depthMm: number): number[] => [depthMm, depthMm, depthMm, depthMm];
const SOUND: Four<number[]> = [even(6), even(6), even(6), even(6)];

export function snapshotOf({
  depths = SOUND,
  sizes,
  template = 'tire_4t_2s',
  mode = 'automatic',
  rulesetVersion = '1.1',
  confidence = 0.9,
  plate = '12가 3456',
  change = (slot) => slot,
}: Car): AnalysisRevisionSnapshot {
  const treads = POSITIONS.map((position, index) => tread(position, depths[index]!, mode, confidence));
  const sidewalls = sizes ? POSITIONS.map((position, index) => sidewall(position, sizes[index]!, mode)) : [];
  const requirement = (imageType: 'tread' | 'sidewall', minimum: number) => ({
    module_type: 'tire' as const,
    image_type: imageType,
    allowed_positions: [...POSITIONS],
    minimum_success_count: minimum,
  });
  return {
    report_id: FIXTURE_IDS.report,
    analysis_revision: FIXTURE_IDS.analysis,
    analysis_status: 'complete',
    completed_at: COMPLETED_AT,
    created_at: '2026-10-01T09:00:00.000Z',
    creation: { source_channel: mode === 'manual' ? 'atrace_console' : 'partner_api', mode },
    vehicle: { plate_number: plate },
    template: {
      key: sizes ? template : 'tire_4t_0s',
      version: '1.0',
      requirements: sizes
        ? [requirement('tread', 4), requirement('sidewall', template === 'tire_4t_2s' ? 2 : 4)]
        : [requirement('tread', 4)],
    },
    content_profile: { key: 'tire-standard', version: '1.0', locale: 'ko-KR' },
    generator: { ruleset_version: rulesetVersion, copy_version: '1.0', projection_version: '1.0' },
    slots: [...treads, ...sidewalls].map(change),
  };
}

type Analysis = ReportSlot['analysis'];

const assetOf = (position: Position, imageType: 'tread' | 'sidewall'): NonNullable<ReportSlot['asset']> => ({
  asset_id: `01999000-0000-7000-8000-0000000001${imageType === 'tread' ? 0 : 1}${POSITIONS.indexOf(position)}`,
  source: { kind: 'atrace_upload', url: null, client_asset_id: null },
});

const engineOf = (imageType: 'tread' | 'sidewall'): Analysis['engine'] => ({
  api: 'tire-vision',
  api_version: '1.0',
  operation: `tire.${imageType}`,
  result_schema_version: `tire-${imageType}.v2`,
  requested_functions: [],
});

function slot(
  position: Position,
  imageType: 'tread' | 'sidewall',
  measured: Pick<Analysis, 'result' | 'quality'> | NotPhotographed | null,
  mode: 'automatic' | 'manual',
): ReportSlot {
  const head = { slot_id: `tire.${imageType}.${position}`, module_type: 'tire' as const, slot: { position, image_type: imageType } };
  if (measured === NO_PHOTO) return { ...head, status: 'pending', asset: null, analysis: NOT_ANALYSED };
  const status = measured ? 'success' : 'failed';
  return {
    ...head,
    status,
    asset: mode === 'manual' ? null : assetOf(position, imageType),
    analysis: {
      status,
      provenance: mode === 'manual' ? 'manual' : 'engine',
      engine: mode === 'manual' ? null : engineOf(imageType),
      result: measured?.result ?? null,
      quality: measured?.quality ?? null,
      error: measured ? null : { code: 'tread_not_found', retryable: true },
      completed_at: COMPLETED_AT,
    },
  };
}

function tread(
  position: Position,
  depths: readonly number[] | NotPhotographed | null,
  mode: 'automatic' | 'manual',
  confidence: number | null,
): ReportSlot {
  if (depths === null || depths === NO_PHOTO) return slot(position, 'tread', depths, mode);
  const entered = mode === 'manual';
  const result: Analysis['result'] = {
    aggregated_depth: { aggregated_remaining_depth: depths[0] ?? null, estimated_lifetime: null },
    individual_depths: { individual_remaining_depth: [...depths] },
    tire_rotation: entered ? null : 90,
    vehicle_side: entered ? null : 'right',
    groove_masks: entered ? [] : depths.map(mask),
    tread_roi: { bbox_xyxy_norm: entered ? null : [0, 0, 1, 1] },
  };
  return slot(position, 'tread', { result, quality: { recognized: true, confidence } }, mode);
}

const mask = (depth_mm: number, index: number): TreadResult['groove_masks'][number] => ({
  depth_mm,
  score: 0.9,
  polygon_xy_norm: [
    [index / 10, 0],
    [index / 10 + 0.05, 0],
    [index / 10, 1],
  ],
});

function sidewall(position: Position, size: Size | NotPhotographed | null, mode: 'automatic' | 'manual'): ReportSlot {
  if (size === NO_PHOTO) return slot(position, 'sidewall', size, mode);
  const result: Analysis['result'] = { size: size && { section_width: size[0], aspect_ratio: size[1], rim_diameter: size[2] } };
  return slot(position, 'sidewall', { result, quality: { recognized: size !== null, confidence: 0.9 } }, mode);
}
