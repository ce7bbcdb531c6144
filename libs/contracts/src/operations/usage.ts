import { LoggedRequests } from '../api';
import { RequestList, Usage } from '../console/observation';
import { USAGE_DAYS_MAX } from '../limits';
import type { Operation } from './operation';
import { loggedRequestsExample } from './examples/request-log';
import { PAGE_BY_ID, POLL_LOG, day, optionalId } from './parameters';
import { PROJECT } from './paths';

const PERIOD = {
  from: day('First day, in the time zone of the project.'),
  to: day(`Last day, included; at most ${USAGE_DAYS_MAX} days.`),
} as const;

export const USAGE_OPERATIONS = {
  listRequests: {
    method: 'get',
    console: { path: `${PROJECT}/requests`, access: 'request_log.read' },
    summary: 'Requests that keys of the project sent to the API in the last 7 days.',
    query: { ...PAGE_BY_ID, key_id: optionalId('Only those of one key.') },
    responses: [{ status: 200, schema: RequestList }],
    errors: ['validation_error'],
  },
  tailRequests: {
    method: 'get',
    api: { path: '/requests', scope: 'report:*', tag: 'Request log', additional: true },
    summary: 'Read the request log of the project as it is written.',
    description:
      'What all keys of the project request, as the console shows it: without queries, bodies and answers. Needs all scopes, because it shows ' +
      'what other keys do. A request without `after` tells where to begin; the next one gets up to 100 requests, or waits for one. Successful ' +
      'requests of this kind are left out. A key may wait with 4 requests at once and a project with 8; more get 429.',
    query: POLL_LOG,
    refusesUnknownQuery: true,
    waits: true,
    responses: [
      {
        status: 200,
        description: 'What was written after the cursor; nothing if nothing was.',
        schema: LoggedRequests,
        examples: { one: loggedRequestsExample },
      },
    ],
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
    summary: 'The same as a table: text/csv, one row a day, and one for each sum of money.',
    query: PERIOD,
    responses: [{ status: 200 }],
    errors: ['validation_error'],
  },
} as const satisfies Record<string, Operation>;
