import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieSettings } from './settings';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The first one of the name: __Host- keeps neighbours from planting another. */
export function sessionToken({ headers }: FastifyRequest, { name }: CookieSettings): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  return TOKEN.test(value) ? value : null;
}

const attributes = ({ secure }: CookieSettings, sameSite = 'Strict'): string =>
  `Path=/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;

/** What the browser keeps while its user is at the provider. It comes back from there by a link, so it is not strict. */
const challengeName = ({ name }: CookieSettings): string => `${name}-openid`;

export const challengeToken = (request: FastifyRequest, cookie: CookieSettings): string | null =>
  sessionToken(request, { ...cookie, name: challengeName(cookie) });

export const setChallengeCookie = (reply: FastifyReply, cookie: CookieSettings, token: string, seconds: number): void =>
  void reply.header('set-cookie', `${challengeName(cookie)}=${token}; ${attributes(cookie, 'Lax')}; Max-Age=${seconds}`);

export const clearChallengeCookie = (reply: FastifyReply, cookie: CookieSettings): void => setChallengeCookie(reply, cookie, '', 0);

export const setSessionCookie = (reply: FastifyReply, cookie: CookieSettings, token: string): void =>
  void reply.header('set-cookie', `${cookie.name}=${token}; ${attributes(cookie)}`);

export const clearSessionCookie = (reply: FastifyReply, cookie: CookieSettings): void =>
  void reply.header('set-cookie', `${cookie.name}=; ${attributes(cookie)}; Max-Age=0`);
