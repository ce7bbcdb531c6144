import type {
  CaptureFinished,
  ContentReady,
  ListenedCallbacks,
  ReplayRequest,
  ReplayResponse,
  ReportFailed,
  ReportPartial,
  ShareRevoked,
} from '../../api';
import { reportCompletedExample } from './reports';
import { CONTENT_REVISION } from './story';

const { timestamp, data } = reportCompletedExample;
const { analysis_status: _, analysis_revision, ...about } = data;

export const reportPartialExample: ReportPartial = { type: 'report.partial', timestamp, data: { ...data, analysis_status: 'partial' } };
export const reportFailedExample: ReportFailed = { type: 'report.failed', timestamp, data: { ...data, analysis_status: 'failed' } };

export const contentReadyExample: ContentReady = {
  type: 'content.ready',
  timestamp,
  data: {
    ...about,
    analysis_revision,
    content_revision: CONTENT_REVISION,
    links: { ...about.links, canonical: `${about.links.content}/${CONTENT_REVISION}` },
  },
};

export const shareRevokedExample: ShareRevoked = {
  type: 'share.revoked',
  timestamp,
  data: { ...about, links: { ...about.links, share: null } },
};

export const captureFinishedExample: CaptureFinished = {
  type: 'capture.finished',
  timestamp,
  data: { ...about, finished_at: timestamp },
};

export const replayRequestExample: ReplayRequest = {
  queued_from: '2026-11-21T04:00:00.000Z',
  queued_before: '2026-11-21T06:00:00.000Z',
  state: 'abandoned',
};
export const replayExample: ReplayResponse = { replayed: 12, next_cursor: null };

const CALLBACK = '01978a34-9d00-7000-8000-000000000009';

export const listenedExample: ListenedCallbacks = {
  callbacks: [
    {
      callback_id: CALLBACK,
      type: 'report.completed',
      report_id: data.report_id,
      queued_at: timestamp,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'tire-inspection-callback/1.0',
        'webhook-id': CALLBACK,
        'webhook-timestamp': String(Date.parse(timestamp) / 1_000),
        'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      },
      body: JSON.stringify(reportCompletedExample),
    },
  ],
  next_cursor: '18',
  recorded_since: '2026-11-21T04:00:00.000Z',
};
