import type { LoggedRequest } from '@tire/contracts/api';
import type { LogEntry } from './request-log.store';

/** As the console and the API show it. */
export const shownRequest = ({ at, keyId, method, path, status, durationMs, requestId }: LogEntry): LoggedRequest => ({
  at: at.toISOString(),
  key_id: keyId,
  method,
  path,
  status,
  duration_ms: durationMs,
  request_id: requestId,
});
