import { ANALYSIS_ERRORS } from '@tire/kernel';
import { z } from 'zod';
import { webAddress } from '../api/text';
import { Id, Moment, MomentOrNull, NextCursor } from './fields';

export const LoggedRequest = z
  .object({
    at: Moment,
    key_id: Id,
    method: z.string(),
    path: z.string().describe('Without its query.'),
    status: z.int(),
    duration_ms: z.int(),
    request_id: z.string(),
  })
  .meta({ id: 'LoggedRequest' });
export type LoggedRequest = z.infer<typeof LoggedRequest>;

export const RequestList = z
  .object({
    requests: z
      .array(LoggedRequest)
      .describe('Newest first; of the last 7 days; a few seconds late. Of a key that sends more than 100 a second the rest is left out.'),
    next_cursor: NextCursor,
  })
  .meta({ id: 'RequestList' });
export type RequestList = z.infer<typeof RequestList>;

export const WebhookSecretState = z
  .object({
    secrets: z
      .array(z.object({ created_at: Moment, expires_at: MomentOrNull.describe('Null: the one that stays.') }))
      .describe('Those that sign now, newest first; empty before the first one was made.'),
  })
  .meta({ id: 'WebhookSecretState' });
export type WebhookSecretState = z.infer<typeof WebhookSecretState>;

export const RotateWebhookSecretRequest = z
  .object({ overlap_hours: z.int().min(0).max(720).describe('How long the secret before it signs as well; 0: it ends now.') })
  .meta({ id: 'RotateWebhookSecretRequest' });
export type RotateWebhookSecretRequest = z.infer<typeof RotateWebhookSecretRequest>;

export const RotatedWebhookSecret = z
  .object({ secret: z.string().describe('whsec_…: shown this one time.') })
  .meta({ id: 'RotatedWebhookSecret' });
export type RotatedWebhookSecret = z.infer<typeof RotatedWebhookSecret>;

export const Delivery = z
  .object({
    callback_id: Id.describe('The webhook-id that the receiver sees in every attempt.'),
    type: z.enum(['report.completed', 'callback.test']),
    report_id: Id.nullable(),
    url: z.string().describe('Empty when the report was discarded.'),
    state: z.enum(['pending', 'delivered', 'abandoned']),
    queued_at: Moment,
    next_attempt_at: MomentOrNull,
    attempt_count: z.int(),
    http_status: z.int().nullable().describe('Of the newest attempt that has ended.'),
    failure: z.enum(['forbidden', 'unreachable', 'timeout', 'bad_url']).nullable(),
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
          answer: z.string().nullable().describe('Its beginning, as text of a stranger: never markup.'),
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
          day: z.iso.date().describe('In UTC.'),
          reports: z.int().describe('Created that day; what was imported is not counted.'),
          images: z.int().describe('Photographs submitted or registered that day; one that replaces another counts again.'),
          failures: z.partialRecord(z.enum(ERROR_CODES), z.int()).describe('Photographs that got no result that day, by code.'),
          callbacks: z.int().describe('Queued that day.'),
          callbacks_delivered: z.int(),
        }),
      )
      .describe('Every day between the two, also those without anything.'),
  })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof Usage>;
