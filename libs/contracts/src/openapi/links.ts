import { API_OPERATIONS, type ApiOperation } from '../operations';

/** Where a parameter of an operation comes from in the response to another one. */
type Parameters = Readonly<Record<string, string>>;

interface Link {
  readonly operationId: string;
  readonly parameters: Parameters;
  readonly description: string;
}

const OF_A_REPORT = '$response.body#/report_id';

/** What takes the id of a report and nothing else. */
const ON_A_REPORT = API_OPERATIONS.filter(({ path }) => (path.match(/\{\w+\}/g) ?? []).join() === '{report_id}');

const LINKS: Readonly<Record<string, Link>> = {
  ...Object.fromEntries(
    ON_A_REPORT.map(({ operationId, summary }): [string, Link] => [
      operationId,
      { operationId, parameters: { report_id: OF_A_REPORT }, description: summary },
    ]),
  ),
  getVehicle: {
    operationId: 'getVehicle',
    parameters: { external_vehicle_id: '$request.body#/external_vehicle_id' },
    description: 'The vehicle of the report, if one was named.',
  },
  getContentRevision: {
    operationId: 'getContentRevision',
    parameters: { report_id: OF_A_REPORT, content_revision: '$response.body#/content_revision' },
    description: 'The same content, at the address that never changes.',
  },
  listedReport: {
    operationId: 'getReport',
    parameters: { report_id: '$response.body#/reports/0/report_id' },
    description: 'The first report of the page.',
  },
  nextPage: {
    operationId: 'listReports',
    parameters: { cursor: '$response.body#/next_cursor' },
    description: 'The next page, unless next_cursor is null.',
  },
  laterCallbacks: {
    operationId: 'listenToCallbacks',
    parameters: { after: '$response.body#/next_cursor' },
    description: 'What happens later.',
  },
  laterRequests: {
    operationId: 'tailRequests',
    parameters: { after: '$response.body#/next_cursor' },
    description: 'What is logged later.',
  },
};

const OF_A_CREATION = [...ON_A_REPORT.map(({ operationId }) => operationId), 'getVehicle'];

const LINKS_AT: Readonly<Record<string, readonly string[]>> = {
  'createReport 201': OF_A_CREATION,
  'createReport 202': OF_A_CREATION,
  'getContent 200': ['getContentRevision'],
  'listReports 200': ['listedReport', 'nextPage'],
  'listenToCallbacks 200': ['laterCallbacks'],
  'tailRequests 200': ['laterRequests'],
};

/** What the response to an operation leads to. */
export function linksOf({ operationId }: ApiOperation, status: number): object {
  const names = LINKS_AT[`${operationId} ${status}`];
  return names ? { links: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/links/${name}` }])) } : {};
}

export const linkComponents = (): object => LINKS;
