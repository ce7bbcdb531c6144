import { ReportPrice, ReportPrices } from '../console/prices';
import type { Operation } from './operation';
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
} as const satisfies Record<string, Operation>;
