import { AuditLog, OpenIdStart, TotpSetup } from '@tire/contracts/console';
import { Readable } from 'node:stream';
import { administer } from '../../administration/administration';
import { codeAt } from '../../domain/totp';
import { type Browser, invited, PASSWORD } from '../../testing/browser';
import { secretBytes } from '../../testing/codes';
import {
  accountOf,
  arrive,
  isIn,
  member,
  memberWithPassword,
  newEmail,
  NOT_CONNECTED,
  openIdWorld,
  REFUSED,
  rolesOf,
  type OpenIdWorld,
} from '../../testing/openid';

describe('accounts and OpenID Connect subjects', () => {
  let world: OpenIdWorld;

  beforeAll(async () => {
    world = await openIdWorld();
  });
  afterAll(() => world?.stop());

  const logOf = async (email: string) => {
    const { json } = await world.home.owner.call('GET', `/organizations/${world.home.organizationId}/audit-log`);
    return AuditLog.parse(json).entries.filter(({ actor }) => actor?.email === email);
  };

  it('an account stays connected to its subject: another subject with the same address is refused', async () => {
    const { email } = await member(world);
    const theirs = await world.organization();
    const token = await theirs.invite(email);
    expect((await world.comeIn(world.browser(), accountOf(email))).location).toBe(REFUSED);
    expect((await world.join(world.browser(), token, accountOf(email))).location).toBe(REFUSED);
    const refusals = (await logOf(email)).filter(({ action }) => action === 'session.refused');
    expect(refusals.map(({ details }) => details)).toEqual([{ reason: 'openid' }, { reason: 'openid' }]);
  });

  it('an invitation link signs in the invited address only, with the role of the invitation', async () => {
    const account = accountOf(newEmail());
    const token = await world.home.invite(account.email);
    const one = world.browser();
    expect((await world.comeIn(one, account)).location).toBe(REFUSED);
    expect((await world.join(world.browser(), token, accountOf(newEmail()))).location).toBe(REFUSED);
    expect((await world.join(one, token, account)).location).toBe('/console/');
    expect(await rolesOf(one)).toEqual([[world.home.organizationId, 'support']]);
    expect((await world.join(world.browser(), token, account)).location).toBe(REFUSED);
    const stranger = world.browser();
    expect((await world.comeIn(stranger, accountOf(newEmail()))).location).toBe(REFUSED);
    expect(await isIn(stranger)).toBe(false);
  });

  it('a subject cannot sign in to an account that somebody else created with its address, and that account does not join', async () => {
    const [victim, attacker, theirs] = [accountOf(newEmail()), world.browser(), await world.organization()];
    await invited(theirs.owner, attacker, theirs.organizationId, 'support', victim.email);
    const one = world.browser();
    expect((await world.join(one, await world.home.invite(victim.email), victim)).location).toBe(REFUSED);
    expect((await world.comeIn(one, victim)).location).toBe(REFUSED);
    expect(await isIn(one)).toBe(false);
    expect(await rolesOf(attacker)).toEqual([[theirs.organizationId, 'support']]);
  });

  it('an invitation is accepted only for the current address at the provider, not for an earlier one', async () => {
    const account = await member(world);
    const theirs = await world.organization();
    const token = await theirs.invite(account.email);
    const renamed = { ...account, email: newEmail() };
    expect((await world.join(world.browser(), token, renamed)).location).toBe(REFUSED);
    expect((await world.join(world.browser(), await theirs.invite(renamed.email), renamed)).location).toBe(REFUSED);
    const one = world.browser();
    expect((await world.comeIn(one, renamed)).location).toBe('/console/');
    expect(await rolesOf(one)).toEqual([[world.home.organizationId, 'support']]);
  });

  it('a sign-in alone accepts no invitation', async () => {
    const account = await member(world);
    const theirs = await world.organization();
    const token = await theirs.invite(account.email);
    const one = world.browser();
    await world.comeIn(one, account);
    expect(await rolesOf(one)).toEqual([[world.home.organizationId, 'support']]);
    await world.join(one, token, account);
    expect(await rolesOf(one)).toHaveLength(2);
  });

  it('an account has no password until an operator sets one; that disconnects the subject, and another one can be connected', async () => {
    const [account, one] = [await member(world), world.browser()];
    await world.comeIn(one, account);
    expect((await one.refresh()).user).toMatchObject({ has_password: false, openid_connected: true });
    const args = ['set-password', '--email', account.email, '--password-stdin'];
    await administer(args, Readable.from([PASSWORD]), () => world.gateway.databaseUrl);
    expect((await world.comeIn(world.browser(), account)).location).toBe(REFUSED);
    expect((await one.signIn(account.email)).user).toMatchObject({ has_password: true, openid_connected: false });
    const anew = accountOf(account.email);
    expect((await world.connect(one, PASSWORD, anew)).location).toBe('/console/account#connected');
    expect((await world.comeIn(world.browser(), anew)).location).toBe('/console/');
  });

  describe('an account without a password', () => {
    const NEXT = 'one that nobody had before';
    const setPassword = (one: Browser) => one.call('POST', '/account/password', { body: { new_password: NEXT } });
    const newcomer = async () => {
      const [account, one] = [await member(world), world.browser()];
      await world.comeIn(one, account);
      await one.refresh();
      return { account, one, session: one.cookie };
    };

    it('sets a first password within ten minutes of a confirmation at the provider', async () => {
      const { account, one, session } = await newcomer();
      const other = world.browser();
      await world.comeIn(other, account);
      expect((await setPassword(one)).error?.param).toBe('current_password');
      const { location, cookies } = await world.confirm(one, account);
      expect([location, cookies]).toEqual([
        '/console/account#confirmed',
        [expect.stringMatching(/^console-development-openid=.*Max-Age=600$/)],
      ]);
      const confirmation = one.cookie;
      one.cookie = [session, confirmation].join('; ');
      world.clock.advanceMs(10 * 60_000 + 1);
      expect((await setPassword(one)).error?.param).toBe('current_password');
      one.cookie = session;
      await world.confirm(one, account);
      one.cookie = [session, one.cookie].join('; ');
      expect((await setPassword(one)).status).toBe(204);
      one.cookie = session;
      expect((await one.refresh()).user).toMatchObject({ has_password: true, openid_connected: true });
      expect(await isIn(other)).toBe(false);
      expect((await world.browser().call('POST', '/session', { body: { email: account.email, password: NEXT } })).status).toBe(200);
      expect((await logOf(account.email))[1]).toMatchObject({ action: 'password.changed', details: { with: 'openid' } });
    });

    it('a confirmation requires a new sign-in at the provider', async () => {
      const { one } = await newcomer();
      const { authorization_url } = OpenIdStart.parse((await one.call('POST', '/account/openid/confirm')).json);
      const requested = new URL(authorization_url).searchParams;
      expect([requested.get('prompt'), requested.get('max_age')]).toEqual(['login', '120']);
    });

    it('sets no password after a confirmation by another subject, with an old sign-in, or in another session', async () => {
      const { account, one, session } = await newcomer();
      const stranger = await newcomer();
      for (const wrong of [stranger.account, accountOf(account.email)]) {
        one.cookie = session;
        expect((await world.confirm(one, wrong)).location).toBe('/console/account#not-confirmed');
      }
      one.cookie = session;
      for (const auth_time of [Math.floor(Date.now() / 1_000) - 3_600, undefined]) {
        world.issuer.faults.claims = { auth_time };
        expect((await world.confirm(one, account)).location).toBe('/console/account#not-confirmed');
        one.cookie = session;
      }
      world.issuer.faults.claims = {};
      await world.confirm(one, account);
      stranger.one.cookie = [stranger.session, one.cookie].join('; ');
      expect((await setPassword(stranger.one)).error?.param).toBe('current_password');
    });
  });

  describe('an account with a password', () => {
    it('a confirmation at the provider cannot change an existing password', async () => {
      const { one, email, session } = await memberWithPassword(world);
      const account = accountOf(email);
      await world.connect(one, PASSWORD, account);
      one.cookie = session;
      expect((await world.confirm(one, account)).location).toBe('/console/account#confirmed');
      one.cookie = [session, one.cookie].join('; ');
      const { error } = await one.call('POST', '/account/password', { body: { new_password: 'correct horse battery staple' } });
      expect(error?.param).toBe('current_password');
    });

    it('the provider can sign a user in after they connect it with the password and the same address', async () => {
      const { one, email, session } = await memberWithPassword(world);
      const guessed = await one.call('POST', '/account/openid', { body: { password: 'another password' } });
      expect(guessed.error?.param).toBe('password');
      expect((await world.connect(one, PASSWORD, accountOf(newEmail()))).location).toBe(NOT_CONNECTED);
      const account = accountOf(email);
      expect((await world.comeIn(world.browser(), account)).location).toBe(REFUSED);
      one.cookie = session;
      expect((await world.connect(one, PASSWORD, account)).location).toBe('/console/account#connected');
      expect((await world.comeIn(world.browser(), account)).location).toBe('/console/');
      one.cookie = session;
      expect((await world.connect(one, PASSWORD, accountOf(email))).location).toBe(NOT_CONNECTED);
    });

    it('a session that has ended cannot connect the provider', async () => {
      const { one, email, session } = await memberWithPassword(world);
      const back = world.issuer.agree(await world.beginToConnect(one, PASSWORD), accountOf(email));
      const begun = one.cookie;
      one.cookie = session;
      expect((await one.call('DELETE', '/session')).status).toBe(204);
      one.cookie = begun;
      expect((await arrive(one, back)).location).toBe(NOT_CONNECTED);
      expect((await world.comeIn(world.browser(), accountOf(email))).location).toBe(REFUSED);
    });

    it('the user joins after the one-time code if codes are on', async () => {
      const { one, email, session } = await memberWithPassword(world);
      const { json } = await one.call('POST', '/account/totp', { body: { password: PASSWORD } });
      const secret = secretBytes(TotpSetup.parse(json).secret);
      const code = () => codeAt(secret, Math.floor(world.clock.now().getTime() / 30_000));
      expect((await one.call('POST', '/account/totp/confirm', { body: { code: code() } })).status).toBe(200);
      const account = accountOf(email);
      await world.connect(one, PASSWORD, account);
      const theirs = await world.organization();
      const guest = world.browser();
      expect((await world.join(guest, await theirs.invite(email), account)).location).toBe('/console/#code');
      one.cookie = session;
      expect(await rolesOf(one)).toEqual([[world.home.organizationId, 'developer']]);
      world.clock.advanceMs(60_000);
      expect((await guest.call('POST', '/session/totp', { body: { code: code() } })).status).toBe(200);
      expect(await rolesOf(guest)).toContainEqual([theirs.organizationId, 'support']);
      const { json: log } = await theirs.owner.call('GET', `/organizations/${theirs.organizationId}/audit-log`);
      expect(AuditLog.parse(log).entries.map(({ action, details }) => [action, details])).toEqual(
        expect.arrayContaining([
          ['member.joined', { role: 'support', with: 'openid' }],
          ['session.started', { with: 'openid', then: 'code' }],
        ]),
      );
    });
  });
});
