import { z } from 'zod';
import { EmailAddress, Id, Moment, Name, NewPassword, OneTimeCode, PermissionSchema, RoleSchema } from './fields';
import { text } from '../api/text';

const Secret = text(512, 1);

export const SignInRequest = z.object({ email: EmailAddress, password: text(1_024, 1) }).meta({ id: 'SignInRequest' });
export type SignInRequest = z.infer<typeof SignInRequest>;

export const SignInAnswer = z
  .object({
    status: z
      .enum(['signed_in', 'totp_required'])
      .describe('totp_required: the password is right; send the code to POST /session/totp within five minutes.'),
  })
  .meta({ id: 'SignInAnswer' });
export type SignInAnswer = z.infer<typeof SignInAnswer>;

export const OneTimeCodeRequest = z.object({ code: OneTimeCode }).meta({ id: 'OneTimeCodeRequest' });
export type OneTimeCodeRequest = z.infer<typeof OneTimeCodeRequest>;

export const Membership = z
  .object({ organization_id: Id, organization_name: z.string(), role: RoleSchema, permissions: z.array(PermissionSchema) })
  .meta({ id: 'Membership' });
export type Membership = z.infer<typeof Membership>;

export const CurrentSession = z
  .object({
    user: z.object({
      user_id: Id,
      email: z.string(),
      name: z.string(),
      totp_enabled: z.boolean(),
      recovery_codes_left: z.int().describe('Of ten, while one-time codes are on.'),
      has_password: z.boolean().describe('False: the user signs in with OpenID Connect only and cannot do what needs a password.'),
      openid_connected: z.boolean().describe('An identity at the OpenID Connect provider is connected.'),
    }),
    memberships: z.array(Membership),
    csrf_token: z.string().describe('Send it as X-CSRF-Token with every request that is not a GET. It does not change during the session.'),
    idle_ends_at: Moment.describe('The session ends then if no request comes before.'),
    ends_at: Moment.describe('The session ends then in any case.'),
  })
  .meta({ id: 'CurrentSession' });
export type CurrentSession = z.infer<typeof CurrentSession>;

export const ListedSession = z
  .object({
    session_id: Id,
    current: z.boolean(),
    created_at: Moment,
    last_seen_at: Moment,
    address: z.string().describe('The client address of the latest request.'),
    user_agent: z.string(),
  })
  .meta({ id: 'ListedSession' });

export const SessionList = z.object({ sessions: z.array(ListedSession) }).meta({ id: 'SessionList' });
export type SessionList = z.infer<typeof SessionList>;

export const ChangePasswordRequest = z
  .object({ current_password: text(1_024, 1).optional().describe('Omit it if there is none yet.'), new_password: NewPassword })
  .meta({ id: 'ChangePasswordRequest' });
export type ChangePasswordRequest = z.infer<typeof ChangePasswordRequest>;

export const PasswordRequest = z.object({ password: text(1_024, 1) }).meta({ id: 'PasswordRequest' });
export type PasswordRequest = z.infer<typeof PasswordRequest>;

export const ProfileRequest = z.object({ name: Name }).meta({ id: 'ProfileRequest' });
export type ProfileRequest = z.infer<typeof ProfileRequest>;

export const PasswordResetRequest = z.object({ email: EmailAddress }).meta({ id: 'PasswordResetRequest' });
export type PasswordResetRequest = z.infer<typeof PasswordResetRequest>;

export const ResetPasswordRequest = z.object({ token: Secret, password: text(1_024, 1) }).meta({ id: 'ResetPasswordRequest' });
export type ResetPasswordRequest = z.infer<typeof ResetPasswordRequest>;

export const TotpSetup = z
  .object({
    secret: z.string().describe('Base32, for typing.'),
    otpauth_uri: z.string().describe('For a QR code. One-time codes are on after POST /account/totp/confirm with a first code.'),
  })
  .meta({ id: 'TotpSetup' });
export type TotpSetup = z.infer<typeof TotpSetup>;

export const SignInOptions = z
  .object({
    openid: z.object({ name: z.string() }).nullable().describe('The OpenID Connect provider, if one is configured.'),
    password_reset: z.boolean().describe('A forgotten password can be replaced by a link in a mail.'),
  })
  .meta({ id: 'SignInOptions' });
export type SignInOptions = z.infer<typeof SignInOptions>;

export const OpenIdStart = z
  .object({ authorization_url: z.string().describe('Send the browser there; it must come back within ten minutes.') })
  .meta({ id: 'OpenIdStart' });
export type OpenIdStart = z.infer<typeof OpenIdStart>;

export const PasskeyOptions = z
  .object({
    options: z.record(z.string(), z.unknown()).describe('The options of WebAuthn as JSON. Their challenge works once, for five minutes.'),
  })
  .meta({ id: 'PasskeyOptions' });
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

const PasskeyResponse = z.record(z.string(), z.unknown()).describe('What the browser answered, as JSON.');

export const BeginPasskeySignInRequest = z
  .object({ is_second_factor: z.boolean().describe('In place of the one-time code, after the password.') })
  .meta({ id: 'BeginPasskeySignInRequest' });

export const PasskeySignInRequest = z.object({ response: PasskeyResponse }).meta({ id: 'PasskeySignInRequest' });

export const AddPasskeyRequest = z.object({ name: Name, response: PasskeyResponse }).meta({ id: 'AddPasskeyRequest' });

export const ListedPasskey = z
  .object({
    passkey_id: Id,
    name: z.string(),
    is_synced: z.boolean().describe('A provider keeps a copy, so it survives the device.'),
    created_at: Moment,
    last_used_at: Moment.nullable(),
  })
  .meta({ id: 'ListedPasskey' });
export type ListedPasskey = z.infer<typeof ListedPasskey>;

export const PasskeyList = z.object({ passkeys: z.array(ListedPasskey) }).meta({ id: 'PasskeyList' });
export type PasskeyList = z.infer<typeof PasskeyList>;

export const RecoveryCodes = z
  .object({ codes: z.array(z.string()).describe('Ten codes, each valid for one sign-in. They are not shown again.') })
  .meta({ id: 'RecoveryCodes' });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

export const RecoveryCodeRequest = z.object({ code: text(64, 16) }).meta({ id: 'RecoveryCodeRequest' });
export type RecoveryCodeRequest = z.infer<typeof RecoveryCodeRequest>;

export const InvitationToken = z.object({ token: Secret }).meta({ id: 'InvitationToken' });
export type InvitationToken = z.infer<typeof InvitationToken>;

export const InvitationOffer = z
  .object({
    organization_name: z.string(),
    email: z.string(),
    role: RoleSchema,
    expires_at: Moment,
  })
  .meta({ id: 'InvitationOffer' });
export type InvitationOffer = z.infer<typeof InvitationOffer>;

export const AcceptInvitationRequest = z
  .object({
    token: Secret,
    name: Name.nullish().describe('The name of a new account.'),
    password: text(1_024, 1).describe('The new password of a new account, the password of one that exists.'),
  })
  .meta({ id: 'AcceptInvitationRequest' });
export type AcceptInvitationRequest = z.infer<typeof AcceptInvitationRequest>;
