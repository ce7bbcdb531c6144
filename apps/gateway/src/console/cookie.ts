import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieSettings } from './settings';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** With the longest token of an invitation in it. */
const CHALLENGE = /^[A-Za-z0-9_-]{44,2048}$/;

/** The first one of the name: __Host- keeps neighbours from planting another. */
function valueOf({ headers }: FastifyRequest, name: string, shape: RegExp): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  return shape.test(value) ? value : null;
}

export const sessionToken = (request: FastifyRequest, { name }: CookieSettings): string | null => valueOf(request, name, TOKEN);

const attributes = ({ secure }: CookieSettings, sameSite = 'Strict'): string =>
  `Path=/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;

/** What the browser keeps while its user is at the provider. It comes back from there by a link, so it is not strict. */
const challengeName = ({ name }: CookieSettings): string => `${name}-openid`;

export const challengeOf = (request: FastifyRequest, cookie: CookieSettings): string | null =>
  valueOf(request, challengeName(cookie), CHALLENGE);

export const setChallengeCookie = (reply: FastifyReply, cookie: CookieSettings, sealed: string, seconds: number): void =>
  void reply.header('set-cookie', `${challengeName(cookie)}=${sealed}; ${attributes(cookie, 'Lax')}; Max-Age=${seconds}`);

export const clearChallengeCookie = (reply: FastifyReply, cookie: CookieSettings): void => setChallengeCookie(reply, cookie, '', 0);

export const setSessionCookie = (reply: FastifyReply, cookie: CookieSettings, token: string): void =>
  void reply.header('set-cookie', `${cookie.name}=${token}; ${attributes(cookie)}`);

export const clearSessionCookie = (reply: FastifyReply, cookie: CookieSettings): void =>
  void reply.header('set-cookie', `${cookie.name}=; ${attributes(cookie)}; Max-Age=0`);
