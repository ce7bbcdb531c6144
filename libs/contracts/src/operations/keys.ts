import { IssueKeyRequest, IssuedApiKey, KeyList } from '../console/organization';
import type { Operation } from './operation';
import { PROJECT } from './paths';

export const KEY_OPERATIONS = {
  listKeys: {
    method: 'get',
    console: { path: `${PROJECT}/keys`, access: 'keys.read' },
    summary: 'The API keys of the project, also those that were revoked.',
    responses: [{ status: 200, schema: KeyList }],
  },
  issueKey: {
    method: 'post',
    console: { path: `${PROJECT}/keys`, access: 'keys.manage' },
    summary: 'Issue an API key; its whole value is shown only in this response.',
    body: { schema: IssueKeyRequest },
    responses: [{ status: 201, schema: IssuedApiKey }],
  },
  /**
   * Owners and administrators of the organization may revoke a key, because their roles have keys.manage (`console/roles.ts`). So may the
   * operator at the command line (`revoke-key`). No API key may.
   */
  revokeKey: {
    method: 'delete',
    console: { path: `${PROJECT}/keys/{key_id}`, access: 'keys.manage' },
    summary: 'Revoke an API key; it stops working within a second. Repeatable.',
    responses: [{ status: 204 }],
  },
} as const satisfies Record<string, Operation>;
