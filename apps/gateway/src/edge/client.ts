import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** The source of a request, as seen on the connection. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
}

const USER_AGENT_LENGTH_MAX = 300;
const ADDRESS_LENGTH_MAX = 64;

/**
 * Each proxy appends the address that it saw. The entry of the first proxy of this installation is trusted; entries before it may be
 * written by the client.
 */
export function clientOf(request: FastifyRequest, proxyHops: number): Client {
  const entries = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const address = (proxyHops > 0 ? entries.at(-proxyHops) : undefined) ?? request.socket.remoteAddress ?? 'unknown';
  const userAgent = request.headers['user-agent'] ?? '';
  return { address: address.slice(0, ADDRESS_LENGTH_MAX), userAgent: printable(userAgent).slice(0, USER_AGENT_LENGTH_MAX) };
}

/** A client with one IPv6 address usually has 2^64 of them: the network of 64 bits counts as one. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.toNormalizedString().split(':').slice(0, 4).join(':') : parsed.toString();
}

const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');
