import { AuditLog, RecoveryCodes, SessionList, TotpSetup } from '@tire/contracts/console';
import { testClock, type TestClock } from '@tire/test-harness';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Client } from 'pg';
import { administer } from '../../administration/administration';
import { codeAt } from '../../domain/totp';
import { Browser, newOrganization, PASSWORD } from '../../testing/browser';
import { secretBytes } from '../../testing/codes';
import { startGateway } from '../../testing/gateway';

const STEP_MS = 30_000;
const keyOf = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
/** Seals what the gateway of these tests stores. */
const HOME = keyOf('home');

describe('the account of a user', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let clock: TestClock;
  let email: string;
  let addresses = 0;

  beforeAll(async () => {
    clock = testClock(new Date());
    gateway = await startGateway({ clock, environment: { CONSOLE_SECRET_KEY: HOME } });
  });
  afterAll(() => gateway?.stop());

  beforeEach(async () => {
    ({ email } = await newOrganization(gateway.databaseUrl));
    clock.advanceMs(10 * STEP_MS);
  });

  const rows = (statement: string, values: unknown[] = []) => asOwner(gateway.ownerUrl, statement, values);
  /** Another process of the same installation. */
  const startOther = async (environment: Record<string, string>) => {
    const database = { url: gateway.databaseUrl, ownerUrl: gateway.ownerUrl };
    return startGateway({ clock, environment, database });
  };
  const browser = () => new Browser(gateway.origin, `198.51.100.${(addresses += 1)}`);
  const signedIn = async (password = PASSWORD) => {
    const one = browser();
    await one.signIn(email, password);
    return one;
  };
  const code = (secret: Buffer, steps = 0) => codeAt(secret, Math.floor(clock.now().getTime() / STEP_MS) + steps);
  const withCodes = async () => {
    const one = await signedIn();
    const { secret } = TotpSetup.parse((await one.call('POST', '/account/totp', { body: { password: PASSWORD } })).json);
    const bytes = secretBytes(secret);
    const { codes } = RecoveryCodes.parse((await one.call('POST', '/account/totp/confirm', { body: { code: code(bytes) } })).json);
    clock.advanceMs(2 * STEP_MS);
    return { one, secret: bytes, codes };
  };
  const firstStep = async () => {
    const one = browser();
    expect((await one.call('POST', '/session', { body: { email, password: PASSWORD } })).json).toEqual({ status: 'totp_required' });
    return one;
  };
  const secondStep = (one: Browser, digits: string) => one.call('POST', '/session/totp', { body: { code: digits } });

  it('changes the password with the current one, and every other session ends', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const change = (current_password: string, new_password: string) =>
      one.call('POST', '/account/password', { body: { current_password, new_password } });
    expect((await change('wrong password!', 'another battery staple')).error).toMatchObject({
      code: 'validation_error',
      param: 'current_password',
    });
    expect((await change(PASSWORD, 'short')).error).toMatchObject({ code: 'validation_error', param: 'new_password' });
    expect((await change(PASSWORD, 'another battery staple')).status).toBe(204);
    expect([(await one.call('GET', '/session')).status, (await other.call('GET', '/session')).status]).toEqual([200, 401]);
    await expect(signedIn()).rejects.toThrow('401');
    expect((await (await signedIn('another battery staple')).call('GET', '/session')).status).toBe(200);
  });

  it('only one of two concurrent password changes succeeds', async () => {
    const one = await signedIn();
    const next = ['first battery staple', 'second battery staple'];
    const changes = next.map((new_password) =>
      one.call('POST', '/account/password', { body: { current_password: PASSWORD, new_password } }),
    );
    const answers = await Promise.all(changes);
    const made = answers.findIndex(({ status }) => status === 204);
    expect(answers[1 - made]!.error).toMatchObject({ code: 'validation_error', param: 'current_password' });
    expect((await (await signedIn(next[made])).call('GET', '/session')).status).toBe(200);
  });

  it('the audit log records a new name and a session that is ended from another one', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const { user } = await one.refresh();
    for (const name of ['Kim', 'Kim']) expect((await one.call('PATCH', '/account', { body: { name } })).status).toBe(204);
    const { sessions } = SessionList.parse((await one.call('GET', '/account/sessions')).json);
    const { session_id } = sessions.find(({ address }) => address === other.address)!;
    for (const status of [204, 404]) expect((await one.call('DELETE', `/account/sessions/${session_id}`)).status).toBe(status);
    const { organization_id } = (await one.refresh()).memberships[0]!;
    const { entries } = AuditLog.parse((await one.call('GET', `/organizations/${organization_id}/audit-log`)).json);
    expect(entries.slice(0, 3).map(({ action, details }) => [action, details])).toEqual([
      ['session.ended', {}],
      ['account.renamed', { from: user.name, to: 'Kim' }],
      ['session.started', {}],
    ]);
  });

  it('the password alone gives no access with one-time codes on', async () => {
    const { secret } = await withCodes();
    const one = await firstStep();
    expect((await one.call('GET', '/session')).status).toBe(401);
    expect((await one.call('GET', '/account/sessions')).status).toBe(401);
    const beforeCode = one.cookie;
    expect((await secondStep(one, code(secret))).json).toEqual({ status: 'signed_in' });
    expect(one.cookie).not.toBe(beforeCode);
    expect((await one.refresh()).user.totp_enabled).toBe(true);
    const planted = browser();
    planted.cookie = beforeCode;
    expect((await planted.call('GET', '/session')).status).toBe(401);
  });

  it('a network is known after the one-time code, not after the password alone', async () => {
    const { secret } = await withCodes();
    const known = async () => (await rows('SELECT FROM known_networks')).length;
    const before = await known();
    const one = await firstStep();
    expect(await known()).toBe(before);
    expect((await secondStep(one, code(secret))).status).toBe(200);
    // One network is stored for passwords and one for codes.
    expect(await known()).toBe(before + 2);
  });

  it('a used code is refused, and so is an older one', async () => {
    const { secret } = await withCodes();
    const used = code(secret);
    expect((await secondStep(await firstStep(), used)).status).toBe(200);
    for (const digits of [used, code(secret, -1)]) expect((await secondStep(await firstStep(), digits)).error?.code).toBe('unauthorized');
  });

  it('a code used twice at once signs in once', async () => {
    const { secret } = await withCodes();
    const both = await Promise.all([firstStep(), firstStep()]);
    const answers = await Promise.all(both.map((one) => secondStep(one, code(secret))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('the password is required again after five wrong codes or five minutes', async () => {
    const { secret } = await withCodes();
    const guesser = await firstStep();
    const wrong = code(secret) === '000000' ? '000001' : '000000';
    for (let guess = 0; guess < 5; guess += 1) expect((await secondStep(guesser, wrong)).status).toBe(401);
    expect((await secondStep(guesser, code(secret))).status).toBe(401);
    const late = await firstStep();
    clock.advanceMs(5 * 60_000 + 1);
    expect((await secondStep(late, code(secret))).status).toBe(401);
    expect((await secondStep(browser(), code(secret))).status).toBe(401);
  });

  it('concurrent wrong codes all count', async () => {
    const { secret } = await withCodes();
    const guesser = await firstStep();
    const wrong = code(secret) === '000000' ? '000001' : '000000';
    await Promise.all(Array.from({ length: 7 }, () => secondStep(guesser, wrong)));
    expect((await secondStep(guesser, code(secret))).error).toMatchObject({ code: 'unauthorized', param: 'session' });
  });

  it('concurrent confirmations turn codes on once, and the returned recovery codes are valid', async () => {
    const one = await signedIn();
    const bytes = secretBytes(TotpSetup.parse((await one.call('POST', '/account/totp', { body: { password: PASSWORD } })).json).secret);
    const confirm = () => one.call('POST', '/account/totp/confirm', { body: { code: code(bytes) } });
    const answers = await Promise.all([confirm(), confirm(), confirm()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const { codes } = RecoveryCodes.parse(answers.find(({ status }) => status === 200)?.json);
    const later = await firstStep();
    expect((await later.call('POST', '/session/recovery', { body: { code: codes[0] } })).status).toBe(200);
  });

  describe('recovery codes', () => {
    const recover = (one: Browser, recovery: string) => one.call('POST', '/session/recovery', { body: { code: recovery } });
    const left = async (one: Browser) => (await one.refresh()).user.recovery_codes_left;

    it('each replace one one-time code, and nothing else', async () => {
      const { one, codes } = await withCodes();
      expect([new Set(codes).size, await left(one)]).toEqual([10, 10]);
      const [first = '', second = ''] = codes;
      expect((await recover(browser(), first)).error?.code).toBe('unauthorized');
      const came = await firstStep();
      const beforeCode = came.cookie;
      expect((await recover(came, ` ${first.toUpperCase().replaceAll('-', ' ')} `)).json).toEqual({ status: 'signed_in' });
      expect(came.cookie).not.toBe(beforeCode);
      expect(await left(came)).toBe(9);
      expect((await recover(await firstStep(), first)).error?.code).toBe('unauthorized');
      const both = await Promise.all([firstStep(), firstStep()]);
      const answers = await Promise.all(both.map((each) => recover(each, second)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
      const wrong = await secondStep(await firstStep(), second);
      expect(wrong.error).toMatchObject({ code: 'validation_error', param: 'code' });
    });

    it('of another user are refused, and five wrong ones require the password again', async () => {
      const { codes } = await withCodes();
      ({ email } = await newOrganization(gateway.databaseUrl));
      await withCodes();
      const guesser = await firstStep();
      for (let guess = 0; guess < 5; guess += 1) expect((await recover(guesser, codes[guess]!)).status).toBe(401);
      const over = await guesser.call('POST', '/session/totp', { body: { code: '000000' } });
      expect(over.error).toMatchObject({ code: 'unauthorized', param: 'session', message: 'Sign in with your password first.' });
    });

    it('are renewed with the password, and deleted when one-time codes are turned off', async () => {
      const { one, codes } = await withCodes();
      const renew = (password: string) => one.call('POST', '/account/recovery-codes', { body: { password } });
      expect((await renew('wrong password!')).error?.param).toBe('password');
      const renewed = RecoveryCodes.parse((await renew(PASSWORD)).json).codes;
      expect((await recover(await firstStep(), codes[0]!)).status).toBe(401);
      expect((await recover(await firstStep(), renewed[0]!)).status).toBe(200);
      expect((await one.call('POST', '/account/totp/disable', { body: { password: PASSWORD } })).status).toBe(204);
      expect(await left(one)).toBe(0);
      expect((await renew(PASSWORD)).error?.code).toBe('conflict');
    });

    it('are not stored in plain text, and neither is the secret of one-time codes', async () => {
      const { secret, codes } = await withCodes();
      const stored = await rows(
        `SELECT row_to_json(users)::text AS text FROM users UNION ALL SELECT row_to_json(recovery_codes)::text FROM recovery_codes`,
      );
      const all = stored.map(({ text }) => String(text)).join();
      expect(all).toContain(email);
      for (const known of [secret.toString('hex'), ...codes, ...codes.map((each) => each.replaceAll('-', ''))])
        expect(all).not.toContain(known);
    });
  });

  describe('the secret of one-time codes', () => {
    const stored = async () => (await rows('SELECT totp_secret FROM users WHERE email = $1', [email]))[0]!['totp_secret'] as Buffer;

    it('is sealed with the newest key without a sign-in, and opens after the old key is removed', async () => {
      const { secret } = await withCodes();
      const [old, fresh] = [keyOf('old'), keyOf('fresh')];
      const sealedWith = async (keys: string) => {
        const other = await startOther({ CONSOLE_SECRET_KEY: keys });
        await other.resealSecrets();
        await other.stop();
        return stored();
      };
      expect((await sealedWith(`${old},${HOME}`)).subarray(2, 5).toString()).toBe('old');
      expect((await sealedWith(`${fresh},${old}`)).subarray(2, 7).toString()).toBe('fresh');
      const later = await startOther({ CONSOLE_SECRET_KEY: fresh });
      const one = new Browser(later.origin, '203.0.113.77');
      await one.call('POST', '/session', { body: { email, password: PASSWORD } });
      expect((await secondStep(one, code(secret))).json).toEqual({ status: 'signed_in' });
      await later.stop();
    });

    it('is not opened where it was copied from another user, and a sweep leaves it as it is', async () => {
      const { secret } = await withCodes();
      const theirs = await stored();
      ({ email } = await newOrganization(gateway.databaseUrl));
      await withCodes();
      await rows('UPDATE users SET totp_secret = $2 WHERE email = $1', [email, theirs]);
      expect((await secondStep(await firstStep(), code(secret))).status).toBe(503);
      const other = await startOther({ CONSOLE_SECRET_KEY: `${keyOf('fresh')},${HOME}` });
      await other.resealSecrets();
      await other.stop();
      expect((await stored()).equals(theirs)).toBe(true);
    });

    it('gives 503 if its key is missing in this process, and opens if the key is a secondary one', async () => {
      const { secret } = await withCodes();
      const [old, fresh] = [keyOf('old'), keyOf('fresh')];
      const newer = await startOther({ CONSOLE_SECRET_KEY: `${fresh},${HOME}` });
      await newer.resealSecrets();
      await newer.stop();
      for (const [keys, status] of [
        [old, 503],
        [`${old},${fresh}`, 200],
      ] as const) {
        const other = await startOther({ CONSOLE_SECRET_KEY: keys });
        const one = new Browser(other.origin, '203.0.113.78');
        await one.call('POST', '/session', { body: { email, password: PASSWORD } });
        expect([keys, (await secondStep(one, code(secret))).status]).toEqual([keys, status]);
        await other.stop();
      }
    });
  });

  it('setting up and turning off codes require the password', async () => {
    const one = await signedIn();
    expect((await one.call('POST', '/account/totp', { body: { password: 'wrong password!' } })).error?.param).toBe('password');
    expect((await one.call('POST', '/account/totp/confirm', { body: { code: '000000' } })).error?.code).toBe('conflict');
    const { one: other } = await withCodes();
    expect((await other.call('POST', '/account/totp', { body: { password: PASSWORD } })).error?.code).toBe('conflict');
    expect((await other.call('POST', '/account/totp/disable', { body: { password: 'wrong password!' } })).status).toBe(422);
    expect((await other.call('POST', '/account/totp/disable', { body: { password: PASSWORD } })).status).toBe(204);
    expect((await (await signedIn()).refresh()).user.totp_enabled).toBe(false);
  });

  it('an operator can set a new password and turn codes off, and every session ends', async () => {
    const { one } = await withCodes();
    const admin = (args: string[], input = '') => administer(args, Readable.from([input]), () => gateway.databaseUrl);
    await admin(['set-password', '--email', email, '--password-stdin'], 'set by an operator');
    expect((await one.call('GET', '/session')).status).toBe(401);
    await admin(['disable-codes', '--email', email]);
    const { sessions } = SessionList.parse((await (await signedIn('set by an operator')).call('GET', '/account/sessions')).json);
    expect(sessions).toHaveLength(1);
    await expect(admin(['disable-codes', '--email', 'nobody@shop.example'])).rejects.toThrow('no such user');
  });
});

async function asOwner(url: string, statement: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
