import { judgeMutation } from './mutability';
import { refuse, type Refusal } from './refusal';
import type { ContentProfile, ReportIdentity, ReportState } from './report';

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
}

/** An inspection that is created again must be about the same vehicle in the same configuration; null: it is. */
export function judgeRepeatedInspection(existing: ReportIdentity, requested: InspectionSubject): Refusal | null {
  const same =
    existing.template.key === requested.templateKey &&
    existing.contentProfile.key === requested.contentProfile.key &&
    existing.contentProfile.version === requested.contentProfile.version &&
    existing.contentProfile.locale === requested.contentProfile.locale &&
    existing.plateNumber === requested.plateNumber &&
    existing.externalVehicleId === requested.externalVehicleId;
  return same ? null : refuse('idempotency_conflict', 'external_inspection_id');
}
