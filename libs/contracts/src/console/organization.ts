import { isTimeZone } from '@tire/kernel';
import { z } from 'zod';
import { KEY_SCOPES } from '../api/scopes';
import { text } from '../api/text';
import { BRANCH_LIMITS, LOGO_BYTES_MAX, PARTNER_LIMITS } from '../limits';

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
    mailed: z.boolean().describe('The person gets the link by e-mail too.'),
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
  'password.reset',
  'totp.enabled',
  'totp.disabled',
  'recovery_codes.renewed',
  'passkey.added',
  'passkey.renamed',
  'passkey.removed',
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
  'partner.changed',
  'partner.logo_changed',
  'partner.logo_removed',
  'project.time_zone_changed',
  'project.rule_changed',
  'vehicle.merged',
  'vehicle.split',
  'vehicle.change_undone',
  'vehicle.tire_judged',
  'vehicle.link_created',
  'vehicle.link_revoked',
  'project.kakao_key_changed',
  'branch.created',
  'branch.changed',
  'branch.archived',
  'branch.restored',
  'branch.logo_changed',
  'branch.logo_removed',
  'webhook_secret.rotated',
  'webhook_events.changed',
  'callback.resent',
  'callback.tested',
  'report.created',
  'report.images_registered',
  'report.analyzed',
  'report.size_confirmed',
  'report.handled',
  'report.not_handled',
  'report.gauge_set',
  'report.published',
  'report.share_reissued',
  'report.share_revoked',
  'report.discarded',
  'report.capture_issued',
  'report.capture_revoked',
  'capture_settings.changed',
  'training_use.changed',
  'retention.changed',
  'report.held',
  'report.released',
  'report_price.set',
  'report_price.removed',
  'reports.exported',
  'export_schedule.created',
  'export_schedule.changed',
  'export_schedule.removed',
  'export_file.opened',
  'report.sent',
  'message_template.changed',
  'visit.changed',
  'visit.shown',
  'visit.removed',
  'visit.consent_recorded',
  'visit.consent_withdrawn',
  'reminder.planned',
  'reminder.stopped',
  'erasure.requested',
  'erasure.confirmed',
  'erasure.cancelled',
  'erasure.done',
  'subject.exported',
] as const;
export type AuditedAction = (typeof AUDITED_ACTIONS)[number];

export const TrainingUse = z
  .object({
    is_allowed: z
      .boolean()
      .describe('Whether the operator may use gauge values, with their photographs, to calibrate and train models. False by default.'),
  })
  .meta({ id: 'TrainingUse' });
export type TrainingUse = z.infer<typeof TrainingUse>;

