import type { Call } from './api';
import type { Operation } from './operations';
import { tread } from '../reports/reports';
import { UNKNOWN_ID } from '../world';

const BODIES: Partial<Record<Operation, object>> = {
  createReport: { template: 'tire_4t_0s' },
  createUploadTargets: { slots: [tread('front_left')] },
  registerImages: { images: [{ ...tread('front_left'), asset_id: UNKNOWN_ID }] },
  analyzeSlots: { slots: [tread('front_left')] },
  issueCapture: { expires_in_hours: 1 },
  replayCallbacks: { queued_from: '2026-01-01T00:00:00Z', queued_before: '2026-01-02T00:00:00Z' },
};

/** A valid request. Only the caller and the report may be wrong. */
export const sound = (operation: Operation, report = UNKNOWN_ID): Call => ({
  report,
  contentRevision: UNKNOWN_ID,
  vehicle: UNKNOWN_ID,
  body: BODIES[operation],
});
