import type { Content, ShareRecord } from '@tire/contracts/api';
import type { CreatorList, ListedReport, ReportDetail, ReportList } from '@tire/contracts/console';
import { readyContentExample, reportExample } from '@tire/contracts/openapi';
import { STANDINGS, type Attention, type Standing } from '@tire/kernel/standing';

const MINA = { kind: 'user', name: 'mina@shop.example' } as const;
const idOf = (index: number) => `01978a34-5c00-7000-8000-0000000001${String(index).padStart(2, '0')}`;
const handledAt = '2026-11-21T06:00:00.000Z';

const listed = (standing: Standing, index: number, attention: Attention = index < 4 ? 'unread' : 'read'): ListedReport => ({
  report_id: idOf(index),
  created_at: reportExample.timestamps.created_at,
  plate_number: `1${index % 10}가 34${String(index).padStart(2, '0')}`,
  external_inspection_id: null,
  external_vehicle_id: null,
  template_key: 'tire_4t_2s',
  creation: { source_channel: 'atrace_console', mode: index === 3 ? 'manual' : 'automatic' },
  analysis_status: ['awaiting_images', 'processing', 'partial', 'failed'].includes(standing)
    ? (standing as ListedReport['analysis_status'])
    : 'complete',
  publication_status: 'published',
  work: { standing, attention, handled: attention === 'handled' ? { at: handledAt, by: MINA } : null, result: `${standing}/1/1` },
  created_by: MINA,
});

/** One of each standing, the most urgent first, and one that is handled. */
export const worklist: ReportList = {
  reports: [...STANDINGS.map((standing, index) => listed(standing, index)), listed('good', 20, 'handled')],
  next_cursor: null,
};

export const creators: CreatorList = { creators: [{ actor: 'user:01978a34-5c00-7000-8000-000000000077', ...MINA }] };

export const criticalReport: ReportDetail = {
  report: { ...reportExample, publication_status: 'published' },
  work: { standing: 'critical', attention: 'unread', handled: null, result: 'critical/1/1' },
  trace_id: '0'.repeat(31) + '7',
  history: [
    {
      at: reportExample.timestamps.created_at,
      what: 'slot_failed',
      slot_id: 'tire.tread.front_left',
      status: null,
      error_code: 'tread_not_found',
      model: 'tread 1.0.0',
      analysis_revision: null,
      by: { kind: 'service', name: 'inference' },
      trace_id: '0'.repeat(31) + '8',
    },
  ],
};

const [korean, english] = [
  { label: '위험', headline: '앞 왼쪽 타이어를 지금 교체해야 합니다', text: '가장 얕은 홈이 1.4mm로 마모 한계선 1.6mm에 이르렀습니다.' },
  {
    label: 'Critical',
    headline: 'Replace the front left tire now',
    text: 'Its shallowest groove has 1.4 mm, below the wear limit of 1.6 mm.',
  },
];

/** The document is in the language of the customer. */
export function criticalContent(locale: 'ko-KR' | 'en-US'): Content {
  const { label, headline, text } = locale === 'ko-KR' ? korean! : english!;
  return {
    ...readyContentExample,
    content_profile: { ...readyContentExample.content_profile, locale },
    overall: { severity: 'critical', severity_label: label, headline, paragraphs: [text] },
  };
}

export const openLink: ShareRecord = {
  report_id: reportExample.report_id,
  status: 'active',
  share_url: 'https://share.tires.example/r/1ZcPbQyoW2bUqJYQ0s3C8m5TzK4nA7xvR6dGhEfLiMw',
  expires_at: null,
  revoked_at: null,
  created_at: reportExample.timestamps.created_at,
};
