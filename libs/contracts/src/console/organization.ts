import { z } from 'zod';
import { EmailAddress, Id, Moment, MomentOrNull, Name, NextCursor, RoleSchema } from './fields';

export const Organization = z.object({ organization_id: Id, name: z.string(), created_at: Moment }).meta({ id: 'Organization' });
export type Organization = z.infer<typeof Organization>;

export const RenameRequest = z.object({ name: Name }).meta({ id: 'RenameRequest' });
export type RenameRequest = z.infer<typeof RenameRequest>;

export const Member = z
  .object({ user_id: Id, email: z.string(), name: z.string(), role: RoleSchema, totp_enabled: z.boolean(), joined_at: Moment })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

export const MemberList = z.object({ members: z.array(Member) }).meta({ id: 'MemberList' });
export type MemberList = z.infer<typeof MemberList>;

export const ChangeRoleRequest = z.object({ role: RoleSchema }).meta({ id: 'ChangeRoleRequest' });
export type ChangeRoleRequest = z.infer<typeof ChangeRoleRequest>;

export const InviteRequest = z.object({ email: EmailAddress, role: RoleSchema }).meta({ id: 'InviteRequest' });
export type InviteRequest = z.infer<typeof InviteRequest>;

export const Invitation = z
  .object({ invitation_id: Id, email: z.string(), role: RoleSchema, invited_by: z.string(), created_at: Moment, expires_at: Moment })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;

export const IssuedInvitation = z
  .object({
    invitation: Invitation,
    link: z.string().describe('Shown only in this response: everyone who has the link can join. Its secret is in the fragment.'),
  })
  .meta({ id: 'IssuedInvitation' });
export type IssuedInvitation = z.infer<typeof IssuedInvitation>;

export const InvitationList = z
  .object({ invitations: z.array(Invitation).describe('Those that can still be accepted.') })
  .meta({ id: 'InvitationList' });
export type InvitationList = z.infer<typeof InvitationList>;

export const AUDITED_ACTIONS = [
  'session.started',
  'session.ended',
  'session.refused',
  'account.renamed',
  'password.changed',
  'totp.enabled',
  'totp.disabled',
  'recovery_codes.renewed',
  'openid.connected',
  'organization.renamed',
  'invitation.issued',
  'invitation.revoked',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'project.created',
  'project.renamed',
  'key.issued',
  'key.revoked',
  'webhook_secret.rotated',
  'callback.resent',
  'callback.tested',
  'report.created',
  'report.images_registered',
  'report.analyzed',
  'report.published',
  'report.share_reissued',
  'report.share_revoked',
  'report.discarded',
] as const;
export type AuditedAction = (typeof AUDITED_ACTIONS)[number];

export const AuditEntry = z
  .object({
    entry_id: Id,
    at: Moment,
    actor: z.object({ user_id: Id, email: z.string() }).nullable().describe('Null: the command line.'),
    action: z.enum(AUDITED_ACTIONS),
    project_id: Id.nullable(),
    subject: z.string().nullable().describe('The target of the change: an id or an e-mail address.'),
    details: z.record(z.string(), z.string()).describe('For example {"from": "support", "to": "developer"}. Never a secret.'),
    address: z.string().describe('The client address.'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditLog = z
  .object({ entries: z.array(AuditEntry).describe('Newest first.'), next_cursor: NextCursor })
  .meta({ id: 'AuditLog' });
export type AuditLog = z.infer<typeof AuditLog>;

export const Project = z
  .object({ project_id: Id, organization_id: Id, name: z.string(), mode: z.enum(['test', 'live']), created_at: Moment })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

export const ProjectList = z.object({ projects: z.array(Project) }).meta({ id: 'ProjectList' });
export type ProjectList = z.infer<typeof ProjectList>;

export const CreateProjectRequest = z
  .object({
    name: Name,
    mode: z.enum(['test', 'live']).describe('An organization has at most one test project, and any number of live ones.'),
  })
  .meta({ id: 'CreateProjectRequest' });
export type CreateProjectRequest = z.infer<typeof CreateProjectRequest>;

export const KeyScope = z.enum(['report:read', 'report:write', 'report:publish', 'report:discard', 'report:*']).meta({ id: 'KeyScope' });

export const ApiKey = z
  .object({
    key_id: Id,
    name: z.string(),
    shown: z.string().describe('The beginning and the end of the key, to tell it from others.'),
    scopes: z.array(KeyScope),
    created_at: Moment,
    last_used_at: MomentOrNull,
    revoked_at: MomentOrNull,
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

export const KeyList = z.object({ keys: z.array(ApiKey) }).meta({ id: 'KeyList' });
export type KeyList = z.infer<typeof KeyList>;

export const IssueKeyRequest = z.object({ name: Name, scopes: z.array(KeyScope).min(1).max(5) }).meta({ id: 'IssueKeyRequest' });
export type IssueKeyRequest = z.infer<typeof IssueKeyRequest>;

export const IssuedApiKey = z
  .object({ key: ApiKey, value: z.string().describe('The whole key: shown only in this response.') })
  .meta({ id: 'IssuedApiKey' });
export type IssuedApiKey = z.infer<typeof IssuedApiKey>;
