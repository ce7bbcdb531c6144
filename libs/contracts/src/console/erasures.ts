import { z } from 'zod';
import { text } from '../api/text';
import { ERASURE_LIMITS, SUBJECT_KINDS } from '../limits';
import { Id, Moment, MomentOrNull } from './fields';

const Kind = z.enum(SUBJECT_KINDS);

export const SubjectRequest = z
  .object({
    kind: Kind.describe(
      'plate: reports that name it. vin and vehicle (its id, or your own id of it): all reports of the vehicle. report: one. phone, email and name: reports with this customer.',
    ),
    value: text(ERASURE_LIMITS.subject, 1),
  })
  .meta({ id: 'SubjectRequest', description: 'The person or the vehicle.' });
export type SubjectRequest = z.infer<typeof SubjectRequest>;

export const SubjectExportRequest = SubjectRequest.extend({ password: text(1_024, 1).describe('That of the account, again.') }).meta({
  id: 'SubjectExportRequest',
});
export type SubjectExportRequest = z.infer<typeof SubjectExportRequest>;

export const ConfirmErasureRequest = z
  .object({
    reason: text(ERASURE_LIMITS.reason, 1).describe('Stays in the certificate: without names, numbers and plates.'),
    password: text(1_024, 1).describe('That of the account, again.'),
  })
  .meta({ id: 'ConfirmErasureRequest' });
export type ConfirmErasureRequest = z.infer<typeof ConfirmErasureRequest>;

export const KeptCount = z
  .object({ store: z.string().describe('The service, for example ledger.'), what: z.string(), count: z.int() })
  .meta({ id: 'KeptCount', description: 'How many of one kind of thing a service keeps, or kept.' });
export type KeptCount = z.infer<typeof KeptCount>;

const Preview = z.object({
  reports: z.int(),
  published: z.int().describe('Of these, with a page that opens.'),
  held: z.int().describe('Of these, with a legal hold: they are not removed.'),
  counts: z.array(KeptCount),
  counted_at: Moment,
});

const InBothLanguages = z.object({ en: z.string(), ko: z.string() });

export const ErasureCertificate = z
  .object({
    version: z.literal('1'),
    erasure_id: Id,
    project_id: Id,
    service: z.string().describe('The address of the service that issued it.'),
    subject: z.object({ kind: Kind, digest: z.string().describe('A keyed digest of the value. The value itself is not kept.') }),
    requested_at: Moment,
    requested_by: z.string().describe('The member, or operator.'),
    confirmed_at: Moment,
    confirmed_by: z.string(),
    reason: z.string(),
    ended_at: Moment,
    removed: z.array(KeptCount).describe('By service.'),
    report_ids: z.array(Id).describe('Those that were removed. A restored backup is erased again by them.'),
    held_report_ids: z.array(Id).describe('Those that a legal hold keeps.'),
    remaining: z
      .array(KeptCount)
      .describe('What a second count found afterwards, of removed and of held reports: empty unless a report is held.'),
    stays: z.array(z.object({ what: z.string(), why: InBothLanguages, until: MomentOrNull })),
    signature: z.string().describe('HMAC-SHA256 over the other fields, in hexadecimal digits.'),
  })
  .meta({ id: 'ErasureCertificate' });
export type ErasureCertificate = z.infer<typeof ErasureCertificate>;

export const Erasure = z
  .object({
    erasure_id: Id,
    kind: Kind,
    state: z
      .enum(['counting', 'counted', 'erasing', 'done', 'cancelled', 'refused'])
      .describe('counted: it waits for a confirmation, for seven days. refused: the value names too many reports.'),
    subject: z.string().nullable().describe('As it was entered. Only for the member who asked, and only until the erasure has ended.'),
    requested_at: Moment,
    requested_by: z.string().describe('The member, or operator.'),
    preview: Preview.nullable(),
    progress: z.object({ erased: z.int(), held: z.int(), left: z.int() }),
    reason: z.string().nullable(),
    ended_at: MomentOrNull,
    certificate: ErasureCertificate.nullable(),
  })
  .meta({ id: 'Erasure' });
export type Erasure = z.infer<typeof Erasure>;

export const ListedErasure = Erasure.omit({ certificate: true }).meta({ id: 'ListedErasure' });
export type ListedErasure = z.infer<typeof ListedErasure>;

export const ErasureList = z
  .object({ erasures: z.array(ListedErasure).describe('The newest first, fifty at most.') })
  .meta({ id: 'ErasureList' });
export type ErasureList = z.infer<typeof ErasureList>;

export const CheckCertificateRequest = z
  .object({
    certificate: z.record(z.string(), z.unknown()).describe('The whole certificate, as it was downloaded.'),
    value: text(ERASURE_LIMITS.subject, 1).optional(),
  })
  .meta({ id: 'CheckCertificateRequest' });
export type CheckCertificateRequest = z.infer<typeof CheckCertificateRequest>;

export const CheckedCertificate = z
  .object({
    is_valid: z.boolean().describe('This service signed exactly these fields, for this project.'),
    is_of_value: z.boolean().nullable().describe('It is about this value. Null without one.'),
  })
  .meta({ id: 'CheckedCertificate' });
export type CheckedCertificate = z.infer<typeof CheckedCertificate>;
