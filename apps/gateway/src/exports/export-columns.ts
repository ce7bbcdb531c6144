import type { ListedReport, Standing, VisitDetails } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import type { ExportColumn, ExportLanguage } from '@tire/contracts/limits';
import type { Position } from '@tire/kernel';
import type { Cell } from '../domain/export-table';

interface ExportedReport {
  readonly listed: ListedReport;
  /** Absent where the report was removed since the list was read. */
  readonly values: ledgerApi.ReportValues | undefined;
  readonly customer: VisitDetails | undefined;
  /** The names of the project's branches by id. */
  readonly branches: ReadonlyMap<string, string>;
}

interface Words {
  readonly columns: Readonly<Record<ExportColumn, string>>;
  readonly standings: Readonly<Record<Standing, string>>;
  readonly analysis: Readonly<Record<ListedReport['analysis_status'], string>>;
  readonly publication: Readonly<Record<ListedReport['publication_status'], string>>;
  readonly modes: Readonly<Record<ListedReport['creation']['mode'], string>>;
  readonly sources: Readonly<Record<ListedReport['creation']['source_channel'], string>>;
  readonly more: (rows: number) => string;
}

export const EXPORT_WORDS: Readonly<Record<ExportLanguage, Words>> = {
  ko: {
    columns: {
      created_at: '생성 시각(UTC)',
      plate_number: '차량 번호',
      standing: '판정',
      handled_at: '처리 시각(UTC)',
      handled_by: '처리한 사람',
      branch: '지점',
      analysis_status: '측정 상태',
      publication_status: '공개 상태',
      creation_mode: '측정 방식',
      depth_front_left: '앞 왼쪽 깊이(mm)',
      depth_front_right: '앞 오른쪽 깊이(mm)',
      depth_rear_left: '뒤 왼쪽 깊이(mm)',
      depth_rear_right: '뒤 오른쪽 깊이(mm)',
      size_front_left: '앞 왼쪽 규격',
      size_front_right: '앞 오른쪽 규격',
      size_rear_left: '뒤 왼쪽 규격',
      size_rear_right: '뒤 오른쪽 규격',
      gauge_grooves: '게이지로 잰 홈 수',
      external_inspection_id: '점검 ID',
      external_vehicle_id: '차량 ID',
      vin: '차대번호',
      mileage_km: '주행거리(km)',
      template_key: '촬영 구성',
      source_channel: '생성 경로',
      report_id: '보고서 ID',
      customer_name: '고객 이름',
      customer_phone: '고객 전화번호',
      customer_email: '고객 이메일',
    },
    standings: {
      critical: '위험',
      near_limit: '한계 근접',
      caution: '주의',
      good: '양호',
      unknown: '확인 불가',
      unjudged: '판정 중',
      content_failed: '판정 없음',
      awaiting_images: '사진 대기',
      processing: '측정 중',
      partial: '일부 재촬영 필요',
      failed: '재촬영 필요',
    },
    analysis: {
      awaiting_images: '사진 대기',
      processing: '측정 중',
      partial: '일부 측정',
      complete: '측정 완료',
      failed: '측정 실패',
    },
    publication: { unpublished: '미공개', published: '공개', revoked: '공개 중단' },
    modes: { automatic: '사진 측정', manual: '직접 입력' },
    sources: { partner_api: 'API', atrace_console: '콘솔', mobile_web: '모바일 웹' },
    more: (rows) => `보고서가 더 있습니다. 최근 ${rows.toLocaleString('ko')}건까지만 내보냅니다. 기간을 나누어 다시 내보내 주세요.`,
  },
  en: {
    columns: {
      created_at: 'Created (UTC)',
      plate_number: 'Plate',
      standing: 'Verdict',
      handled_at: 'Handled (UTC)',
      handled_by: 'Handled by',
      branch: 'Branch',
      analysis_status: 'State',
      publication_status: 'Publication',
      creation_mode: 'Measured',
      depth_front_left: 'Depth front left (mm)',
      depth_front_right: 'Depth front right (mm)',
      depth_rear_left: 'Depth rear left (mm)',
      depth_rear_right: 'Depth rear right (mm)',
      size_front_left: 'Size front left',
      size_front_right: 'Size front right',
      size_rear_left: 'Size rear left',
      size_rear_right: 'Size rear right',
      gauge_grooves: 'Grooves measured with a gauge',
      external_inspection_id: 'Inspection id',
      external_vehicle_id: 'Vehicle id',
      vin: 'VIN',
      mileage_km: 'Mileage (km)',
      template_key: 'Template',
      source_channel: 'Created',
      report_id: 'Report id',
      customer_name: 'Customer name',
      customer_phone: 'Customer phone',
      customer_email: 'Customer e-mail',
    },
    standings: {
      critical: 'Critical',
      near_limit: 'Near the limit',
      caution: 'Caution',
      good: 'Good',
      unknown: 'Unknown',
      unjudged: 'Being judged',
      content_failed: 'No verdict',
      awaiting_images: 'Waiting for photographs',
      processing: 'Being measured',
      partial: 'Retake some photographs',
      failed: 'Retake the photographs',
    },
    analysis: {
      awaiting_images: 'Waiting for photographs',
      processing: 'Being measured',
      partial: 'Partly measured',
      complete: 'Measured',
      failed: 'Not measured',
    },
    publication: { unpublished: 'Not published', published: 'Published', revoked: 'Withdrawn' },
    modes: { automatic: 'by photographs', manual: 'by hand' },
    sources: { partner_api: 'through the API', atrace_console: 'in the console', mobile_web: 'on a phone' },
    more: (rows) => `There are more reports. Only the newest ${rows.toLocaleString('en')} are exported: export shorter periods.`,
  },
};

