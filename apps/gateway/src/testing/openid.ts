import { OpenIdStart } from '@tire/contracts/console';
import { newId } from '@tire/kernel';
import { startIssuer, testClock, type IssuerAccount } from '@tire/test-harness';
import { Browser, invited, newOrganization } from './browser';
import { startGateway } from './gateway';

export const REFUSED = '/console/#refused';
export const NOT_CONNECTED = '/console/account#not-connected';

/** A gateway with an OpenID Connect provider, organizations, and browsers. */
export async function openIdWorld() {
  const issuer = await startIssuer();
  const clock = testClock(new Date());
  const environment = {
    CONSOLE_OIDC_ISSUER: issuer.origin,
    CONSOLE_OIDC_CLIENT_ID: issuer.client.id,
    CONSOLE_OIDC_CLIENT_SECRET: issuer.client.secret,
    CONSOLE_OIDC_NAME: 'Shop accounts',
  };
  const gateway = await startGateway({ clock, environment });
  let addresses = 0;
  const browser = () => new Browser(gateway.origin, `203.0.113.${(addresses += 1)}`);
  const organization = async () => {
    const { organizationId, email } = await newOrganization(gateway.databaseUrl);
    const owner = browser();
    await owner.signIn(email);
    const invite = async (guest: string) => {
      const { json } = await owner.call('POST', `/organizations/${organizationId}/invitations`, {
        body: { email: guest, role: 'support' },
      });
      return (json as { link: string }).link.split('#')[1] ?? '';
    };
    return { organizationId, owner, invite };
  };
  const stop = async () => {
    await gateway.stop();
    await issuer.stop();
  };
  return { ...visits(issuer), issuer, clock, gateway, browser, organization, home: await organization(), stop };
}

export type OpenIdWorld = Awaited<ReturnType<typeof openIdWorld>>;

export const newEmail = () => `${newId()}@shop.example`;
export const accountOf = (email: string) => ({ sub: newId(), email, email_verified: true });

/** A browser follows a link of another site. */
export async function arrive(one: Browser, back: URL) {
  const { status, headers } = await one.call('GET', `/session/openid/callback${back.search}`);
  return { status, location: headers.get('location'), cookies: headers.getSetCookie() };
}

/** To the provider and back, from each page that starts it. */
function visits(issuer: Awaited<ReturnType<typeof startIssuer>>) {
  const sentTo = async (one: Browser, path: string, body?: object) =>
    OpenIdStart.parse((await one.call('POST', path, { body })).json).authorization_url;
  const begin = (one: Browser) => sentTo(one, '/session/openid');
  const beginToConnect = (one: Browser, password: string) => sentTo(one, '/account/openid', { password });
  return {
    begin,
    beginToConnect,
    comeIn: async (one: Browser, account: IssuerAccount, over: Record<string, string> = {}) =>
      arrive(one, issuer.agree(await begin(one), account, over)),
    /** Signs in from the page of an invitation. */
    join: async (one: Browser, token: string, account: IssuerAccount) =>
      arrive(one, issuer.agree(await sentTo(one, '/invitations/openid', { token }), account)),
    confirm: async (one: Browser, account: IssuerAccount) =>
      arrive(one, issuer.agree(await sentTo(one, '/account/openid/confirm'), account)),
    connect: async (one: Browser, password: string, account: IssuerAccount) =>
      arrive(one, issuer.agree(await beginToConnect(one, password), account)),
  };
}

/** A member without a password. */
export async function member({ browser, home, join }: OpenIdWorld) {
  const account = accountOf(newEmail());
  const { location } = await join(browser(), await home.invite(account.email), account);
  if (location !== '/console/') throw new Error(`The invited user was sent to ${location}`);
  return account;
}

export async function memberWithPassword({ browser, home }: OpenIdWorld) {
  const [one, email] = [browser(), newEmail()];
  await invited(home.owner, one, home.organizationId, 'developer', email);
  return { one, email, session: one.cookie };
}

export const isIn = async (one: Browser) => (await one.call('GET', '/session')).status === 200;

export const rolesOf = async (one: Browser) =>
  (await one.refresh()).memberships.map(({ organization_id, role }) => [organization_id, role]);
