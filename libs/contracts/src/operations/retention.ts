import { ChangeRetentionRequest, HoldList, HoldRequest, ReleaseRequest, Retention } from '../console/retention';
import type { Operation } from './operation';
import { optionalId } from './parameters';
import { PROJECT, PROJECT_REPORT } from './paths';

export const RETENTION_OPERATIONS = {
  getRetention: {
    method: 'get',
    console: { path: `${PROJECT}/retention`, access: 'projects.read' },
    summary: 'For how long the project keeps what.',
    responses: [{ status: 200, schema: Retention }],
  },
  changeRetention: {
    method: 'patch',
    console: { path: `${PROJECT}/retention`, access: 'retention.manage' },
    summary: 'Choose for how long one kind is kept. What is older then is removed within an hour, and does not come back.',
    body: { schema: ChangeRetentionRequest },
    responses: [{ status: 200, schema: Retention }],
  },
  listHolds: {
    method: 'get',
    console: { path: `${PROJECT}/legal-holds`, access: 'holds.manage' },
    summary: 'Reports under legal hold, with discarded ones.',
    query: { report_id: optionalId('Only this report.') },
    responses: [{ status: 200, schema: HoldList }],
  },
  holdReport: {
    method: 'post',
    console: { path: `${PROJECT_REPORT}/legal-hold`, access: 'holds.manage' },
    summary: 'Put a report under legal hold: nothing removes its data until the hold is released. A discard ends access only.',
    description: '409 conflict: the project holds as many reports as it can. A second hold replaces the reason.',
    body: { schema: HoldRequest },
    responses: [{ status: 204 }],
    errors: ['conflict', 'report_discarded', 'report_purge_pending'],
  },
  releaseReport: {
    method: 'delete',
    console: { path: `${PROJECT_REPORT}/legal-hold`, access: 'holds.manage' },
    summary: 'Release a report from legal hold. If it was discarded meanwhile, its data is removed now. Repeatable.',
    body: { schema: ReleaseRequest, optional: true },
    responses: [{ status: 204 }],
  },
} as const satisfies Record<string, Operation>;