type Read = (report: ExportedReport, words: Words) => Cell;

const depthAt =
  (position: Position): Read =>
  ({ values }) =>
    values?.depthsMm[position] ?? null;
const sizeAt =
  (position: Position): Read =>
  ({ values }) =>
    values?.sizes[position] ?? null;

const READS: Readonly<Record<ExportColumn, Read>> = {
  created_at: ({ listed }) => listed.created_at,
  plate_number: ({ listed }) => listed.plate_number,
  standing: ({ listed }, { standings }) => standings[listed.work.standing],
  handled_at: ({ listed }) => listed.work.handled?.at ?? null,
  handled_by: ({ listed }) => listed.work.handled?.by?.name ?? null,
  // A branch that share does not know (yet) has its id.
  branch: ({ values, branches }) => (values?.branchId === undefined ? null : (branches.get(values.branchId) ?? values.branchId)),
  analysis_status: ({ listed }, { analysis }) => analysis[listed.analysis_status],
  publication_status: ({ listed }, { publication }) => publication[listed.publication_status],
  creation_mode: ({ listed }, { modes }) => modes[listed.creation.mode],
  depth_front_left: depthAt('front_left'),
  depth_front_right: depthAt('front_right'),
  depth_rear_left: depthAt('rear_left'),
  depth_rear_right: depthAt('rear_right'),
  size_front_left: sizeAt('front_left'),
  size_front_right: sizeAt('front_right'),
  size_rear_left: sizeAt('rear_left'),
  size_rear_right: sizeAt('rear_right'),
  gauge_grooves: ({ values }) => values?.gaugeGrooves ?? null,
  external_inspection_id: ({ listed }) => listed.external_inspection_id,
  external_vehicle_id: ({ listed }) => listed.external_vehicle_id,
  vin: ({ values }) => values?.vin ?? null,
  mileage_km: ({ values }) => values?.mileageKm ?? null,
  template_key: ({ listed }) => listed.template_key,
  source_channel: ({ listed }, { sources }) => sources[listed.creation.source_channel],
  report_id: ({ listed }) => listed.report_id,
  customer_name: ({ customer }) => customer?.name ?? null,
  customer_phone: ({ customer }) => customer?.phone ?? null,
  customer_email: ({ customer }) => customer?.email ?? null,
};

export const headOf = (columns: readonly ExportColumn[], language: ExportLanguage): Cell[] =>
  columns.map((column) => EXPORT_WORDS[language].columns[column]);

export const rowOf = (report: ExportedReport, columns: readonly ExportColumn[], language: ExportLanguage): Cell[] =>
  columns.map((column) => READS[column](report, EXPORT_WORDS[language]));
