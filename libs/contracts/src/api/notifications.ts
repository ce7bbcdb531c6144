import { isUuid } from '@tire/kernel';
import { z } from 'zod';
import { LISTENED_HOURS, REPORT_EVENTS } from '../limits';
import { DateTime, RequestedTime, Uri, Uuid } from './common';

/** The bodies of callbacks. */

const links = z.object({ self: Uri, content: Uri, share: Uri.nullable() });
const partnerIds = { external_inspection_id: z.string().nullable(), external_vehicle_id: z.string().nullable() };

const SAYS_WHEN = 'Says when to read. Fields may be added; ignore those you do not know.';

function notification<Type extends string, Data extends z.ZodObject>(id: string, type: Type, data: Data) {
  return z.object({ type: z.literal(type), timestamp: DateTime, data }).meta({ id, description: SAYS_WHEN });
}

const ended = <Status extends string>(status: Status) =>
  z.object({ report_id: Uuid, analysis_status: z.literal(status), analysis_revision: Uuid, ...partnerIds, links });

export const ReportCompleted = notification('ReportCompleted', 'report.completed', ended('complete'));
export type ReportCompleted = z.infer<typeof ReportCompleted>;

export const ReportPartial = notification('ReportPartial', 'report.partial', ended('partial'));
export type ReportPartial = z.infer<typeof ReportPartial>;

export const ReportFailed = notification('ReportFailed', 'report.failed', ended('failed'));
export type ReportFailed = z.infer<typeof ReportFailed>;

export const ContentReady = notification(
  'ContentReady',
  'content.ready',
  z.object({
    report_id: Uuid,
    analysis_revision: Uuid,
    content_revision: Uuid,
    ...partnerIds,
    links: links.extend({ canonical: Uri }),
  }),
);
export type ContentReady = z.infer<typeof ContentReady>;

export const ShareRevoked = notification('ShareRevoked', 'share.revoked', z.object({ report_id: Uuid, ...partnerIds, links }));
export type ShareRevoked = z.infer<typeof ShareRevoked>;

export const CaptureFinished = notification(
  'CaptureFinished',
  'capture.finished',
  z.object({ report_id: Uuid, finished_at: DateTime, ...partnerIds, links }),
);
export type CaptureFinished = z.infer<typeof CaptureFinished>;

export type ReportNotification = ReportCompleted | ReportPartial | ReportFailed | ContentReady | ShareRevoked | CaptureFinished;

export const ReplayRequest = z
  .object({
    queued_from: RequestedTime.describe('Those that were queued then or later.'),
    queued_before: RequestedTime.describe('Those that were queued before then.'),
    state: z.enum(['delivered', 'abandoned']).nullish().describe('Omitted: both.'),
    types: z.array(z.enum(REPORT_EVENTS)).min(1).nullish().describe('Omitted: all.'),
    cursor: z.string().refine(isUuid, 'is not one of a replay.').nullish().describe('next_cursor of the part before.'),
  })
  .meta({ id: 'ReplayRequest' });
export type ReplayRequest = z.infer<typeof ReplayRequest>;

export const ReplayResponse = z
  .object({
    replayed: z.int().min(0),
    next_cursor: z.string().nullable().meta({ description: 'The cursor of the next part; null where nothing is left in the period.' }),
  })
  .meta({ id: 'ReplayResponse' });
export type ReplayResponse = z.infer<typeof ReplayResponse>;

const ListenedCallback = z
  .object({
    callback_id: Uuid.meta({ description: 'The `webhook-id`. A callback to a `callback_url` has the same.' }),
    type: z.enum(REPORT_EVENTS),
    report_id: Uuid,
    queued_at: DateTime,
    headers: z.record(z.string(), z.string()).meta({
      description: 'The headers of a callback, signed now with the secret of the project.',
      examples: [{ 'webhook-id': '01978a34-9d00-7000-8000-000000000009' }],
    }),
    body: z.string().meta({ description: 'The body of the callback, byte by byte: the signature is over this text in UTF-8.' }),
  })
  .meta({ id: 'ListenedCallback' });

export const ListenedCallbacks = z
  .object({
    callbacks: z.array(ListenedCallback).meta({ description: 'The oldest first.' }),
    next_cursor: z.string().meta({ description: 'The `after` of the next request.' }),
    recorded_since: DateTime.meta({
      description:
        `What was sent before is not there. A later time than in the answer before says that something was missed: nobody had listened for so ` +
        `long that the recording ended, or what \`after\` leads to was forgotten. What was recorded can be read for ${LISTENED_HOURS} hours.`,
    }),
  })
  .meta({ id: 'ListenedCallbacks' });
export type ListenedCallbacks = z.infer<typeof ListenedCallbacks>;
