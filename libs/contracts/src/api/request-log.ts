import { z } from 'zod';
import { DateTime, Uuid } from './common';

export const LoggedRequest = z
  .object({
    at: DateTime,
    key_id: Uuid,
    method: z.string(),
    path: z.string().describe('Without its query.'),
    status: z.int(),
    duration_ms: z.int(),
    request_id: z.string(),
  })
  .meta({ id: 'LoggedRequest' });
export type LoggedRequest = z.infer<typeof LoggedRequest>;

export const LoggedRequests = z
  .object({
    requests: z
      .array(LoggedRequest)
      .meta({ description: 'In the order in which they were written, which is a few seconds after their answer.' }),
    next_cursor: z.string().meta({ description: 'The `after` of the next request.' }),
  })
  .meta({ id: 'LoggedRequests' });
export type LoggedRequests = z.infer<typeof LoggedRequests>;
