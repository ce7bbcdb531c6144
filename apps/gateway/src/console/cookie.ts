import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieSettings } from './settings';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The first one of the name: __Host- keeps neighbours from planting another. */
export function sessionToken({ headers }: FastifyRequest, { name }: CookieSettings): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  return TOKEN.test(value) ? value : null;
}

const attributes = ({ secure }: CookieSettings): string => `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

export const setSessionCookie = (reply: FastifyReply, cookie: CookieSettings, token: string): void =>
  void reply.header('set-cookie', `${cookie.name}=${token}; ${attributes(cookie)}`);

export const clearSessionCookie = (reply: FastifyReply, cookie: CookieSettings): void =>
  void reply.header('set-cookie', `${cookie.name}=; ${attributes(cookie)}; Max-Age=0`);
