import { URGENCIES } from '@tire/kernel';
import { z } from 'zod';
import { AnalysisStatus, CreationMode } from '../api/common';
import { text } from '../api/text';
import {
  BUCKET_LIMITS,
  EXPORT_ATTEMPTS_MAX,
  EXPORT_BYTES_MAX,
  EXPORT_FAULTS,
  EXPORT_FILES_SHOWN,
  EXPORT_FORMATS,
  EXPORT_FREQUENCIES,
  EXPORT_HOUR,
  EXPORT_KEPT_DAYS,
  EXPORT_KINDS,
  EXPORT_LANGUAGES,
  EXPORT_SCHEDULES_MAX,
  USUAL_COLUMNS,
} from '../limits';
import { Id, Moment, MomentOrNull } from './fields';

const Filters = z
  .strictObject({
    analysis_status: AnalysisStatus.optional(),
    mode: CreationMode.optional(),
    urgency: z.enum(URGENCIES).optional(),
    attention: z.enum(['open', 'unread', 'handled']).optional(),
  })
  .describe('As in the list of reports.');

/** Printable ASCII without spaces: a header holds it. */
const visible = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces');

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text.replace(/\/$/, '');

/** Plain keys only: such a key is the same in a signature, in an address and in a folder. */
const PREFIX = /^(?:[A-Za-z0-9_=.-]+\/)*$/;

const Address = z.object({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(BUCKET_LIMITS.endpoint)
    .refine(isOrigin, 'must be an address without a path')
    .transform((text) => text.replace(/\/$/, ''))
    .meta({
      type: 'string',
      description: 'Address of the S3 server, https. The bucket is named in the path.',
      example: 'https://s3.ap-northeast-2.amazonaws.com',
    }),
  region: z
    .string()
    .max(BUCKET_LIMITS.region)
    .regex(/^[a-z0-9-]+$/, 'must be a region, as ap-northeast-2')
    .meta({ example: 'ap-northeast-2' }),
  bucket: z
    .string()
    .min(3)
    .max(BUCKET_LIMITS.bucket)
    .regex(/^[a-z0-9][a-z0-9.-]*$/, 'must be the name of a bucket'),
  prefix: z
    .string()
    .max(BUCKET_LIMITS.prefix)
    .regex(PREFIX, 'must be folders that each end with a slash')
    .refine((prefix) => prefix.split('/').every((folder) => !/^\.{1,2}$/.test(folder)), 'must have no folder . or ..')
    .describe('What the names of the files begin with; may be empty.'),
  access_key_id: visible(BUCKET_LIMITS.accessKeyId),
});

const BucketRequest = Address.extend({
  secret_access_key: visible(BUCKET_LIMITS.secretAccessKey)
    .optional()
    .describe('Kept sealed and never shown. May be left out where endpoint, region, bucket and access key stay as they are.'),
});

const Columns = z
  .array(z.enum(USUAL_COLUMNS as [(typeof USUAL_COLUMNS)[number], ...(typeof USUAL_COLUMNS)[number][]]))
  .max(USUAL_COLUMNS.length)
  .refine((columns) => new Set(columns).size === columns.length, 'must have each column once');

const OF_SCHEDULE = {
  kind: z.enum(EXPORT_KINDS).describe('usage: reports, images, callbacks and money by day; as CSV only.'),
  frequency: z.enum(EXPORT_FREQUENCIES).describe('The period of a file, in the time zone of the project. Weeks begin on Monday.'),
  format: z.enum(EXPORT_FORMATS),
  language: z.enum(EXPORT_LANGUAGES).describe('Of the names of columns and states.'),
  columns: Columns.describe('Of reports. Never of customers: the files are not sealed.'),
  filters: Filters,
};

export const ExportScheduleRequest = z
  .object({
    ...OF_SCHEDULE,
    bucket: BucketRequest.nullable().describe('Your own bucket, which gets a copy of each file. Null: none.'),
    password: text(1_024, 1)
      .optional()
      .describe('That of the account, again. Needed with a new bucket, endpoint, region, access key or secret.'),
  })
  .superRefine(({ kind, format, columns }, context) => {
    if (kind === 'usage' && format !== 'csv') context.addIssue({ code: 'custom', path: ['format'], message: 'must be csv' });
    if (kind === 'reports' && columns.length === 0) context.addIssue({ code: 'custom', path: ['columns'], message: 'must have a column' });
  })
  .meta({ id: 'ExportScheduleRequest' });
export type ExportScheduleRequest = z.infer<typeof ExportScheduleRequest>;

export const ScheduledFile = z
  .object({
    file_id: Id,
    name: z.string(),
    first_day: z.iso.date(),
    last_day: z.iso.date(),
    state: z
      .enum(['waiting', 'stored', 'done', 'failed'])
      .describe(
        'waiting: it is being made, or will be. stored: it can be downloaded, and is not in the bucket yet. failed: no attempt follows.',
      ),
    attempts: z.int().describe(`${EXPORT_ATTEMPTS_MAX} at most, within about a day.`),
    fault: z.enum(EXPORT_FAULTS).nullable().describe('Why the last attempt failed.'),
    answer: z.string().nullable().describe('What the bucket answered to it, as 403 AccessDenied.'),
    next_attempt_at: MomentOrNull,
    size_bytes: z.int().nullable().describe('Null: it is not stored.'),
    sha256: z.string().nullable().describe('Of the content, in hexadecimal digits.'),
    stored_at: MomentOrNull,
    delivered_at: MomentOrNull,
    expires_at: Moment.describe(`It is removed then, ${EXPORT_KEPT_DAYS} days after its period.`),
  })
  .meta({ id: 'ScheduledFile' });
export type ScheduledFile = z.infer<typeof ScheduledFile>;

export const ExportSchedule = z
  .object({
    schedule_id: Id,
    ...OF_SCHEDULE,
    bucket: Address.extend({ endpoint: z.string() }).nullable(),
    next_first_day: z.iso.date().describe('The first day of the period whose file is made next.'),
    next_at: Moment.describe(`When that is: at ${EXPORT_HOUR} o'clock on the day after the period.`),
    created_at: Moment,
    files: z.array(ScheduledFile).describe(`The newest first, ${EXPORT_FILES_SHOWN} at most.`),
  })
  .meta({ id: 'ExportSchedule' });
export type ExportSchedule = z.infer<typeof ExportSchedule>;

export const ExportScheduleList = z
  .object({ schedules: z.array(ExportSchedule).describe(`The oldest first, ${EXPORT_SCHEDULES_MAX} at most.`) })
  .meta({ id: 'ExportScheduleList' });
export type ExportScheduleList = z.infer<typeof ExportScheduleList>;

export const FileAddress = z
  .object({
    url: z.string().describe(`Answers the file, of ${EXPORT_BYTES_MAX / 1024 / 1024} MiB at most, until it expires.`),
    expires_at: Moment,
  })
  .meta({ id: 'FileAddress' });
export type FileAddress = z.infer<typeof FileAddress>;
