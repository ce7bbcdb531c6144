import type { Call } from './api';
import type { Operation } from './operations';
import { tread } from '../reports/reports';
import { UNKNOWN_ID } from '../world';

const BODIES: Partial<Record<Operation, object>> = {
  createReport: { template: 'tire_4t_0s' },
  createUploadTargets: { slots: [tread('front_left')] },
  registerImages: { images: [{ ...tread('front_left'), asset_id: UNKNOWN_ID }] },
  analyzeSlots: { slots: [tread('front_left')] },
};

/** A valid request. Only the caller and the report may be wrong. */
export const sound = (operation: Operation, report = UNKNOWN_ID): Call => ({
  report,
  contentRevision: UNKNOWN_ID,
  vehicle: UNKNOWN_ID,
  body: BODIES[operation],
});
