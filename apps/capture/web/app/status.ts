import type { CaptureSession } from '@tire/contracts/capture';
import type { CaptureStatus } from './links';
import { progressOf, type Stop } from './walk';

/** What the partner's page learns. Photographs that are being measured count as good: their result is not known yet. */
export function captureStatus(session: CaptureSession, stops: readonly Stop[]): CaptureStatus {
  if (session.state === 'ended' && session.finished_at === null) return 'ended';
  const { missing, measuring } = progressOf(session, stops);
  return missing.tread + missing.sidewall <= measuring ? 'finished' : 'incomplete';
}
