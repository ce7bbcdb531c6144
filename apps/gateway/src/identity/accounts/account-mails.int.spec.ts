import { ListedPasskey, PasskeyOptions, SignInOptions, TotpSetup } from '@tire/contracts/console';
import { newId } from '@tire/kernel';
import { startMailServer, testClock, type TestClock } from '@tire/test-harness';
import { Client as Postgres } from 'pg';
import { codeAt } from '../../domain/totp';
import { Authenticator } from '../../testing/authenticator';
import { Browser, newOrganization, PASSWORD } from '../../testing/browser';
import { secretBytes } from '../../testing/codes';
import { startGateway } from '../../testing/gateway';

const NEXT = 'another battery staple';
const STEP_MS = 30_000;

describe('mail about accounts', () => {
  let server: Awaited<ReturnType<typeof startMailServer>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let clock: TestClock;
  let addresses = 0;

  beforeAll(async () => {
    clock = testClock(new Date());
    server = await startMailServer();
    const environment = { SMTP_HOST: '127.0.0.1', SMTP_PORT: server.port, SMTP_TLS: 'none', SMTP_FROM: 'mail@shop.example' };
    gateway = await startGateway({ clock, environment });
  });
  afterAll(async () => {
    await gateway?.stop();
    await server?.stop();
  });

  const browser = () => new Browser(gateway.origin, `198.51.100.${(addresses += 1)}`);
  const owner = async () => {
    const made = await newOrganization(gateway.databaseUrl);
    const one = browser();
    await one.signIn(made.email);
    return { ...made, one };
  };
  const tokenIn = (text: string, page: string): string => new RegExp(`/console/${page}#([\\w-]{43})`).exec(text)![1]!;
  const subjectsTo = (email: string) => server.received.filter(({ to }) => to.includes(email)).map(({ subject }) => subject);
  const request = (email: string, one = browser()) => one.call('POST', '/password-reset', { body: { email } });
  const confirm = (token: string, password: string, one = browser()) =>
    one.call('POST', '/password-reset/confirm', { body: { token, password } });
  const resetToken = async (email: string, count = 1): Promise<string> => {
    const mails = await server.mailsTo(email, count);
    return tokenIn(mails.findLast(({ subject }) => subject.includes('Reset your password'))!.text, 'reset-password');
  };

  const addPasskey = async (one: Browser, device: Authenticator) => {
    const begun = await one.call('POST', '/account/passkeys/options', { body: { password: PASSWORD } });
    const response = device.register(PasskeyOptions.parse(begun.json).options);
    const { json } = await one.call('POST', '/account/passkeys', { body: { name: 'Phone', response } });
    return ListedPasskey.parse(json).passkey_id;
  };
  const usePasskey = async (one: Browser, device: Authenticator) => {
    const { json } = await one.call('POST', '/session/passkey/options', { body: { is_second_factor: false } });
    return one.call('POST', '/session/passkey', { body: { response: device.use(PasskeyOptions.parse(json).options) } });
  };

  it('an invitation goes to the person, and the link of the mail works', async () => {
    const { one, organizationId } = await owner();
    const email = `guest-${newId()}@shop.example`;
    const { json } = await one.call('POST', `/organizations/${organizationId}/invitations`, { body: { email, role: 'support' } });
    expect(json).toMatchObject({ mailed: true });
    const [mail] = await server.mailsTo(email);
    const token = tokenIn(mail!.text, 'accept-invitation');
    expect((json as { link: string }).link).toContain(token);
    const guest = browser();
    const accepted = await guest.call('POST', '/invitations/accept', { body: { token, password: PASSWORD } });
    expect(accepted.status).toBe(200);
    // A new account is not told about its own first sign-in.
    await guest.refresh();
    expect(subjectsTo(email)).toHaveLength(1);
  });

  it('one address gets five invitations an hour, and the inviter has the links of the others', async () => {
    const { one, organizationId } = await owner();
    const email = `guest-${newId()}@shop.example`;
    const mailed: unknown[] = [];
    for (let count = 0; count < 6; count += 1) {
      const { json } = await one.call('POST', `/organizations/${organizationId}/invitations`, { body: { email, role: 'support' } });
      mailed.push((json as { mailed: boolean }).mailed);
    }
    expect(mailed).toEqual([true, true, true, true, true, false]);
  });

  describe('a forgotten password', () => {
    it('is replaced by a link that works once, and every session ends', async () => {
      const { one, email, organizationId } = await owner();
      expect((await request(email)).status).toBe(204);
      const token = await resetToken(email, 2);
      expect((await confirm(token, 'short')).error).toMatchObject({ code: 'validation_error', param: 'password' });
      const both = await Promise.all([confirm(token, NEXT), confirm(token, NEXT)]);
      expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
      expect((await one.call('GET', '/session')).status).toBe(401);
      await expect(browser().signIn(email)).rejects.toThrow('401');
      const again = browser();
      await again.signIn(email, NEXT);
      const { text } = await again.call('GET', `/organizations/${organizationId}/audit-log`);
      expect(text).toContain('password.reset');
      await server.mailsTo(email, 4);
      expect(subjectsTo(email).join()).toContain('Your password was reset by e-mail');
    });

    it('has the same answer for an address without an account, and gets no mail', async () => {
      const { email } = await owner();
      const unknown = `nobody-${newId()}@shop.example`;
      const [known, stranger] = [await request(email), await request(unknown)];
      expect([stranger.status, stranger.text]).toEqual([known.status, known.text]);
      await resetToken(email, 2);
      expect(subjectsTo(unknown)).toEqual([]);
      const counts = async (address: string) => [await request(address), await request(address), await request(address)];
      const statuses = async (address: string) => (await counts(address)).map(({ status }) => status);
      expect([await statuses(email), await statuses(unknown)]).toEqual([
        [204, 204, 429],
        [204, 204, 429],
      ]);
    });

    it('has no link after thirty minutes, and only the newest one', async () => {
      const { email } = await owner();
      await request(email);
      const first = await resetToken(email, 2);
      await request(email);
      const second = await resetToken(email, 3);
      expect((await confirm(first, NEXT)).status).toBe(404);
      clock.advanceMs(30 * 60_000);
      expect((await confirm(second, NEXT)).status).toBe(404);
      expect((await confirm('x'.repeat(43), NEXT)).status).toBe(404);
      await browser().signIn(email);
    });

    it('is not enough where one-time codes are on', async () => {
      const { one, email } = await owner();
      const { secret } = TotpSetup.parse((await one.call('POST', '/account/totp', { body: { password: PASSWORD } })).json);
      const code = codeAt(secretBytes(secret), Math.floor(clock.now().getTime() / STEP_MS));
      expect((await one.call('POST', '/account/totp/confirm', { body: { code } })).status).toBe(200);
      await request(email);
      expect((await confirm(await resetToken(email, 3), NEXT)).status).toBe(204);
      const { json } = await browser().call('POST', '/session', { body: { email, password: NEXT } });
      expect(json).toEqual({ status: 'totp_required' });
    });

    it('removes the passkeys, which sign in without it', async () => {
      const { one, email } = await owner();
      const device = new Authenticator(gateway.origin);
      await addPasskey(one, device);
      expect((await usePasskey(browser(), device)).status).toBe(200);
      await request(email);
      expect((await confirm(await resetToken(email, 4), NEXT)).status).toBe(204);
      expect((await usePasskey(browser(), device)).status).toBe(401);
    });

    it('is limited for one client', async () => {
      const one = browser();
      const statuses: number[] = [];
      for (let count = 0; count < 11; count += 1) statuses.push((await request(`a${newId()}@shop.example`, one)).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 204), 429]);
    });
  });

  describe('an alert', () => {
    it('comes for a browser that the account does not know, and only once', async () => {
      const { one, email } = await owner();
      await server.mailsTo(email, 1);
      await one.signIn(email);
      await browser().signIn(email);
      const mails = await server.mailsTo(email, 2);
      expect(mails.map(({ subject }) => subject.includes('Sign-in from a new browser'))).toEqual([true, true]);
      expect(mails.some(({ text }) => text.includes(one.address))).toBe(true);
      // The cookie of one account does not make the browser known to another.
      const other = await newOrganization(gateway.databaseUrl);
      await one.signIn(other.email);
      await server.mailsTo(other.email);
    });

    it('comes once for a browser that signs in with a passkey', async () => {
      const { one, email } = await owner();
      const device = new Authenticator(gateway.origin);
      await addPasskey(one, device);
      const known = browser();
      for (let time = 0; time < 2; time += 1) expect((await usePasskey(known, device)).status).toBe(200);
      await one.call('POST', '/account/password', { body: { current_password: PASSWORD, new_password: NEXT } });
      await server.mailsTo(email, 4);
      expect(subjectsTo(email).filter((subject) => subject.includes('Sign-in from a new browser'))).toHaveLength(2);
    });

    it('comes for a passkey that is added or removed', async () => {
      const { one, email } = await owner();
      const passkeyId = await addPasskey(one, new Authenticator(gateway.origin));
      expect((await one.call('DELETE', `/account/passkeys/${passkeyId}`)).status).toBe(204);
      const mails = await server.mailsTo(email, 3);
      for (const words of ['A passkey was added', 'A passkey was removed'])
        expect(mails.find(({ subject }) => subject.includes(words))?.text).toContain('Name: Phone');
    });

    it('comes for a changed password, a changed second factor and a new key', async () => {
      const { one, email, organizationId } = await owner();
      const { secret } = TotpSetup.parse((await one.call('POST', '/account/totp', { body: { password: PASSWORD } })).json);
      const code = codeAt(secretBytes(secret), Math.floor(clock.now().getTime() / STEP_MS));
      await one.call('POST', '/account/totp/confirm', { body: { code } });
      await one.call('POST', '/account/recovery-codes', { body: { password: PASSWORD } });
      await one.call('POST', '/account/totp/disable', { body: { password: PASSWORD } });
      await one.call('POST', '/account/password', { body: { current_password: PASSWORD, new_password: NEXT } });
      const created = await one.call('POST', `/organizations/${organizationId}/projects`, { body: { name: 'P', mode: 'live' } });
      const { project_id } = created.json as { project_id: string };
      await one.call('POST', `/projects/${project_id}/keys`, { body: { name: 'server', scopes: ['report:read'] } });
      await server.mailsTo(email, 6);
      const all = subjectsTo(email).join();
      for (const words of [
        'codes were turned on',
        'recovery codes were replaced',
        'codes were turned off',
        'password was changed',
        'API key was issued',
      ])
        expect(all).toContain(words);
    });
  });

  it('nothing of a mail is in the database in plain text', async () => {
    server.faults.refusal = { at: 'message', code: 451 };
    const { one, organizationId } = await owner();
    const email = `guest-${newId()}@shop.example`;
    const { json } = await one.call('POST', `/organizations/${organizationId}/invitations`, { body: { email, role: 'support' } });
    const database = new Postgres(gateway.ownerUrl);
    await database.connect();
    try {
      await database.query(`SET app.scope = 'system'`);
      const { rows } = await database.query<{ all: string }>(
        `SELECT row_to_json(m)::text AS all, encode(content, 'escape') || encode(receiver, 'escape') AS bytes
           FROM messages m WHERE state = 'queued'`,
      );
      expect(rows.length).toBeGreaterThan(0);
      for (const secret of [email, (json as { link: string }).link.split('#')[1]!]) expect(JSON.stringify(rows)).not.toContain(secret);
    } finally {
      server.faults.refusal = null;
      await database.end();
    }
  });
});

describe('a gateway without a mail server', () => {
  it('offers no reset, and the inviter sends the link', async () => {
    const gateway = await startGateway();
    try {
      const { email, organizationId } = await newOrganization(gateway.databaseUrl);
      const one = new Browser(gateway.origin);
      await one.signIn(email);
      expect(SignInOptions.parse((await one.call('GET', '/sign-in-options')).json)).toEqual({ openid: null, password_reset: false });
      expect((await one.call('POST', '/password-reset', { body: { email } })).status).toBe(404);
      const { json } = await one.call('POST', `/organizations/${organizationId}/invitations`, {
        body: { email: 'g@shop.example', role: 'support' },
      });
      expect(json).toMatchObject({ mailed: false });
      expect(one.browserCookie).toBe('');
    } finally {
      await gateway.stop();
    }
  });
});
