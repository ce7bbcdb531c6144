import { z } from 'zod';
import { text } from '../api/text';
import { CONSENT_TEXTS, CUSTOMER_LIMITS } from '../limits';
import { EmailAddress, Id, Moment } from './fields';

const Person = z.object({ user_id: Id, name: z.string() });

const ConsentTextSchema = z.enum(Object.keys(CONSENT_TEXTS) as [keyof typeof CONSENT_TEXTS]);
const ConsentLanguage = z.enum(['ko', 'en']);

export const Consent = z
  .object({
    version: ConsentTextSchema.describe('The text that the customer agreed to.'),
    language: ConsentLanguage,
    at: Moment,
    recorded_by: z.string().nullable().describe('The name of the member who recorded it.'),
  })
  .meta({ id: 'Consent' });

export const Visit = z
  .object({
    report_id: Id,
    name: z.string().nullable().describe('Masked, as in 김*수.'),
    phone: z.string().nullable().describe('Masked, as in 010-****-1234.'),
    email: z.string().nullable().describe('Masked, as in k***@shop.example.'),
    has_note: z.boolean(),
    advisor: Person.nullable().describe('The member who looks after the customer.'),
    consent: Consent.nullable().describe('Null: no message may be sent to the customer.'),
    updated_at: Moment,
  })
  .meta({
    id: 'Visit',
    description: 'The customer of a report, masked. The whole values are another operation, which the audit log records.',
  });
export type Visit = z.infer<typeof Visit>;

export const VisitAnswer = z
  .object({
    visit: Visit.nullable().describe('Null: nothing is recorded.'),
    advisors: z.array(Person).describe('The members who can be the advisor. Empty without customers.manage.'),
  })
  .meta({ id: 'VisitAnswer' });
export type VisitAnswer = z.infer<typeof VisitAnswer>;

export const VisitDetails = z
  .object({ name: z.string().nullable(), phone: z.string().nullable(), email: z.string().nullable(), note: z.string().nullable() })
  .meta({ id: 'VisitDetails', description: 'The whole values.' });
export type VisitDetails = z.infer<typeof VisitDetails>;

const field = (lengthMax: number) => text(lengthMax).nullish();

export const ChangeVisitRequest = z
  .object({
    name: field(CUSTOMER_LIMITS.name),
    phone: field(CUSTOMER_LIMITS.phone).describe('With the code of the country (+82 10-1234-5678) or without (010-1234-5678).'),
    email: z.union([EmailAddress, z.literal('')], { error: 'must be an e-mail address, or empty.' }).nullish(),
    note: field(CUSTOMER_LIMITS.note),
    advisor_id: Id.nullish(),
    consent: z
      .object({ version: ConsentTextSchema, language: ConsentLanguage })
      .nullish()
      .describe('The text that the customer agreed to just now. Null: the customer withdraws the consent.'),
  })
  .meta({ id: 'ChangeVisitRequest', description: 'What is omitted stays; null or empty removes it.' });
export type ChangeVisitRequest = z.infer<typeof ChangeVisitRequest>;

export const VisitSearch = z.object({ phone: text(CUSTOMER_LIMITS.phone, 1) }).meta({ id: 'VisitSearch' });

export const VisitList = z.object({ visits: z.array(Visit).describe('The newest first, fifty at most.') }).meta({ id: 'VisitList' });
export type VisitList = z.infer<typeof VisitList>;
