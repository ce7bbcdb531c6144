import {
  ChangeRoleRequest,
  InvitationList,
  InviteRequest,
  IssuedInvitation,
  MemberList,
  Organization,
  RenameRequest,
} from '../console/organization';
import type { Operation } from './operation';
import { ORGANIZATION } from './paths';

export const ORGANIZATION_OPERATIONS = {
  getOrganization: {
    method: 'get',
    console: { path: ORGANIZATION, access: 'reports.read' },
    summary: 'One organization of the user.',
    responses: [{ status: 200, schema: Organization }],
  },
  renameOrganization: {
    method: 'patch',
    console: { path: ORGANIZATION, access: 'organization.manage' },
    summary: 'Rename the organization.',
    body: { schema: RenameRequest },
    responses: [{ status: 200, schema: Organization }],
  },
  listMembers: {
    method: 'get',
    console: { path: `${ORGANIZATION}/members`, access: 'members.read' },
    summary: 'Who belongs to the organization.',
    responses: [{ status: 200, schema: MemberList }],
  },
  changeRole: {
    method: 'patch',
    console: { path: `${ORGANIZATION}/members/{user_id}`, access: 'members.manage' },
    summary: 'Give a member another role.',
    description: '403: only an owner may make someone an owner or change an owner. 409 conflict: an organization keeps at least one owner.',
    body: { schema: ChangeRoleRequest },
    responses: [{ status: 204 }],
    errors: ['conflict'],
  },
  removeMember: {
    method: 'delete',
    console: { path: `${ORGANIZATION}/members/{user_id}`, access: 'signed_in' },
    summary: 'Remove a member; members may remove themselves.',
    description: '403: only an owner may remove an owner. 409 conflict: an organization keeps at least one owner.',
    responses: [{ status: 204 }],
    errors: ['forbidden', 'conflict'],
  },
  listInvitations: {
    method: 'get',
    console: { path: `${ORGANIZATION}/invitations`, access: 'members.manage' },
    summary: 'Invitations that are open.',
    responses: [{ status: 200, schema: InvitationList }],
  },
  invite: {
    method: 'post',
    console: { path: `${ORGANIZATION}/invitations`, access: 'members.manage' },
    summary: 'Invite somebody. Where the installation sends no mail, the inviter sends the link.',
    description:
      'Valid for seven days and one use. An open invitation of the same address is revoked. 409 conflict: the address is a member already.',
    body: { schema: InviteRequest },
    responses: [{ status: 201, schema: IssuedInvitation }],
    errors: ['conflict'],
  },
  revokeInvitation: {
    method: 'delete',
    console: { path: `${ORGANIZATION}/invitations/{invitation_id}`, access: 'members.manage' },
    summary: 'Revoke an invitation.',
    responses: [{ status: 204 }],
  },
} as const satisfies Record<string, Operation>;
