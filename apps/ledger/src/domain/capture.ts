import { fault, parseSlotId } from '@tire/kernel';
import type { Report as ReportDocument } from '@tire/contracts/api';
import type { CaptureSession, CaptureSlot } from '@tire/contracts/capture';
import { refuse, refuseFaults, type Refusal } from './refusal';
import type { Report, ReportEvent } from './report';
import { heldAsset } from './slot';

type CaptureState = NonNullable<ReportDocument['capture']>['state'];

/** A link with which somebody without a key takes the images of one report. Its token is known to its holders only. */
export interface CaptureLink {
  /** SHA-256 of the token. */
  readonly digest: Buffer;
  readonly language: CaptureSession['language'];
  readonly returnUrl: string | null;
  readonly expiresAt: string;
  readonly openedAt: string | null;
  readonly finishedAt: string | null;
  readonly revokedAt: string | null;
}

/** What is stored beside the digest. */
export type StoredCapture = Omit<CaptureLink, 'digest'>;

/** The state that the partner reads. */
export function captureState({ revokedAt, finishedAt, expiresAt, openedAt }: StoredCapture, now: Date): CaptureState {
  if (revokedAt !== null) return 'revoked';
  if (finishedAt !== null) return 'finished';
  if (new Date(expiresAt) <= now) return 'expired';
  return openedAt === null ? 'issued' : 'opened';
}

export type CaptureCommand =
  | { readonly type: 'issueCapture'; readonly link: CaptureLink }
  | { readonly type: 'revokeCapture' }
  | { readonly type: 'openCapture' | 'finishCapture'; readonly digest: Buffer };

/** What a report needs so that its link can be judged. */
type WithCapture = Pick<Report, 'capture'> & { readonly publication: Pick<Report['publication'], 'status' | 'publishedAt'> };

/** The last photograph publishes a report by itself. Somebody who sees that it is a bad one can still take it again. */
const AFTER_PUBLICATION_MS = 15 * 60_000;

/** Why the link takes no images any more; null while it does. A published report is what its visitors read, so it changes by its partner only. */
export function endOfCapture({ capture, publication }: WithCapture, now: Date): CaptureSession['ended_reason'] {
  if (capture === null || capture.revokedAt !== null) return 'revoked';
  if (new Date(capture.expiresAt) <= now) return 'expired';
  if (publication.status !== 'published') return null;
  const publishedMs = publication.publishedAt === null ? 0 : Date.parse(publication.publishedAt);
  return capture.finishedAt !== null || publishedMs + AFTER_PUBLICATION_MS <= now.getTime() ? 'published' : null;
}

/** Whether a call with a link may change the report. Without a digest the caller has a key or a session. */
export function judgeCapture(report: WithCapture, digest: Buffer | undefined, now: Date): Refusal | null {
  if (digest === undefined) return null;
  if (!report.capture?.digest.equals(digest)) return refuse('not_found');
  return endOfCapture(report, now) === null ? null : refuse('capture_ended');
}

export function decideCapture(report: Report, command: CaptureCommand, now: Date): readonly ReportEvent[] | Refusal {
  const { capture, identity } = report;
  const at = now.toISOString();
  switch (command.type) {
    case 'issueCapture':
      if (identity.intake !== 'upload' || identity.creation.mode !== 'automatic')
        return refuseFaults([fault('report_id', 'is no report whose images are uploaded to be measured.')]);
      if (endOfCapture({ capture: command.link, publication: report.publication }, now) === 'published')
        return refuseFaults([fault('report_id', 'is published already.')]);
      return [{ type: 'captureChanged', change: 'issued', capture: command.link, at }];
    case 'revokeCapture':
      if (capture === null) return refuse('not_found');
      return capture.revokedAt === null ? [{ type: 'captureChanged', change: 'revoked', capture: { ...capture, revokedAt: at }, at }] : [];
    case 'openCapture':
      if (!capture?.digest.equals(command.digest) || capture.openedAt !== null || endOfCapture(report, now) !== null) return [];
      return [{ type: 'captureChanged', change: 'opened', capture: { ...capture, openedAt: at }, at }];
    case 'finishCapture': {
      if (!capture?.digest.equals(command.digest)) return refuse('not_found');
      if (capture.finishedAt !== null) return [];
      // The last photograph may have published the report before its holder says so.
      const reason = endOfCapture(report, now);
      if (reason !== null && reason !== 'published') return refuse('capture_ended');
      return [{ type: 'captureChanged', change: 'finished', capture: { ...capture, finishedAt: at }, at }];
    }
  }
}

/** What the analysis of a slot says to somebody who takes images: nothing of what was measured. */
export interface CaptureAnalysis {
  readonly recognized: boolean | null;
  readonly retake: CaptureSlot['retake'];
}

const NOTHING_SAID: CaptureAnalysis = { recognized: null, retake: [] };

export function captureSlots(report: Report, analyses: ReadonlyMap<string, CaptureAnalysis>): CaptureSlot[] {
  return report.slots.map(({ slotId, state }): CaptureSlot => {
    const slot = { slot_id: slotId, slot: parseSlotId(slotId), asset_id: heldAsset(state) };
    const { recognized, retake } = analyses.get(slotId) ?? NOTHING_SAID;
    switch (state.phase) {
      case 'empty':
        return { ...slot, status: 'empty', error_code: null, recognized: null, retake: [] };
      case 'fetching':
      case 'analyzing':
        return { ...slot, status: 'pending', error_code: null, recognized: null, retake: [] };
      case 'succeeded':
        return { ...slot, status: 'success', error_code: null, recognized, retake };
      case 'failed':
        return { ...slot, status: 'failed', error_code: state.analysis.errorCode, recognized: null, retake };
    }
  });
}
