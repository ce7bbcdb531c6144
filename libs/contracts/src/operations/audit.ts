import { AuditLog } from '../console/organization';
import type { Operation } from './operation';
import { PAGE_BY_ID, optionalId } from './parameters';
import { ORGANIZATION } from './paths';

export const AUDIT_OPERATIONS = {
  listAuditLog: {
    method: 'get',
    console: { path: `${ORGANIZATION}/audit-log`, access: 'audit_log.read' },
    summary: 'What was done, by whom and from where.',
    query: { ...PAGE_BY_ID, project_id: optionalId('Only what was done in one project.') },
    responses: [{ status: 200, schema: AuditLog }],
  },
} as const satisfies Record<string, Operation>;
