import type { ListedPasskey, PasskeyList, PasskeyOptions } from '@tire/contracts/console';
import { PASSKEYS_MAX } from '@tire/contracts/limits';
import { CLOCK, DomainError, faulty, type Clock } from '@tire/kernel';
import { Database, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { generateRegistrationOptions, type RegistrationResponseJSON, verifyRegistrationResponse } from '@simplewebauthn/server';
import { recordInEveryOrganization, type AuditedChange } from '../../audit/audit.store';
import type { SessionCaller } from '../../edge/callers';
import { AccountMails } from '../accounts/account-mails';
import { findUser, lockUser } from '../accounts/users.store';
import { hasSession } from '../sessions/sessions.store';
import { SignInService } from '../sessions/sign-in.service';
import { CHALLENGE_MS, described, PasskeyVerifier, type PasskeyAnswer } from './passkey-verifier';
import { addPasskey, passkeysOf, removePasskey, renamePasskey, type Passkey } from './passkeys.store';

const NAME = 'Tire inspection';

/** The passkeys of the signed-in user. */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly database: Database,
    private readonly signIn: SignInService,
    private readonly verifier: PasskeyVerifier,
    private readonly mails: AccountMails,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list({ session }: SessionCaller): Promise<PasskeyList> {
    const passkeys = await this.database.asSystem((tx) => passkeysOf(tx, session.userId));
    return { passkeys: passkeys.map(listed) };
  }

  async begin(caller: SessionCaller, password: string): Promise<PasskeyOptions> {
    await this.signIn.requirePassword(caller, password, 'password');
    const { userId, sessionId } = caller.session;
    return this.database.asSystem(async (tx) => {
      const [{ email, name }, known] = [await findUser(tx, userId), await passkeysOf(tx, userId)];
      requireRoom(known);
      const options = await generateRegistrationOptions({
        rpName: NAME,
        rpID: this.verifier.relyingParty.expectedRPID,
        userID: new TextEncoder().encode(userId),
        userName: email,
        userDisplayName: name,
        timeout: CHALLENGE_MS,
        attestationType: 'none',
        excludeCredentials: known.map(described),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      });
      await this.verifier.store(tx, { challenge: options.challenge, purpose: 'register', userId, sessionId });
      return { options: { ...options } };
    });
  }

  async add(caller: SessionCaller, name: string, answer: PasskeyAnswer): Promise<ListedPasskey> {
    const { userId, sessionId } = caller.session;
    const taken = await this.verifier.take(answer, ['register']);
    const isOwn = taken?.userId === userId && taken.sessionId === sessionId;
    const registered = isOwn ? await this.registered(answer, taken.challenge) : null;
    if (!registered) throw faulty('response', 'is no answer to the last challenge; begin again.');
    return this.database.asSystem(async (tx) => {
      await lockUser(tx, userId);
      if (!(await hasSession(tx, sessionId))) throw new DomainError('unauthorized', { message: 'The session has ended.' });
      requireRoom(await passkeysOf(tx, userId));
      const passkey = await addPasskey(tx, { userId, name, createdAt: this.clock.now(), ...registered });
      if (!passkey) throw new DomainError('conflict', { message: 'This passkey is registered already.' });
      await this.record(tx, caller, { action: 'passkey.added', details: { name } });
      await this.mails.alert(tx, caller.actor, 'passkey_added', caller.client, { name });
      return listed(passkey);
    });
  }

  rename(caller: SessionCaller, passkeyId: string, name: string): Promise<void> {
    return this.database.asSystem(async (tx) => {
      const before = await renamePasskey(tx, caller.session.userId, passkeyId, name);
      if (before === null) throw new DomainError('not_found');
      await this.record(tx, caller, { action: 'passkey.renamed', details: { from: before, to: name } });
    });
  }

  /** Needs no password: it takes a way in away. */
  remove(caller: SessionCaller, passkeyId: string): Promise<void> {
    return this.database.asSystem(async (tx) => {
      const name = await removePasskey(tx, caller.session.userId, passkeyId);
      if (name === null) throw new DomainError('not_found');
      await this.record(tx, caller, { action: 'passkey.removed', details: { name } });
      await this.mails.alert(tx, caller.actor, 'passkey_removed', caller.client, { name });
    });
  }

  private async registered(answer: PasskeyAnswer, expectedChallenge: string) {
    try {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: answer as unknown as RegistrationResponseJSON,
        expectedChallenge,
        ...this.verifier.relyingParty,
        requireUserVerification: false,
      });
      if (!verified || !registrationInfo) return null;
      const { credential, credentialBackedUp: isSynced } = registrationInfo;
      const { id: credentialId, publicKey, counter, transports = [] } = credential;
      return { credentialId, publicKey: Buffer.from(publicKey), counter, transports, isSynced };
    } catch {
      // The library throws for every fault of an answer.
      return null;
    }
  }

  private record(tx: Tx, { actor }: SessionCaller, change: Pick<AuditedChange, 'action' | 'details'>): Promise<void> {
    return recordInEveryOrganization(tx, actor, change, this.clock.now());
  }
}

function requireRoom(known: readonly Passkey[]): void {
  if (known.length >= PASSKEYS_MAX) throw new DomainError('conflict', { message: 'The account has the most passkeys that it can have.' });
}

const listed = ({ passkeyId, name, isSynced, createdAt, lastUsedAt }: Passkey): ListedPasskey => ({
  passkey_id: passkeyId,
  name,
  is_synced: isSynced,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});
