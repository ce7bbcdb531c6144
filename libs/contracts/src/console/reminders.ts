import { z } from 'zod';
import { REMINDER_CONSENT_TEXTS } from '../limits';
import { Id, Moment, MomentOrNull } from './fields';

const Channel = z.enum(['email', 'sms']);
const Reason = z
  .enum(['six_months', 'depth'])
  .describe('six_months: six months from now. depth: when a tire may reach 3.0 mm, at the earliest.');
const Version = z.enum(Object.keys(REMINDER_CONSENT_TEXTS) as [keyof typeof REMINDER_CONSENT_TEXTS]);
const Language = z.enum(['ko', 'en']);

export const Reminder = z
  .object({
    reminder_id: Id,
    reason: Reason,
    channel: Channel,
    state: z
      .enum(['planned', 'sent', 'stopped', 'dropped'])
      .describe('sent: it is among the messages. stopped: the receiver or the shop stopped it. dropped: it cannot be sent any more.'),
    because: z
      .enum(['receiver', 'shop', 'consent', 'address', 'inspected', 'report', 'late', 'text'])
      .nullable()
      .describe(
        'Why it was stopped or dropped. address: the customer has it no longer. inspected: the vehicle has a later inspection. late: it could not be sent for a month. text: the text of the project is too long for a text message.',
      ),
    is_queued: z.boolean().describe('Its message waits in the outbox: it can still be stopped, unless it is being sent just now.'),
    due_at: Moment,
    ended_at: MomentOrNull,
    consent: z.object({ version: Version, language: Language, at: Moment, recorded_by: z.string().nullable() }),
  })
  .meta({ id: 'Reminder' });
export type Reminder = z.infer<typeof Reminder>;

export const ReminderList = z
  .object({
    reminders: z.array(Reminder).describe('The newest first, fifty at most.'),
    stops: z
      .array(z.object({ channel: Channel, at: Moment }))
      .describe('When the receiver stopped reminders at the address or number that the customer has now.'),
  })
  .meta({ id: 'ReminderList' });
export type ReminderList = z.infer<typeof ReminderList>;

export const PlanReminderRequest = z
  .object({
    reason: Reason,
    channel: Channel,
    consent: z.object({ version: Version, language: Language }).describe('The text that the customer agreed to just now.'),
  })
  .meta({ id: 'PlanReminderRequest' });
export type PlanReminderRequest = z.infer<typeof PlanReminderRequest>;
