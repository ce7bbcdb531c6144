import {
  AddPasskeyRequest,
  BeginPasskeySignInRequest,
  ListedPasskey,
  PasskeyList,
  PasskeyOptions,
  PasskeySignInRequest,
  PasswordRequest,
  ProfileRequest,
  SignInAnswer,
} from '../console/identity';
import type { Operation } from './operation';

export const PASSKEY_OPERATIONS = {
  beginPasskeySignIn: {
    method: 'post',
    console: { path: '/session/passkey/options', access: 'everyone' },
    summary: 'A challenge for a passkey.',
    description:
      'In place of the password the device must verify who holds it. As a second factor: 401 unless the password was right within the last five minutes.',
    body: { schema: BeginPasskeySignInRequest },
    responses: [{ status: 200, schema: PasskeyOptions }],
    errors: ['unauthorized', 'rate_limited'],
  },
  signInWithPasskey: {
    method: 'post',
    console: { path: '/session/passkey', access: 'everyone' },
    summary: 'Sign in with a passkey, or complete a sign-in with it.',
    description:
      'A passkey that verified its holder needs no one-time code. 401: it is not known, or the challenge was used or is too old.',
    body: { schema: PasskeySignInRequest },
    responses: [{ status: 200, schema: SignInAnswer }],
    errors: ['unauthorized', 'rate_limited'],
  },
  listPasskeys: {
    method: 'get',
    console: { path: '/account/passkeys', access: 'signed_in' },
    summary: 'The passkeys of the user.',
    responses: [{ status: 200, schema: PasskeyList }],
  },
  beginPasskey: {
    method: 'post',
    console: { path: '/account/passkeys/options', access: 'signed_in' },
    summary: 'A challenge for a new passkey.',
    description: 'Needs the password. 409 conflict: there are as many as an account can have.',
    body: { schema: PasswordRequest },
    responses: [{ status: 200, schema: PasskeyOptions }],
    errors: ['conflict', 'rate_limited'],
  },
  addPasskey: {
    method: 'post',
    console: { path: '/account/passkeys', access: 'signed_in' },
    summary: 'Register a passkey that answered the challenge.',
    body: { schema: AddPasskeyRequest },
    responses: [{ status: 201, schema: ListedPasskey }],
    errors: ['conflict'],
  },
  renamePasskey: {
    method: 'patch',
    console: { path: '/account/passkeys/{passkey_id}', access: 'signed_in' },
    summary: 'Rename a passkey.',
    body: { schema: ProfileRequest },
    responses: [{ status: 204 }],
  },
  removePasskey: {
    method: 'delete',
    console: { path: '/account/passkeys/{passkey_id}', access: 'signed_in' },
    summary: 'Remove a passkey.',
    responses: [{ status: 204 }],
  },
} as const satisfies Record<string, Operation>;
