import {
  AcceptInvitationRequest,
  CurrentSession,
  InvitationOffer,
  InvitationToken,
  OneTimeCodeRequest,
  OpenIdStart,
  PasswordResetRequest,
  ResetPasswordRequest,
  RecoveryCodeRequest,
  SignInAnswer,
  SignInOptions,
  SignInRequest,
} from '../console/identity';
import type { Operation } from './operation';

export const SESSION_OPERATIONS = {
  signIn: {
    method: 'post',
    console: { path: '/session', access: 'everyone' },
    summary: 'Sign in with e-mail and password.',
    description: 'Sets the session cookie. A wrong password and an unknown address give the same 401. Read GET /session afterwards.',
    body: { schema: SignInRequest },
    responses: [{ status: 200, schema: SignInAnswer }],
    errors: ['unauthorized', 'rate_limited'],
  },
  signInWithCode: {
    method: 'post',
    console: { path: '/session/totp', access: 'everyone' },
    summary: 'The second step of signing in.',
    description:
      '401: the code is wrong or was used before, or the first step is too long ago. After five wrong codes the sign-in starts again with the password.',
    body: { schema: OneTimeCodeRequest },
    responses: [{ status: 200, schema: SignInAnswer }],
    errors: ['unauthorized', 'rate_limited'],
  },
  signInWithRecoveryCode: {
    method: 'post',
    console: { path: '/session/recovery', access: 'everyone' },
    summary: 'The second step with a recovery code, without the telephone.',
    description:
      'Upper case, spaces and hyphens do not matter. Each code works once. Otherwise the same as the second step with a one-time code.',
    body: { schema: RecoveryCodeRequest },
    responses: [{ status: 200, schema: SignInAnswer }],
    errors: ['unauthorized', 'rate_limited'],
  },
  getSignInOptions: {
    method: 'get',
    console: { path: '/sign-in-options', access: 'everyone' },
    summary: 'The ways to sign in beside a password.',
    responses: [{ status: 200, schema: SignInOptions }],
  },
  signInWithOpenId: {
    method: 'post',
    console: { path: '/session/openid', access: 'everyone' },
    summary: 'Start a sign-in at the OpenID Connect provider.',
    description: '404: no provider is configured. Sets a cookie that the callback needs. Only connected accounts can sign in.',
    responses: [{ status: 200, schema: OpenIdStart }],
    errors: ['not_found'],
  },
  openIdCallback: {
    method: 'get',
    console: { path: '/session/openid/callback', access: 'everyone' },
    summary: 'The redirect address of the OpenID Connect provider.',
    description:
      'After a sign-in, it redirects to /console/, to /console/#code if a one-time code is required, or to /console/#refused or #unavailable after a failure. For a request from the account page, it redirects to /console/account#connected, #not-connected, #confirmed or #not-confirmed.',
    responses: [{ status: 303 }],
  },
  getSession: {
    method: 'get',
    console: { path: '/session', access: 'signed_in' },
    summary: 'The signed-in user with their organizations and roles. 401 without a session.',
    responses: [{ status: 200, schema: CurrentSession }],
  },
  signOut: {
    method: 'delete',
    console: { path: '/session', access: 'signed_in' },
    summary: 'Sign out.',
    responses: [{ status: 204 }],
  },
  requestPasswordReset: {
    method: 'post',
    console: { path: '/password-reset', access: 'everyone' },
    summary: 'Request a link to reset a forgotten password.',
    description:
      'The answer is the same whether the address has an account. The link goes to the address, works once and for thirty minutes, and replaces an earlier one. 404: the installation sends no mail.',
    body: { schema: PasswordResetRequest },
    responses: [{ status: 204 }],
    errors: ['not_found', 'rate_limited'],
  },
  resetPassword: {
    method: 'post',
    console: { path: '/password-reset/confirm', access: 'everyone' },
    summary: 'Set a new password with the link.',
    description: 'Ends every session of the account. One-time codes stay on. 404: the link does not exist, was used, or is too old.',
    body: { schema: ResetPasswordRequest },
    responses: [{ status: 204 }],
    errors: ['not_found', 'rate_limited'],
  },
  lookUpInvitation: {
    method: 'post',
    console: { path: '/invitations/look-up', access: 'everyone' },
    summary: 'What an invitation offers.',
    description: '404: it does not exist, was accepted or revoked, or is too old.',
    body: { schema: InvitationToken },
    responses: [{ status: 200, schema: InvitationOffer }],
    errors: ['not_found', 'rate_limited'],
  },
  acceptInvitation: {
    method: 'post',
    console: { path: '/invitations/accept', access: 'everyone' },
    summary: 'Join an organization and sign in.',
    description:
      'With a new account, or with the existing account of the address and its password. totp_required as in signIn: the user joins with the code.',
    body: { schema: AcceptInvitationRequest },
    responses: [{ status: 200, schema: SignInAnswer }],
    errors: ['not_found', 'unauthorized', 'rate_limited'],
  },
  acceptInvitationWithOpenId: {
    method: 'post',
    console: { path: '/invitations/openid', access: 'everyone' },
    summary: 'Start to join an organization with an account at the OpenID Connect provider.',
    description:
      'Its verified address must be that of the invitation. Creates an account, or opens the one that is connected. Continues like signInWithOpenId.',
    body: { schema: InvitationToken },
    responses: [{ status: 200, schema: OpenIdStart }],
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
