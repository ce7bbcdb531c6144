import { OpenIdStart, SignInOptions } from '@tire/contracts';
import { newId } from '@tire/kernel';
import { freePort, testClock, type TestClock } from '@tire/test-harness';
import { Browser, invited, newOrganization } from '../testing/browser';
import { startGateway } from '../testing/gateway';
import { startIssuer, type Account } from '../testing/issuer';

const REFUSED = '/console/#refused';

describe('signing in with OpenID Connect', () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let clock: TestClock;
  let owner: Browser;
  let organizationId: string;
  let addresses = 0;

  beforeAll(async () => {
    issuer = await startIssuer();
    clock = testClock(new Date());
    const nobody = `127.0.0.1:${await freePort()}`;
    const behind = { LEDGER_GRPC_URL: nobody, CONTENT_GRPC_URL: nobody, SHARE_GRPC_URL: nobody };
    const environment = {
      CONSOLE_OIDC_ISSUER: issuer.origin,
      CONSOLE_OIDC_CLIENT_ID: issuer.client.id,
      CONSOLE_OIDC_CLIENT_SECRET: issuer.client.secret,
      CONSOLE_OIDC_NAME: 'Shop accounts',
    };
    gateway = await startGateway(await freePort(), behind, { clock, environment });
    const made = await newOrganization(gateway.databaseUrl);
    organizationId = made.organizationId;
    owner = browser();
    await owner.signIn(made.email);
  });
  afterAll(async () => {
    await gateway?.stop();
    await issuer?.stop();
  });
  beforeEach(() => Object.assign(issuer.lies, { claims: {}, key: issuer.lies.key, atUserInfo: null }));

  const browser = () => new Browser(gateway.origin, `203.0.113.${(addresses += 1)}`);
  const newEmail = () => `${newId()}@shop.example`;
  const accountOf = (email: string): Account => ({ sub: newId(), email, email_verified: true });
  const begin = async (one: Browser) => OpenIdStart.parse((await one.call('POST', '/session/openid')).json).authorization_url;
  /** As a browser follows a link that another site gave it. */
  const arrive = async (one: Browser, back: URL) => {
    const { status, headers } = await one.call('GET', `/session/openid/callback${back.search}`);
    return { status, location: headers.get('location'), cookies: headers.getSetCookie() };
  };
  const comeIn = async (one: Browser, account: Account, over: Record<string, string> = {}) =>
    arrive(one, issuer.agree(await begin(one), account, over));
  const isIn = async (one: Browser) => (await one.call('GET', '/session')).status === 200;
  const member = async (role = 'developer') => {
    const email = newEmail();
    await invited(owner, browser(), organizationId, role, email);
    return email;
  };
  const invite = (email: string) =>
    owner.call('POST', `/organizations/${organizationId}/invitations`, { body: { email, role: 'support' } });

  it('is offered where it is configured, and asks with PKCE, state and nonce', async () => {
    const one = browser();
    expect(SignInOptions.parse((await one.call('GET', '/sign-in-options')).json)).toEqual({ openid: { name: 'Shop accounts' } });
    const asked = new URL(await begin(one));
    expect(asked.origin).toBe(issuer.origin);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'console',
      redirect_uri: `${gateway.origin}/console/api/session/openid/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(one.cookie).toMatch(/^console-development-openid=[\w-]{43}$/);
  });

  it('opens the account of a member whose address is verified, wherever the provider tells it', async () => {
    const email = await member();
    const account = accountOf(email.toUpperCase());
    const one = browser();
    const { status, location, cookies } = await comeIn(one, account);
    expect([status, location]).toEqual([303, '/console/']);
    expect(cookies[1]).toMatch(/^console-development=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await one.refresh()).user.email).toBe(email);
    issuer.lies.atUserInfo = account;
    const again = browser();
    expect((await comeIn(again, { sub: account.sub })).location).toBe('/console/');
    expect((await again.refresh()).user.email).toBe(email);
  });

  it('lets in who was invited, as what he was invited, and nobody else', async () => {
    const email = newEmail();
    await invite(email);
    const one = browser();
    expect((await comeIn(one, accountOf(email))).location).toBe('/console/');
    const { memberships } = await one.refresh();
    expect(memberships.map(({ organization_id, role }) => [organization_id, role])).toEqual([[organizationId, 'support']]);
    const stranger = browser();
    expect((await comeIn(stranger, accountOf(newEmail()))).location).toBe(REFUSED);
    expect(await isIn(stranger)).toBe(false);
  });

  it.each([
    ['an address that is not verified', { email_verified: false }],
    ['an address of which nothing is said', { email_verified: undefined }],
    ['a word for true', { email_verified: 'true' }],
    ['no address', { email: undefined }],
    ['text that is no address', { email: 'nobody' }],
  ])('refuses %s', async (_, over) => {
    const account = { ...accountOf(await member()), ...over };
    issuer.lies.atUserInfo = account;
    const one = browser();
    expect([(await comeIn(one, account as Account)).location, await isIn(one)]).toEqual([REFUSED, false]);
  });

  it('keeps an account with the subject that opened it: another one of the same address does not', async () => {
    const email = await member();
    expect((await comeIn(browser(), accountOf(email))).location).toBe('/console/');
    expect((await comeIn(browser(), accountOf(email))).location).toBe(REFUSED);
  });

  it('does not sign a victim in with an answer that an attacker got', async () => {
    const attacker = browser();
    const back = issuer.agree(await begin(attacker), accountOf(await member()));
    const victim = browser();
    expect((await arrive(victim, back)).location).toBe(REFUSED);
    await begin(victim);
    expect((await arrive(victim, back)).location).toBe(REFUSED);
    expect(await isIn(victim)).toBe(false);
    expect((await arrive(attacker, back)).location).toBe('/console/');
  });

  it('is begun by the console only', async () => {
    const { status } = await browser().call('POST', '/session/openid', { headers: { origin: 'https://evil.example' } });
    expect(status).toBe(403);
  });

  it('takes an answer once, and none that comes late', async () => {
    const account = accountOf(await member());
    const one = browser();
    const back = issuer.agree(await begin(one), account);
    const kept = one.cookie;
    expect((await arrive(one, back)).location).toBe('/console/');
    const replay = browser();
    replay.cookie = kept;
    expect((await arrive(replay, back)).location).toBe(REFUSED);
    const used = browser();
    const address = await begin(used);
    const code = { code: back.searchParams.get('code') ?? '' };
    expect((await arrive(used, issuer.agree(address, account, code))).location).toBe(REFUSED);
    const late = browser();
    const lateBack = issuer.agree(await begin(late), account);
    clock.advanceMs(10 * 60_000 + 1);
    expect((await arrive(late, lateBack)).location).toBe(REFUSED);
  });

  it.each([
    ['another state', { state: 'x'.repeat(43) }],
    ['another issuer', { iss: 'https://other.example' }],
    ['a code that was never given', { code: 'x' }],
    ['a refusal', { error: 'access_denied' }],
  ])('refuses an answer with %s', async (_, over) => {
    const one = browser();
    expect([(await comeIn(one, accountOf(await member()), over)).location, await isIn(one)]).toEqual([REFUSED, false]);
  });

  it.each([
    ['of another issuer', { iss: 'https://other.example' }],
    ['for another client', { aud: 'other' }],
    ['for another sign-in', { nonce: 'other' }],
    ['that has ended', { exp: 1 }],
  ])('refuses an ID token %s', async (_, claims) => {
    issuer.lies.claims = claims;
    const one = browser();
    expect([(await comeIn(one, accountOf(await member()))).location, await isIn(one)]).toEqual([REFUSED, false]);
  });

  it('refuses an ID token that somebody else signed', async () => {
    const { key } = issuer.lies;
    issuer.lies.key = issuer.stranger;
    const { location } = await comeIn(browser(), accountOf(await member()));
    issuer.lies.key = key;
    expect(location).toBe(REFUSED);
  });

  it('goes nowhere that the answer says', async () => {
    const over = { redirect_uri: 'https://evil.example', return_to: '//evil.example', next: 'https://evil.example' };
    expect((await comeIn(browser(), accountOf(await member()), over)).location).toBe('/console/');
  });
});

it('without a provider there is nothing to sign in with', async () => {
  const nobody = `127.0.0.1:${await freePort()}`;
  const gateway = await startGateway(await freePort(), { LEDGER_GRPC_URL: nobody, CONTENT_GRPC_URL: nobody, SHARE_GRPC_URL: nobody });
  const one = new Browser(gateway.origin);
  expect((await one.call('GET', '/sign-in-options')).json).toEqual({ openid: null });
  expect((await one.call('POST', '/session/openid')).status).toBe(404);
  expect((await one.call('GET', '/session/openid/callback?code=x&state=y')).headers.get('location')).toBe(REFUSED);
  await gateway.stop();
});
