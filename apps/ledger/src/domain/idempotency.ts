import { areEntered, type EnteredTire } from './manual';
import { judgeMutation } from './mutability';
import { refuse, type Refusal } from './refusal';
import type { ContentProfile, Report, ReportState } from './report';

/** The answer to the first request with a key. */
export interface StoredAnswer {
  readonly requestDigest: Buffer;
  readonly httpStatus: number;
  /** Opens what is sealed. A refusal does not need it. */
  readonly responseJson: () => Buffer;
}

/** A closed report is refused first. Otherwise the same key must come with the same request. */
export const judgeRepeatedKey = (stored: StoredAnswer, requestDigest: Buffer, report: ReportState): StoredAnswer | Refusal =>
  judgeMutation(report) ?? (stored.requestDigest.equals(requestDigest) ? stored : refuse('idempotency_conflict'));

export interface InspectionSubject {
  readonly templateKey: string;
  readonly contentProfile: ContentProfile;
  readonly plateNumber: string | null;
  readonly externalVehicleId: string | null;
  /** The values that a person measured; null when images are to be measured. */
  readonly entered: readonly EnteredTire[] | null;
}

/**
 * A repeated inspection must name the same vehicle and configuration. Values that a person entered must be the same too, because they cannot
 * change a report that exists. `results` are its stored results by slot. Null when it is the same.
 */
export function judgeRepeatedInspection(
  existing: Report,
  results: ReadonlyMap<string, string>,
  requested: InspectionSubject,
): Refusal | null {
  const { identity } = existing;
  const same =
    identity.template.key === requested.templateKey &&
    identity.contentProfile.key === requested.contentProfile.key &&
    identity.contentProfile.version === requested.contentProfile.version &&
    identity.contentProfile.locale === requested.contentProfile.locale &&
    identity.plateNumber === requested.plateNumber &&
    identity.externalVehicleId === requested.externalVehicleId &&
    isMeasuredAlike(existing, results, requested.entered);
  return same ? null : refuse('idempotency_conflict', 'external_inspection_id');
}

const isMeasuredAlike = (existing: Report, results: ReadonlyMap<string, string>, entered: InspectionSubject['entered']): boolean =>
  existing.identity.creation.mode === 'manual' ? entered !== null && areEntered(results, entered) : entered === null;