export const AuditEntry = z
  .object({
    entry_id: Id,
    at: Moment,
    actor: z.object({ user_id: Id, email: z.string() }).nullable().describe('Null: the command line.'),
    action: z.enum(AUDITED_ACTIONS),
    project_id: Id.nullable(),
    subject: z.string().nullable().describe('The target of the change: an id or an e-mail address.'),
    details: z.record(z.string(), z.string()).describe('For example {"from": "support", "to": "developer"}. Never a secret.'),
    address: z.string().describe('The client address; empty for the command line.'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditLog = z
  .object({ entries: z.array(AuditEntry).describe('Newest first.'), next_cursor: NextCursor })
  .meta({ id: 'AuditLog' });
export type AuditLog = z.infer<typeof AuditLog>;

export const Project = z
  .object({
    project_id: Id,
    organization_id: Id,
    name: z.string(),
    mode: z.enum(['test', 'live']),
    time_zone: z
      .string()
      .nullable()
      .describe('The IANA name of the zone of its days. Null: usage is counted in UTC, and pages show Korea time, until a zone is chosen.'),
    kakao_key: z.string().nullable().describe('The public JavaScript key of KakaoTalk. Null: links are shared without it.'),
    created_at: Moment,
  })
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

export const Partner = z
  .object({
    name: z.string().nullable(),
    phone: z.string().nullable(),
    address: z.string().nullable().describe('Shown where a report has no branch, as are the opening hours.'),
    opening_hours: z.string().nullable(),
    logo: z
      .object({
        url: z.string().nullable().describe('Valid for some minutes. Null while it cannot be made.'),
        width_px: z.int(),
        height_px: z.int(),
      })
      .nullable(),
  })
  .meta({ id: 'Partner' });
export type Partner = z.infer<typeof Partner>;

export const ChangePartnerRequest = z
  .object({
    name: text(PARTNER_LIMITS.name).nullable().describe('Null or empty: no name is shown.'),
    phone: text(PARTNER_LIMITS.phone)
      .nullable()
      .describe('With the code of the country (+82 2 123 4567) or without (02-123-4567). Null or empty: no number is shown.'),
    address: text(PARTNER_LIMITS.address).nullish().describe('Absent: as before. Null or empty: none is shown.'),
    opening_hours: text(PARTNER_LIMITS.openingHours)
      .nullish()
      .describe('May have several lines. Absent: as before. Null or empty: none are shown.'),
  })
  .meta({ id: 'ChangePartnerRequest' });
export type ChangePartnerRequest = z.infer<typeof ChangePartnerRequest>;

export const ChangeTimeZoneRequest = z
  .object({
    time_zone: text(64, 1)
      .refine(isTimeZone, 'must be the IANA name of a time zone, as in Asia/Seoul')
      .describe('The IANA name of a time zone, as in Asia/Seoul.'),
  })
  .meta({ id: 'ChangeTimeZoneRequest' });
export type ChangeTimeZoneRequest = z.infer<typeof ChangeTimeZoneRequest>;

export const ChangeKakaoKeyRequest = z
  .object({
    kakao_key: text(32, 32)
      .regex(/^[0-9a-f]+$/, 'must be a JavaScript key of Kakao: 32 digits and letters a to f')
      .nullable()
      .describe(
        'The JavaScript key of an application at Kakao Developers, where the origin of the console is registered. It is public. Null: none.',
      ),
  })
  .meta({ id: 'ChangeKakaoKeyRequest' });
export type ChangeKakaoKeyRequest = z.infer<typeof ChangeKakaoKeyRequest>;

const Logo = Partner.shape.logo;

export const Branch = z
  .object({
    branch_id: Id,
    name: z.string(),
    phone: z.string().nullable(),
    address: z.string().nullable(),
    opening_hours: z.string().nullable(),
    logo: Logo,
    archived_at: MomentOrNull.describe('Not null: it takes no new reports. Pages of its reports still show it.'),
    created_at: Moment,
  })
  .meta({ id: 'Branch' });
export type Branch = z.infer<typeof Branch>;

export const BranchList = z
  .object({ branches: z.array(Branch).describe(`Oldest first, with the archived ones; at most ${BRANCH_LIMITS.branches}.`) })
  .meta({ id: 'BranchList' });
export type BranchList = z.infer<typeof BranchList>;

export const CreateBranchRequest = z
  .object({
    name: text(BRANCH_LIMITS.name, 1).refine((name) => name.trim() !== '', 'must not be blank'),
    phone: text(BRANCH_LIMITS.phone).nullish(),
    address: text(BRANCH_LIMITS.address).nullish(),
    opening_hours: text(BRANCH_LIMITS.openingHours).nullish().describe('May have several lines.'),
  })
  .meta({ id: 'CreateBranchRequest' });
export type CreateBranchRequest = z.infer<typeof CreateBranchRequest>;

export const ChangeBranchRequest = CreateBranchRequest.extend({
  archived: z.boolean().default(false).describe('An archived branch takes no new reports.'),
}).meta({ id: 'ChangeBranchRequest' });
export type ChangeBranchRequest = z.infer<typeof ChangeBranchRequest>;

const LOGO_BASE64_MAX = 4 * Math.ceil(LOGO_BYTES_MAX / 3);

export const ChangeLogoRequest = z
  .object({
    image: text(LOGO_BASE64_MAX, 1).describe(
      'A PNG or JPEG of at most 512 KiB in base64. Pages show a small copy of it, without metadata.',
    ),
  })
  .meta({ id: 'ChangeLogoRequest' });
export type ChangeLogoRequest = z.infer<typeof ChangeLogoRequest>;

export const KeyScope = z.enum(KEY_SCOPES).meta({ id: 'KeyScope' });
export type KeyScope = z.infer<typeof KeyScope>;

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

export const IssueKeyRequest = z
  .object({ name: Name, scopes: z.array(KeyScope).min(1).max(KEY_SCOPES.length) })
  .meta({ id: 'IssueKeyRequest' });
export type IssueKeyRequest = z.infer<typeof IssueKeyRequest>;

export const IssuedApiKey = z
  .object({ key: ApiKey, value: z.string().describe('The whole key: shown only in this response.') })
  .meta({ id: 'IssuedApiKey' });
export type IssuedApiKey = z.infer<typeof IssuedApiKey>;
