import { RequestList, Usage } from '../console/observation';
import { USAGE_DAYS_MAX } from '../limits';
import type { Operation } from './operation';
import { PAGE_BY_ID, day, optionalId } from './parameters';
import { PROJECT } from './paths';

const PERIOD = { from: day('First day, in UTC.'), to: day(`Last day, included; at most ${USAGE_DAYS_MAX} days.`) } as const;

export const USAGE_OPERATIONS = {
  listRequests: {
    method: 'get',
    console: { path: `${PROJECT}/requests`, access: 'request_log.read' },
    summary: 'Requests that keys of the project sent to the API in the last 7 days.',
    query: { ...PAGE_BY_ID, key_id: optionalId('Only those of one key.') },
    responses: [{ status: 200, schema: RequestList }],
    errors: ['validation_error'],
  },
  getUsage: {
    method: 'get',
    console: { path: `${PROJECT}/usage`, access: 'usage.read' },
    summary: 'Reports, images, failures and callbacks by day.',
    query: PERIOD,
    responses: [{ status: 200, schema: Usage }],
    errors: ['validation_error'],
  },
  getUsageCsv: {
    method: 'get',
    console: { path: `${PROJECT}/usage.csv`, access: 'usage.read' },
    summary: 'The same as a table: text/csv, one row a day.',
    query: PERIOD,
    responses: [{ status: 200 }],
    errors: ['validation_error'],
  },
} as const satisfies Record<string, Operation>;
