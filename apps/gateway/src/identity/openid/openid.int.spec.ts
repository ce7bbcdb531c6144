import { SignInOptions } from '@tire/contracts/console';
import { eventually, type IssuerAccount } from '@tire/test-harness';
import { Client } from 'pg';
import { Browser } from '../../testing/browser';
import { startGateway } from '../../testing/gateway';
import {
  accountOf,
  arrive,
  isIn,
  member,
  memberWithPassword,
  newEmail,
  openIdWorld,
  REFUSED,
  type OpenIdWorld,
} from '../../testing/openid';

describe('sign-in with OpenID Connect', () => {
  let world: OpenIdWorld;

  beforeAll(async () => {
    world = await openIdWorld();
  });
  afterAll(() => world?.stop());
  beforeEach(() => Object.assign(world.issuer.faults, { claims: {}, atUserInfo: null, silence: null, hasFault: false }));

  it('is offered when a provider is configured, and sends PKCE, state and nonce', async () => {
    const one = world.browser();
    expect(SignInOptions.parse((await one.call('GET', '/sign-in-options')).json)).toEqual({
      openid: { name: 'Shop accounts' },
      password_reset: false,
    });
    const authorization = new URL(await world.begin(one));
    expect(authorization.origin).toBe(world.issuer.origin);
    expect(Object.fromEntries(authorization.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'console',
      redirect_uri: `${world.gateway.origin}/console/api/session/openid/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(one.cookie).toMatch(/^console-development-openid=[\w-]{200,600}$/);
  });

  it('signs in a member with a verified address, from the ID token or from the user info', async () => {
    const account = await member(world);
    const one = world.browser();
    const { status, location, cookies } = await world.comeIn(one, { ...account, email: account.email.toUpperCase() });
    expect([status, location]).toEqual([303, '/console/']);
    expect(cookies[1]).toMatch(/^console-development=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await one.refresh()).user).toMatchObject({ email: account.email, openid_connected: true });
    world.issuer.faults.atUserInfo = account;
    const again = world.browser();
    expect((await world.comeIn(again, { sub: account.sub })).location).toBe('/console/');
    expect((await again.refresh()).user.email).toBe(account.email);
  });

  it.each([
    ['an address that is not verified', { email_verified: false }],
    ['an address without email_verified', { email_verified: undefined }],
    ['email_verified as a string', { email_verified: 'true' }],
    ['no address', { email: undefined }],
    ['an invalid address', { email: 'nobody' }],
  ])('refuses %s', async (_, over) => {
    const account = { ...(await member(world)), ...over };
    world.issuer.faults.atUserInfo = account;
    const one = world.browser();
    expect([(await world.comeIn(one, account as IssuerAccount)).location, await isIn(one)]).toEqual([REFUSED, false]);
  });

  it('refuses a callback that was obtained in another browser', async () => {
    const attacker = world.browser();
    const back = world.issuer.agree(await world.begin(attacker), await member(world));
    const victim = world.browser();
    expect((await arrive(victim, back)).location).toBe(REFUSED);
    await world.begin(victim);
    expect((await arrive(victim, back)).location).toBe(REFUSED);
    expect(await isIn(victim)).toBe(false);
    expect((await arrive(attacker, back)).location).toBe('/console/');
  });

  it('ends the previous session of the browser', async () => {
    const account = await member(world);
    const [one, other] = [world.browser(), world.browser()];
    await world.comeIn(one, account);
    other.cookie = one.cookie;
    expect((await world.comeIn(one, account)).location).toBe('/console/');
    expect([await isIn(one), await isIn(other)]).toEqual([true, false]);
  });

  it('starts only from the origin of the console', async () => {
    const { status } = await world.browser().call('POST', '/session/openid', { headers: { origin: 'https://evil.example' } });
    expect(status).toBe(403);
  });

  it('refuses a late callback and a used code', async () => {
    const account = await member(world);
    const one = world.browser();
    const back = world.issuer.agree(await world.begin(one), account);
    expect((await arrive(one, back)).location).toBe('/console/');
    const used = world.browser();
    const address = await world.begin(used);
    const code = { code: back.searchParams.get('code') ?? '' };
    expect((await arrive(used, world.issuer.agree(address, account, code))).location).toBe(REFUSED);
    const late = world.browser();
    const lateBack = world.issuer.agree(await world.begin(late), account);
    world.clock.advanceMs(10 * 60_000 + 1);
    expect((await arrive(late, lateBack)).location).toBe(REFUSED);
  });

  it('callbacks without a challenge do not use up the attempts of a client address', async () => {
    const { one, email } = await memberWithPassword(world);
    for (let sent = 0; sent < 70; sent += 1)
      await fetch(`${world.gateway.origin}/console/api/session/openid/callback?code=x`, {
        redirect: 'manual',
        headers: { 'x-forwarded-for': one.address },
      });
    await one.signIn(email);
  });

  it('continues in the tab that started last; callbacks of earlier tabs are refused and do not count as attempts', async () => {
    const [account, one] = [await member(world), world.browser()];
    const first = world.issuer.agree(await world.begin(one), account);
    const last = world.issuer.agree(await world.begin(one), account);
    const begun = one.cookie;
    for (let sent = 0; sent < 40; sent += 1) expect((await arrive(one, first)).location).toBe(REFUSED);
    expect(one.cookie).toBe(begun);
    expect((await arrive(one, last)).location).toBe('/console/');
  });

  it('failures of the provider do not count as attempts and redirect to #unavailable', async () => {
    const [account, one] = [await member(world), world.browser()];
    world.issuer.faults.hasFault = true;
    for (let tried = 0; tried < 35; tried += 1) expect((await world.comeIn(one, account)).location).toBe('/console/#unavailable');
    world.issuer.faults.hasFault = false;
    expect((await world.comeIn(one, account)).location).toBe('/console/');
  });

  it('redirects to #unavailable when the database is unavailable', async () => {
    const [account, one] = [await member(world), world.browser()];
    const back = world.issuer.agree(await world.begin(one), account);
    const name = new URL(world.gateway.ownerUrl).pathname.slice(1);
    const operator = new Client({ connectionString: world.gateway.ownerUrl });
    const user = new Client({ connectionString: world.gateway.databaseUrl });
    for (const client of [operator, user]) await client.connect();
    try {
      await operator.query(`ALTER DATABASE "${name}" CONNECTION LIMIT 0`);
      await user.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND usename = current_user AND pid <> pg_backend_pid()`,
      );
      expect((await arrive(one, back)).location).toBe('/console/#unavailable');
    } finally {
      await operator.query(`ALTER DATABASE "${name}" CONNECTION LIMIT -1`);
      for (const client of [operator, user]) await client.end();
    }
    await eventually(async () => (await world.comeIn(one, account)).location === '/console/');
  });

  it('counts refused callbacks separately from wrong passwords', async () => {
    const { one, email } = await memberWithPassword(world);
    const wrong = async () => (await world.comeIn(one, accountOf(newEmail()), { error: 'access_denied' })).location;
    for (let tried = 0; tried < 30; tried += 1) expect(await wrong()).toBe(REFUSED);
    expect(await wrong()).toBe('/console/#unavailable');
    await one.signIn(email);
  });

  it('password sign-ins are not blocked while the provider does not respond', async () => {
    const account = await member(world);
    const { one, email } = await memberWithPassword(world);
    let speak = () => {};
    world.issuer.faults.silence = new Promise((resolve) => (speak = resolve));
    const before = world.issuer.calls();
    const waiting = Array.from({ length: 33 }, () => world.comeIn(world.browser(), account));
    await eventually(() => world.issuer.calls() >= before + 33, { message: 'Not all of them came to the provider' });
    await one.signIn(email);
    speak();
    expect(new Set((await Promise.all(waiting)).map(({ location }) => location))).toEqual(new Set(['/console/']));
  });

  it.each([
    ['another state', { state: 'x'.repeat(43) }],
    ['another issuer', { iss: 'https://other.example' }],
    ['an invalid code', { code: 'x' }],
    ['an error of the provider', { error: 'access_denied' }],
  ])('refuses a callback with %s', async (_, over) => {
    const one = world.browser();
    expect([(await world.comeIn(one, await member(world), over)).location, await isIn(one)]).toEqual([REFUSED, false]);
  });

  it.each([
    ['of another issuer', { iss: 'https://other.example' }],
    ['for another client', { aud: 'other' }],
    ['for another sign-in', { nonce: 'other' }],
    ['that has expired', { exp: 1 }],
  ])('refuses an ID token %s', async (_, claims) => {
    const [account, one] = [await member(world), world.browser()];
    world.issuer.faults.claims = claims;
    expect([(await world.comeIn(one, account)).location, await isIn(one)]).toEqual([REFUSED, false]);
  });

  it('refuses an ID token with a signature of another key', async () => {
    const account = await member(world);
    const { key } = world.issuer.faults;
    world.issuer.faults.key = world.issuer.stranger;
    const { location } = await world.comeIn(world.browser(), account);
    world.issuer.faults.key = key;
    expect(location).toBe(REFUSED);
  });

  it('ignores redirect targets in the callback', async () => {
    const over = { redirect_uri: 'https://evil.example', return_to: '//evil.example', next: 'https://evil.example' };
    expect((await world.comeIn(world.browser(), await member(world), over)).location).toBe('/console/');
  });
});

it('OpenID Connect sign-in is unavailable without a provider', async () => {
  const gateway = await startGateway();
  const one = new Browser(gateway.origin);
  expect((await one.call('GET', '/sign-in-options')).json).toEqual({ openid: null, password_reset: false });
  expect((await one.call('POST', '/session/openid')).status).toBe(404);
  expect((await one.call('GET', '/session/openid/callback?code=x&state=y')).headers.get('location')).toBe(REFUSED);
  await gateway.stop();
});
