/** By which value the person or the vehicle is found. */
export const SUBJECT_KINDS = ['plate', 'vin', 'vehicle', 'report', 'phone', 'email', 'name'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

export const ERASURE_LIMITS = {
  subject: 200,
  reason: 200,
  /** Of one erasure. More reports than one person or one vehicle has mean that the value names many. */
  reports: 1_000,
} as const;
