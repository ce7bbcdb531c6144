import type { Content, ContentSection, RenderData } from '@tire/contracts/api';
import { maskPlate } from '../domain/plate';

type SectionOf<Id extends ContentSection['section_id']> = Extract<ContentSection, { section_id: Id }>;
type MetricsOf<Id extends ContentSection['section_id']> = SectionOf<Id>['metrics'];
export type Overlay = RenderData['tread_overlays'][number];
type Sidewall = RenderData['sidewall_specs'][number];

/** A label and its value, as page and PDF both show it. */
export interface Row {
  readonly label: string;
  readonly value: string;
}

export const TITLE = '타이어 점검 리포트';
export const TIRES_TITLE = '타이어별 최소 홈 깊이';
export const IMAGES_TITLE = '촬영 사진';
export const DEPTHS_ORDER = '바깥쪽부터 (mm)';
export const FOOTNOTE = '사진과 입력값으로 추정한 결과이며, 실제 상태와 다를 수 있습니다.';
export const NO_DEPTH = '깊이 확인 불가';
const UNKNOWN = '확인 불가';

// Seoul has no daylight saving time. The locale of the page is ko-KR.
const DATE = new Intl.DateTimeFormat('ko-KR', { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'Asia/Seoul' });

export const plateRow = (plate: string): Row => ({ label: '차량 번호', value: maskPlate(plate) });
export const inspectedRow = (inspectedAt: string): Row => ({ label: '점검 일시', value: DATE.format(new Date(inspectedAt)) });

export const inOrder = ({ sections }: Content): ContentSection[] => [...sections].sort((a, b) => a.order - b.order);

export const depthText = (depthMm: number | null): string => (depthMm === null ? '–' : `${depthMm.toFixed(1)}mm`);
const depthOrUnknown = (depthMm: number | null): string => (depthMm === null ? UNKNOWN : depthText(depthMm));

const NEW_DEPTH_MM = 8;
export const share = (value: number, whole: number): number => Math.min(Math.max(value, 0), whole) / whole;

/** The lowest depth of the car on one scale with both limits, as shares of the depth of a new tire, with labels. */
export function depthScale({ minimum_remaining_depth_mm: depthMm, legal_limit_mm, inspection_threshold_mm }: MetricsOf<'tread_wear'>) {
  return {
    limit: share(legal_limit_mm, NEW_DEPTH_MM),
    threshold: share(inspection_threshold_mm, NEW_DEPTH_MM),
    mark: depthMm === null ? null : share(depthMm, NEW_DEPTH_MM),
    legend: [
      { label: '법정 한계', value: depthText(legal_limit_mm) },
      { label: '권장 기준', value: depthText(inspection_threshold_mm) },
      { label: '가장 얕은 홈', value: depthOrUnknown(depthMm) },
    ] satisfies Row[],
  };
}

interface Bar extends Row {
  /** Shares of the longest bar: the braking distance of a new tire, and the distance beyond it. */
  readonly reach: number;
  readonly gap: number;
}

/** Both distances on one scale. */
export function brakingBars({
  metrics,
}: SectionOf<'braking_distance'>): { readonly bars: readonly Bar[]; readonly note: string | null } | null {
  const { new_tire_distance_m: fresh, current_tire_distance_m: current, distance_gap_m: gapM } = metrics;
  const { speed_at_new_tire_stop_kmh: speedKmh } = metrics;
  if (fresh === null || current === null) return null;
  const longest = Math.max(fresh, current);
  const value = (distanceM: number) => `약 ${distanceM.toFixed(1)}m`;
  const bars = [
    { label: '새 타이어', value: value(fresh), reach: share(fresh, longest), gap: 0 },
    {
      label: '현재 타이어',
      value: value(current),
      reach: share(Math.min(fresh, current), longest),
      gap: share(current - fresh, longest),
    },
  ];
  const passes = gapM !== null && gapM > 0 && speedKmh !== null;
  return {
    bars,
    note: passes ? `새 타이어가 멈춘 지점을 현재 타이어는 시속 약 ${Math.round(speedKmh)}km로 지나갑니다.` : null,
  };
}

export const axleRows = ({ front_axle_delta_mm: front, rear_axle_delta_mm: rear }: MetricsOf<'position_variance'>): Row[] => [
  { label: '앞바퀴 차이', value: depthOrUnknown(front) },
  { label: '뒷바퀴 차이', value: depthOrUnknown(rear) },
];

export const sizeRows = ({ front_spec: front, rear_spec: rear }: MetricsOf<'sidewall_spec'>): Row[] => [
  { label: '앞', value: front ?? UNKNOWN },
  { label: '뒤', value: rear ?? UNKNOWN },
];

const POSITION_LABELS: Record<string, string> = {
  front_left: '앞 왼쪽',
  front_right: '앞 오른쪽',
  rear_left: '뒤 왼쪽',
  rear_right: '뒤 오른쪽',
};
const positionOf = (slotId: string): string => POSITION_LABELS[slotId.split('.')[2] ?? ''] ?? '';

export const treadLabel = ({ slot_id }: Overlay): string => `${positionOf(slot_id)} 트레드`;
export const sidewallLabel = ({ slot_id }: Sidewall): string => `${positionOf(slot_id)} 옆면`;
export const sidewallText = ({ size }: Sidewall): string =>
  size ? `${size.section_width}/${size.aspect_ratio}R${size.rim_diameter}` : '규격 확인 불가';

/** Whole degrees clockwise, below 360. */
export const degreesOf = ({ coordinate_system }: Overlay): number =>
  ((Math.round(coordinate_system.rotation_degrees_clockwise) % 360) + 360) % 360;

export const assetIds = ({ render_data }: Content): string[] =>
  [...render_data.tread_overlays, ...render_data.sidewall_specs].map(({ asset }) => asset.asset_id);
