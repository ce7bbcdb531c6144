import { isRetention, RETENTION_KINDS } from '@tire/kernel';
import { z } from 'zod';
import { HOLD_REASON_LENGTH_MAX } from '../limits';
import { text } from '../api/text';
import { Id, Moment } from './fields';
import { Person } from './reports';

const Kind = z.enum(RETENTION_KINDS as [(typeof RETENTION_KINDS)[number], ...(typeof RETENTION_KINDS)[number][]]);

export const Retention = z
  .object({
    rules: z.array(
      z.object({
        kind: Kind,
        days: z.int().nullable().describe('What the project chose; null: the default. 0: no end of its own.'),
        default_days: z.int().describe('The default of the installation, for this project.'),
      }),
    ),
  })
  .meta({ id: 'Retention' });
export type Retention = z.infer<typeof Retention>;

export const ChangeRetentionRequest = z
  .object({
    kind: Kind,
    days: z.int().nullable().describe('Null: the default again.'),
    password: text(1_024, 1).optional().describe('That of the account, again. Needed where what is kept ends earlier than before.'),
  })
  .refine(({ kind, days }) => isRetention(kind, days), { path: ['days'], error: 'is out of the bounds of its kind.' })
  .meta({ id: 'ChangeRetentionRequest' });
export type ChangeRetentionRequest = z.infer<typeof ChangeRetentionRequest>;

export const HoldRequest = z
  .object({ reason: text(HOLD_REASON_LENGTH_MAX, 1).describe('Why nothing of the report may be removed.') })
  .meta({ id: 'HoldRequest' });

export const ReleaseRequest = z
  .object({
    password: text(1_024, 1).optional().describe('That of the account, again. Needed where the report was discarded: its data is removed.'),
  })
  .meta({ id: 'ReleaseRequest' });

export const HoldList = z
  .object({
    holds: z
      .array(
        z.object({
          report_id: Id,
          plate_number: z.string().nullable(),
          reason: z.string(),
          held_at: Moment,
          held_by: Person.nullable(),
          is_discarded: z
            .boolean()
            .describe('The report was discarded while it was held: nobody reads it, and its data goes when the hold ends.'),
        }),
      )
      .describe('All of the project, at most 1,000.'),
  })
  .meta({ id: 'HoldList' });
export type HoldList = z.infer<typeof HoldList>;
