import { ANALYSIS_ERRORS } from '@tire/kernel';
import { z } from 'zod';
import { LoggedRequest } from '../api/request-log';
import { webAddress } from '../api/text';
import { CHOSEN_EVENTS, REPORT_EVENTS, SECRET_OVERLAP_HOURS_MAX } from '../limits';
import { Id, Moment, MomentOrNull, NextCursor } from './fields';
import { Cost } from './prices';

export { LoggedRequest };

export const RequestList = z
  .object({
    requests: z
      .array(LoggedRequest)
      .describe('Newest first, of the last 7 days, a few seconds late. Of each key at most 100 requests a second are logged.'),
    next_cursor: NextCursor,
  })
  .meta({ id: 'RequestList' });
export type RequestList = z.infer<typeof RequestList>;

export const WebhookSecretState = z
  .object({
    secrets: z
      .array(z.object({ created_at: Moment, expires_at: MomentOrNull.describe('Null: it does not expire.') }))
      .describe('The secrets that sign now, newest first; empty before the first one was created.'),
  })
  .meta({ id: 'WebhookSecretState' });
export type WebhookSecretState = z.infer<typeof WebhookSecretState>;

export const RotateWebhookSecretRequest = z
  .object({
    overlap_hours: z.int().min(0).max(SECRET_OVERLAP_HOURS_MAX).describe('How long the previous secret signs too; 0: it ends now.'),
  })
  .meta({ id: 'RotateWebhookSecretRequest' });
export type RotateWebhookSecretRequest = z.infer<typeof RotateWebhookSecretRequest>;

export const RotatedWebhookSecret = z
  .object({ secret: z.string().describe('whsec_…: shown only in this response.') })
  .meta({ id: 'RotatedWebhookSecret' });
export type RotatedWebhookSecret = z.infer<typeof RotatedWebhookSecret>;

export const WebhookEvents = z
  .object({
    events: z
      .array(z.enum(CHOSEN_EVENTS))
      .max(CHOSEN_EVENTS.length)
      .describe('What callback_url is notified of beside report.completed, which is always sent. Empty: nothing else.'),
  })
  .meta({ id: 'WebhookEvents' });
export type WebhookEvents = z.infer<typeof WebhookEvents>;

export const Delivery = z
  .object({
    callback_id: Id.describe('The webhook-id of every attempt.'),
    type: z.enum([...REPORT_EVENTS, 'callback.test']),
    report_id: Id.nullable(),
    url: z.string().describe('Empty when the report was discarded.'),
    state: z.enum(['pending', 'delivered', 'abandoned']),
    queued_at: Moment,
    next_attempt_at: MomentOrNull,
    attempt_count: z.int(),
    http_status: z.int().nullable().describe('Of the latest finished attempt.'),
    failure: z.enum(['forbidden', 'unreachable', 'timeout', 'bad_url', 'internal_error', 'sandbox']).nullable(),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryList = z
  .object({ deliveries: z.array(Delivery).describe('Newest first.'), next_cursor: NextCursor })
  .meta({ id: 'DeliveryList' });
export type DeliveryList = z.infer<typeof DeliveryList>;

export const DeliveryDetail = z
  .object({
    delivery: Delivery,
    body: z.string(),
    attempts: z
      .array(
        z.object({
          number: z.int(),
          started_at: Moment,
          duration_ms: z.int(),
          http_status: z.int().nullable(),
          failure: z.string().nullable(),
          answer: z.string().nullable().describe('The beginning of the response, as untrusted text: never markup.'),
        }),
      )
      .describe('Oldest first.'),
  })
  .meta({ id: 'DeliveryDetail' });
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

export const SendTestRequest = z.object({ url: webAddress(['https:', 'http:']) }).meta({ id: 'SendTestRequest' });
export type SendTestRequest = z.infer<typeof SendTestRequest>;

const ERROR_CODES = Object.keys(ANALYSIS_ERRORS) as [keyof typeof ANALYSIS_ERRORS, ...(keyof typeof ANALYSIS_ERRORS)[]];

export const Usage = z
  .object({
    project_id: Id,
    from: z.iso.date(),
    to: z.iso.date().describe('Included.'),
    days: z
      .array(
        z.object({
          day: z.iso.date().describe('In the time zone of the project.'),
          reports: z.int().describe('Created that day; imported reports are not counted.'),
          images: z.int().describe('Images submitted or registered that day; a replacement counts again.'),
          failures: z.partialRecord(z.enum(ERROR_CODES), z.int()).describe('Images that failed that day, by code.'),
          callbacks: z.int().describe('Queued that day.'),
          callbacks_delivered: z.int(),
        }),
      )
      .describe('Every day of the period, also days without any.'),
    cost: Cost.nullable().describe('Null for roles without prices.manage, for test projects, and where no day had a price.'),
  })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof Usage>;
