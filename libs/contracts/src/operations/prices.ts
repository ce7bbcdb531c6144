import { ReportPrice, ReportPrices } from '../console/prices';
import type { Operation } from './operation';
import { day } from './parameters';
import { PROJECT } from './paths';

export const PRICE_OPERATIONS = {
  listReportPrices: {
    method: 'get',
    console: { path: `${PROJECT}/report-prices`, access: 'prices.manage' },
    summary: 'What a report costs, and since when.',
    responses: [{ status: 200, schema: ReportPrices }],
  },
  setReportPrice: {
    method: 'post',
    console: { path: `${PROJECT}/report-prices`, access: 'prices.manage' },
    summary: 'Set what a report costs from a day on.',
    description: 'Replaces a price that was set for the same day. A test project has no price (409 conflict): its reports cost nothing.',
    body: { schema: ReportPrice },
    responses: [{ status: 200, schema: ReportPrices }],
    errors: ['conflict'],
  },
  removeReportPrice: {
    method: 'delete',
    console: { path: `${PROJECT}/report-prices`, access: 'prices.manage' },
    summary: 'Remove a price whose day is in the future. Repeatable.',
    description: 'A price that has begun stays (409 conflict): another one can be set from its day on.',
    query: { valid_from: day('The first day with this price.') },
    responses: [{ status: 200, schema: ReportPrices }],
    errors: ['conflict'],
  },
} as const satisfies Record<string, Operation>;
