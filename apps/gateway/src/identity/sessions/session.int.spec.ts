import argon2 from '@node-rs/argon2';
import { testClock, type TestClock } from '@tire/test-harness';
import { CurrentSession, SessionList } from '@tire/contracts/console';
import { Browser, newOrganization, PASSWORD } from '../../testing/browser';
import { startGateway } from '../../testing/gateway';

const MINUTE_MS = 60_000;

describe('console sessions', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let clock: TestClock;
  let email: string;

  beforeAll(async () => {
    clock = testClock(new Date());
    gateway = await startGateway({ clock });
    ({ email } = await newOrganization(gateway.databaseUrl));
  });
  afterAll(() => gateway?.stop());

  let addresses = 0;
  const browser = () => new Browser(gateway.origin, `192.0.2.${(addresses += 1)}`);
  const signedIn = async () => {
    const one = browser();
    await one.signIn(email);
    return one;
  };
  const stillIn = async (one: Browser) => (await one.call('GET', '/session')).status === 200;

  it('start with e-mail and password, and return the user and their permissions', async () => {
    const one = browser();
    const answer = await one.call('POST', '/session', { body: { email: email.toUpperCase(), password: PASSWORD } });
    expect([answer.status, answer.json]).toEqual([200, { status: 'signed_in' }]);
    const session = await one.refresh();
    expect(session.user).toMatchObject({ email, totp_enabled: false });
    expect(session.memberships).toEqual([expect.objectContaining({ organization_name: 'Shop', role: 'owner' })]);
    expect(session.memberships[0]?.permissions).toEqual(expect.arrayContaining(['owners.manage', 'keys.manage', 'reports.read']));
  });

  it('use an HttpOnly, SameSite=Strict cookie, with the __Host- prefix over TLS', async () => {
    const { headers } = await browser().call('POST', '/session', { body: { email, password: PASSWORD } });
    expect(headers.get('set-cookie')).toMatch(/^console-development=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('give the same response to a wrong password and to an unknown address', async () => {
    const answers = await Promise.all(
      [email, 'nobody@shop.example'].map((address) =>
        browser().call('POST', '/session', { body: { email: address, password: 'wrong password!' } }),
      ),
    );
    for (const { status, error, headers } of answers) {
      expect([status, error?.code, error?.message]).toEqual([401, 'unauthorized', 'E-mail or password is wrong.']);
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  it('check one password hash with the same parameters for an unknown address and for a known one', async () => {
    const verify = jest.spyOn(argon2, 'verify');
    for (const address of [email, 'nobody@shop.example']) {
      await browser().call('POST', '/session', { body: { email: address, password: 'wrong password!' } });
    }
    const parameters = verify.mock.calls.map(([stored]) => String(stored).split('$').slice(1, 4).join(' '));
    expect(parameters).toEqual(Array(2).fill('argon2id v=19 m=19456,t=2,p=1'));
    verify.mockRestore();
  });

  it('refuse a client after ten wrong passwords; the owner can sign in from another address, and from the same one a minute later', async () => {
    const attacker = browser();
    const guess = () => attacker.call('POST', '/session', { body: { email, password: 'wrong password!' } });
    const guesses = await Promise.all(Array.from({ length: 14 }, guess));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = guesses.filter(({ status }) => status === 429);
    expect([refused.length, refused[0]?.error?.code]).toEqual([4, 'rate_limited']);
    expect((await attacker.call('POST', '/session', { body: { email, password: PASSWORD } })).status).toBe(429);
    expect(await stillIn(await signedIn())).toBe(true);
    clock.advanceMs(MINUTE_MS);
    expect((await attacker.call('POST', '/session', { body: { email, password: PASSWORD } })).status).toBe(200);
  });

  it('refused attempts on one account do not use up the attempts of other accounts at the same address', async () => {
    const office = browser();
    const guess = () => office.call('POST', '/session', { body: { email: 'forgetful@shop.example', password: 'wrong password!' } });
    const statuses: number[] = [];
    while (statuses.length < 75) statuses.push((await guess()).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    await office.signIn(email);
  });

  it('a client address that tries many accounts is refused', async () => {
    const attacker = browser();
    const statuses: number[] = [];
    for (let account = 0; account < 62; account += 1) {
      const { status } = await attacker.call('POST', '/session', { body: { email: `a${account}@b.example`, password: 'x' } });
      statuses.push(status);
    }
    expect([statuses.indexOf(429), statuses.filter((status) => status === 401).length]).toEqual([60, 60]);
  });

  it('many addresses together guess no faster than a hundred passwords an hour, and the owner still comes in from a known network', async () => {
    const { email: target } = await newOrganization(gateway.databaseUrl);
    const guessFrom = (address: string) =>
      new Browser(gateway.origin, address).call('POST', '/session', { body: { email: target, password: 'wrong password!' } });
    const owner = browser();
    await owner.signIn(target);
    const statuses: number[] = [];
    for (let network = 1; network <= 15; network += 1) {
      const guesses = Array.from({ length: 7 }, () => guessFrom(`198.51.100.${network}`));
      statuses.push(...(await Promise.all(guesses)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    await new Browser(gateway.origin, owner.address).signIn(target);
    const elsewhere = () => browser().call('POST', '/session', { body: { email: target, password: PASSWORD } });
    expect((await elsewhere()).status).toBe(429);
    clock.advanceMs(36_000);
    expect((await elsewhere()).status).toBe(200);
  });

  it('all processes share the count of wrong passwords, and IPv6 addresses count by network', async () => {
    const database = { url: gateway.databaseUrl, ownerUrl: gateway.ownerUrl };
    const other = await startGateway({ clock, database });
    const statuses: number[] = [];
    for (let guess = 0; guess < 14; guess += 1) {
      const attacker = new Browser((guess % 2 === 0 ? gateway : other).origin, `2001:db8:1:2::${guess.toString(16)}`);
      statuses.push((await attacker.call('POST', '/session', { body: { email, password: 'wrong password!' } })).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(4).fill(429)]);
    const atOnce = Array.from({ length: 20 }, (_, guess) =>
      new Browser((guess % 2 === 0 ? gateway : other).origin, '203.0.113.9').call('POST', '/session', {
        body: { email, password: 'wrong' },
      }),
    );
    expect((await Promise.all(atOnce)).filter(({ status }) => status === 401)).toHaveLength(10);
    const owner = new Browser(other.origin, '2001:db8:1:3::1');
    await owner.signIn(email);
    expect(await stillIn(owner)).toBe(true);
    await other.stop();
  });

  it('correct passwords do not count as wrong attempts', async () => {
    const one = browser();
    for (let time = 0; time < 15; time += 1) await one.signIn(email);
    expect(await stillIn(one)).toBe(true);
  });

  it('get a new token at sign-in: neither a planted token nor the previous one stays valid', async () => {
    const victim = browser();
    const planted = `console-development=${'A'.repeat(43)}`;
    victim.cookie = planted;
    await victim.signIn(email);
    expect(victim.cookie).not.toBe(planted);
    const attacker = browser();
    attacker.cookie = planted;
    expect(await stillIn(attacker)).toBe(false);

    attacker.cookie = victim.cookie;
    await victim.signIn(email);
    expect([await stillIn(attacker), await stillIn(victim)]).toEqual([false, true]);
  });

  it('end at sign-out: a copied cookie is refused afterwards', async () => {
    const one = await signedIn();
    const thief = browser();
    thief.cookie = one.cookie;
    expect(await stillIn(thief)).toBe(true);
    const out = await one.call('DELETE', '/session');
    expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    const { status, error } = await thief.call('GET', '/session');
    expect([status, error?.code]).toEqual([401, 'unauthorized']);
  });

  it('end when they are idle, and at the maximum age even when they are in use', async () => {
    const idle = await signedIn();
    const busy = await signedIn();
    clock.advanceMs(59 * MINUTE_MS);
    expect(await stillIn(busy)).toBe(true);
    clock.advanceMs(2 * MINUTE_MS);
    expect([await stillIn(idle), await stillIn(busy)]).toEqual([false, true]);
    for (let hours = 1; hours < 14; hours += 0.5) {
      clock.advanceMs(30 * MINUTE_MS);
      if (!(await stillIn(busy))) return expect(hours).toBeGreaterThan(10);
    }
    throw new Error('The session never ended');
  });

  it('replace their token while they are in use; the old token is accepted for a short time only', async () => {
    const one = await signedIn();
    const before = one.cookie;
    clock.advanceMs(16 * MINUTE_MS);
    const old = browser();
    old.cookie = before;
    expect(await stillIn(one)).toBe(true);
    expect(one.cookie).not.toBe(before);
    expect(await stillIn(old)).toBe(true);
    expect(old.cookie).toBe(before);
    clock.advanceMs(MINUTE_MS);
    expect([await stillIn(old), await stillIn(one)]).toEqual([false, true]);
    expect((await one.call('PATCH', '/account', { body: { name: 'Still me' } })).status).toBe(204);
  });

  it('are listed, and each can be ended from another session', async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    const { sessions } = SessionList.parse((await here.call('GET', '/account/sessions')).json);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    const other = sessions.find(({ address }) => address === there.address);
    expect((await here.call('DELETE', `/account/sessions/${other?.session_id}`)).status).toBe(204);
    expect([await stillIn(here), await stillIn(there)]).toEqual([true, false]);
    expect((await here.call('DELETE', `/account/sessions/${other?.session_id}`)).status).toBe(404);
  });

  describe('a changing request', () => {
    const rename = (one: Browser, headers: Record<string, string>) => one.call('PATCH', '/account', { body: { name: 'Changed' }, headers });

    it.each([
      ['from another origin', { origin: 'https://evil.example' }, null],
      ['from a page without an origin', { origin: 'null' }, null],
      ['from another port of the same machine', { origin: 'http://127.0.0.1:1' }, null],
      ['without the token of the session', { 'x-csrf-token': '' }, 'X-CSRF-Token'],
      ['with the token of another session', { 'x-csrf-token': 'A'.repeat(43) }, 'X-CSRF-Token'],
    ])('is refused %s', async (_, headers, param) => {
      const one = await signedIn();
      const { status, error } = await rename(one, headers);
      expect([status, error?.code, error?.param]).toEqual([403, 'forbidden', param]);
      const session = CurrentSession.parse((await one.call('GET', '/session')).json);
      expect(session.user.name).not.toBe('Changed');
    });

    it('is refused without an Origin header', async () => {
      const response = await fetch(`${gateway.origin}/console/api/session`, {
        method: 'POST',
        body: JSON.stringify({ email, password: PASSWORD }),
      });
      expect(response.status).toBe(403);
    });

    it('is refused with the content type of a form, which another site could send', async () => {
      const { status } = await browser().call('POST', '/session', { body: {}, headers: { 'content-type': 'text/plain' } });
      expect(status).toBe(422);
    });
  });

  it('are refused by the public API, and API keys are refused by the console API', async () => {
    const one = await signedIn();
    const key = await gateway.keyWith(['report:*']);
    const report = `${gateway.origin}/api/v1/reports/0193f3a0-0000-7000-8000-000000000001`;
    expect((await fetch(report, { headers: { cookie: one.cookie } })).status).toBe(401);
    const { status } = await browser().call('GET', '/session', { headers: { authorization: `Bearer ${key}` } });
    expect(status).toBe(401);
  });

  it.each(['/nothing', '/organizations', '/session/x'])('%s is not found', async (path) => {
    const one = await signedIn();
    expect((await one.call('GET', path)).status).toBe(404);
    expect([401, 404]).toContain((await browser().call('GET', path)).status);
  });
});
