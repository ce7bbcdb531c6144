import { ChangeVisitRequest, VisitAnswer, VisitDetails, VisitList, VisitSearch } from '../console/customers';
import type { Operation } from './operation';
import { PROJECT, PROJECT_REPORT } from './paths';

const VISIT = `${PROJECT_REPORT}/visit` as const;

export const CUSTOMER_OPERATIONS = {
  getVisit: {
    method: 'get',
    console: { path: VISIT, access: 'reports.read' },
    summary: 'The customer of a report, masked.',
    responses: [{ status: 200, schema: VisitAnswer }],
    errors: ['report_discarded', 'report_purge_pending'],
  },
  changeVisit: {
    method: 'patch',
    console: { path: VISIT, access: 'customers.manage' },
    summary: 'Record or change the customer of a report, and the consent.',
    description: 'What is omitted stays; null removes it. A withdrawn consent stops messages that wait.',
    body: { schema: ChangeVisitRequest },
    responses: [{ status: 200, schema: VisitAnswer }],
    errors: ['report_discarded', 'report_purge_pending'],
  },
  showVisit: {
    method: 'post',
    console: { path: `${VISIT}/show`, access: 'customers.manage' },
    summary: 'The whole values of the customer. The audit log records who read them.',
    responses: [{ status: 200, schema: VisitDetails }],
  },
  removeVisit: {
    method: 'delete',
    console: { path: VISIT, access: 'customers.manage' },
    summary: 'Remove everything about the customer of a report. Repeatable.',
    description:
      'Messages that wait are stopped, and the receivers of sent ones are removed. 409 conflict with `param` legal_hold: the report is under legal hold.',
    responses: [{ status: 204 }],
    errors: ['conflict', 'report_discarded', 'report_purge_pending'],
  },
  searchVisits: {
    method: 'post',
    console: { path: `${PROJECT}/visits/search`, access: 'customers.manage' },
    summary: 'Find reports by the whole phone number of the customer.',
    description: 'A POST, so that the number is in no address.',
    body: { schema: VisitSearch },
    responses: [{ status: 200, schema: VisitList }],
  },
} as const satisfies Record<string, Operation>;
