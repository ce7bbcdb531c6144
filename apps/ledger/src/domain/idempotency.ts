import { fault } from '@tire/kernel';
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
  readonly vin: string | null;
  readonly externalVehicleId: string | null;
  /** The values that a person measured; null when images are to be measured. */
  readonly entered: readonly EnteredTire[] | null;
}

/**
 * A repeated inspection must name the same vehicle and configuration. Values that a person entered must be the same too, because they cannot
 * change a report that exists. Its branch and mileage may differ: those of the first request stay. `results` are its stored results by slot. Null when it is the same. The refusal names what differs but holds
 * no value of the existing report: a key that may create need not be one that may read.
 */
export function judgeRepeatedInspection(
  existing: Report,
  results: ReadonlyMap<string, string>,
  requested: InspectionSubject,
): Refusal | null {
  const { identity } = existing;
  const differing = [
    ...(identity.template.key === requested.templateKey ? [] : ['template']),
    ...PROFILE_PARTS.filter((part) => identity.contentProfile[part] !== requested.contentProfile[part]).map(
      (part) => `content_profile.${part}`,
    ),
    ...(identity.plateNumber === requested.plateNumber ? [] : ['plate_number']),
    ...(identity.externalVehicleId === requested.externalVehicleId ? [] : ['external_vehicle_id']),
    ...(vinOf(identity) === vinOf(requested) ? [] : ['vin']),
    ...differenceOfMeasuring(existing, results, requested.entered),
  ];
  if (differing.length === 0) return null;
  const { reportId } = identity;
  return {
    refused: 'idempotency_conflict',
    param: 'external_inspection_id',
    message: `external_inspection_id: the report ${reportId} of this inspection differs in ${differing.join(', ')}.`,
    faults: differing.map((param) => fault(param, 'differs from the report of this inspection.')),
    reportId,
  };
}

const vinOf = ({ vin }: { readonly vin: string | null }): string | null => vin?.toUpperCase() ?? null;

const PROFILE_PARTS = ['key', 'version', 'locale'] as const;

function differenceOfMeasuring(existing: Report, results: ReadonlyMap<string, string>, entered: InspectionSubject['entered']): string[] {
  if ((existing.identity.creation.mode === 'manual') !== (entered !== null)) return ['creation.mode'];
  return entered === null || areEntered(results, entered) ? [] : ['tires'];
}
