import { z } from 'zod';
import { text } from '../api/text';
import { TEMPLATE_LIMITS, TEMPLATE_PURPOSES } from '../limits';
import { Id, Moment, MomentOrNull } from './fields';

const Language = z.enum(['ko', 'en']);
const Channel = z.enum(['email', 'sms']);
const Purpose = z.enum(TEMPLATE_PURPOSES);

export const SendReportRequest = z
  .object({
    language: Language.describe('The language of the message.'),
    channel: Channel.default('email'),
  })
  .meta({ id: 'SendReportRequest' });
export type SendReportRequest = z.infer<typeof SendReportRequest>;

export const SentMessage = z
  .object({
    message_id: Id,
    kind: z.enum(['report', 'reminder']),
    channel: Channel,
    state: z
      .enum(['queued', 'sent', 'failed', 'stopped'])
      .describe('sent: the provider has taken it. stopped: the customer withdrew the consent, got another address, or was removed.'),
    failure: z
      .enum(['refused', 'unavailable', 'interrupted', 'expired'])
      .nullable()
      .describe('refused: the provider does not take it. interrupted: it may have arrived, and is not sent again.'),
    attempts: z.int(),
    receiver: z.string().nullable().describe('Masked. Null: the customer was removed.'),
    reference: z.string().nullable().describe("The provider's id of a text message."),
    sent_by: z.string().nullable(),
    created_at: Moment,
    ended_at: MomentOrNull,
  })
  .meta({ id: 'SentMessage' });
export type SentMessage = z.infer<typeof SentMessage>;

export const MessageList = z
  .object({
    channels: z.array(Channel).describe('Those for which the installation has a provider.'),
    messages: z.array(SentMessage).describe('The newest first, fifty at most.'),
  })
  .meta({ id: 'MessageList' });
export type MessageList = z.infer<typeof MessageList>;

const PLACES =
  'Placeholders: {{name}}, {{shop}}, {{shop_phone}}, {{shop_address}}, {{shop_hours}}, {{plate}}, and {{link}} in a message with a report, {{stop}} in a reminder.';
const Subject = text(TEMPLATE_LIMITS.subject).default('').describe('One line for an e-mail; none for a text message.');
const Text = text(TEMPLATE_LIMITS.text, 1).describe(`${PLACES} The last one must be in it.`);

export const MessageTemplate = z
  .object({ purpose: Purpose, language: Language, subject: z.string(), text: z.string(), is_default: z.boolean() })
  .meta({ id: 'MessageTemplate' });
export type MessageTemplate = z.infer<typeof MessageTemplate>;

export const MessageTemplates = z.object({ templates: z.array(MessageTemplate) }).meta({ id: 'MessageTemplates' });
export type MessageTemplates = z.infer<typeof MessageTemplates>;

export const MessageDraft = z
  .object({ purpose: Purpose.default('report_email'), language: Language, subject: Subject, text: Text })
  .meta({ id: 'MessageDraft' });
export type MessageDraft = z.infer<typeof MessageDraft>;

export const ChangeTemplateRequest = z
  .object({
    purpose: Purpose.default('report_email'),
    language: Language,
    template: z.object({ subject: Subject, text: Text }).nullable().describe('Null: the default text again.'),
  })
  .meta({ id: 'ChangeTemplateRequest' });
export type ChangeTemplateRequest = z.infer<typeof ChangeTemplateRequest>;

export const MessagePreview = z.object({ subject: z.string(), text: z.string() }).meta({ id: 'MessagePreview' });
export type MessagePreview = z.infer<typeof MessagePreview>;
