import type { ListedPasskey, PasskeyOptions, SignInAnswer } from '@tire/contracts/console';
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { ApiError, call } from './client';

/** Loaded on first use: most visits need no passkey. */
const library = () => import('@simplewebauthn/browser');

/** The browser has no passkeys; it gave none, because the person cancelled or the device has none; it gave one that is registered. */
type PasskeyFailure = 'unsupported' | 'cancelled' | 'taken';

export class NoPasskey extends Error {
  constructor(readonly reason: PasskeyFailure) {
    super(reason);
  }
}

/** Every failure of the browser is one of the person or the device, for which it shows its own text. */
async function asked<Answer>(ask: (from: Awaited<ReturnType<typeof library>>) => Promise<Answer>): Promise<Answer> {
  const from = await library().catch(() => {
    throw new ApiError(0, 'unreachable', 'The service did not answer.');
  });
  if (!from.browserSupportsWebAuthn()) throw new NoPasskey('unsupported');
  return ask(from).catch((error: unknown) => {
    throw new NoPasskey(error instanceof Error && error.name === 'InvalidStateError' ? 'taken' : 'cancelled');
  });
}

export async function signInWithPasskey(isSecondFactor: boolean): Promise<void> {
  const { options } = await call<PasskeyOptions>('POST', '/session/passkey/options', { is_second_factor: isSecondFactor });
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await asked(({ startAuthentication }) => startAuthentication({ optionsJSON }));
  await call<SignInAnswer>('POST', '/session/passkey', { response });
}

export async function addPasskey(password: string, name: string): Promise<ListedPasskey> {
  const { options } = await call<PasskeyOptions>('POST', '/account/passkeys/options', { password });
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const response = await asked(({ startRegistration }) => startRegistration({ optionsJSON }));
  return call<ListedPasskey>('POST', '/account/passkeys', { name, response });
}
