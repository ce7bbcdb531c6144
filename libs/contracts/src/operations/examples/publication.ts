import { CREATED_AT, REPORT_ID, SHARE_URL } from './story';

export const publishExample = {
  report_id: REPORT_ID,
  publication_status: 'published',
  share_url: SHARE_URL,
  published_at: '2026-11-21T04:05:12.600Z',
};

export const shareExample = {
  report_id: REPORT_ID,
  status: 'active',
  share_url: SHARE_URL,
  expires_at: null,
  revoked_at: null,
  created_at: CREATED_AT,
};

export const revokedShareExample = { ...shareExample, status: 'revoked', share_url: null, revoked_at: '2026-11-22T01:00:00.000Z' };
