import { holdsEntered, type EnteredTire } from './manual';
import { judgeMutation } from './mutability';
import { refuse, type Refusal } from './refusal';
import type { ContentProfile, Report, ReportState } from './report';

/** What a key answered when it was first used. */
export interface StoredAnswer {
  readonly requestDigest: Buffer;
  readonly httpStatus: number;
  readonly responseJson: Buffer;
}

/** A closed report is told of before anything else; then the same key means the same request, or it is a mistake. */
export const judgeRepeatedKey = (stored: StoredAnswer, requestDigest: Buffer, report: ReportState): StoredAnswer | Refusal =>
  judgeMutation(report) ?? (stored.requestDigest.equals(requestDigest) ? stored : refuse('idempotency_conflict'));

export interface InspectionSubject {
  readonly templateKey: string;
  readonly contentProfile: ContentProfile;
  readonly plateNumber: string | null;
  readonly externalVehicleId: string | null;
  /** What was measured by hand; null: it is to be measured from photographs. */
  readonly entered: readonly EnteredTire[] | null;
}

/**
 * An inspection that is created again must be about the same vehicle in the same configuration, and with the same values where a person
 * entered them: they have no other way into the report that exists. Null: it is.
 */
export function judgeRepeatedInspection(existing: Report, requested: InspectionSubject): Refusal | null {
  const { identity } = existing;
  const same =
    identity.template.key === requested.templateKey &&
    identity.contentProfile.key === requested.contentProfile.key &&
    identity.contentProfile.version === requested.contentProfile.version &&
    identity.contentProfile.locale === requested.contentProfile.locale &&
    identity.plateNumber === requested.plateNumber &&
    identity.externalVehicleId === requested.externalVehicleId &&
    isMeasuredAlike(existing, requested.entered);
  return same ? null : refuse('idempotency_conflict', 'external_inspection_id');
}

const isMeasuredAlike = (existing: Report, entered: InspectionSubject['entered']): boolean =>
  existing.identity.creation.mode === 'manual' ? entered !== null && holdsEntered(existing, entered) : entered === null;
