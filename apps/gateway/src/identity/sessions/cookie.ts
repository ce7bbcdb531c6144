import type { FastifyRequest } from 'fastify';
import type { CookieSettings } from '../../site/console-settings';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Has room for the longest token of an invitation. */
const CHALLENGE = /^[A-Za-z0-9_-]{44,2048}$/;

type SetCookie = { readonly 'set-cookie': string };

/** The first cookie of the name: the prefix __Host- keeps other hosts of the domain from setting another one. */
function valueOf({ headers }: FastifyRequest, name: string, shape: RegExp): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  return shape.test(value) ? value : null;
}

const attributes = ({ secure }: CookieSettings, sameSite = 'Strict'): string =>
  `Path=/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;

export const sessionToken = (request: FastifyRequest, { name }: CookieSettings): string | null => valueOf(request, name, TOKEN);

export const sessionCookie = (cookie: CookieSettings, token: string): SetCookie => ({
  'set-cookie': `${cookie.name}=${token}; ${attributes(cookie)}`,
});

export const clearedSessionCookie = (cookie: CookieSettings): SetCookie => ({
  'set-cookie': `${cookie.name}=; ${attributes(cookie)}; Max-Age=0`,
});

const browserName = ({ name }: CookieSettings): string => `${name}-browser`;
/** As long as browsers keep a cookie. */
const BROWSER_SECONDS = 400 * 86_400;

export const browserToken = (request: FastifyRequest, cookie: CookieSettings): string | null =>
  valueOf(request, browserName(cookie), TOKEN);

/** The cookies after a sign-in. The one of the browser is lax: the callback of the OpenID Connect provider is a cross-site link. */
export function signedInCookies(cookie: CookieSettings, token: string, browser: string | undefined): string[] {
  const session = sessionCookie(cookie, token)['set-cookie'];
  if (browser === undefined) return [session];
  return [session, `${browserName(cookie)}=${browser}; ${attributes(cookie, 'Lax')}; Max-Age=${BROWSER_SECONDS}`];
}

/** Holds the challenge for the callback of the OpenID Connect provider. The callback is a cross-site link, so SameSite cannot be strict. */
const challengeName = ({ name }: CookieSettings): string => `${name}-openid`;

export const challengeOf = (request: FastifyRequest, cookie: CookieSettings): string | null =>
  valueOf(request, challengeName(cookie), CHALLENGE);

export const challengeCookie = (cookie: CookieSettings, sealed: string, seconds: number): SetCookie => ({
  'set-cookie': `${challengeName(cookie)}=${sealed}; ${attributes(cookie, 'Lax')}; Max-Age=${seconds}`,
});

export const clearedChallengeCookie = (cookie: CookieSettings): SetCookie => challengeCookie(cookie, '', 0);
