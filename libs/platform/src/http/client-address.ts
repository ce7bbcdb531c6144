import { BlockList, isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** The addresses of the proxies of this installation. */
export type TrustedProxies = Pick<BlockList, 'check'>;

/** Comma-separated addresses and networks, for example `10.1.2.3, 10.8.0.0/24, fd00::/64`. */
export const trustedProxies = () =>
  z
    .string()
    .refine((text) => readTrustedProxies(text) !== null, 'must be addresses and networks, separated by commas')
    .default('');

/** Null if a part is neither an address nor a network. */
export function readTrustedProxies(text: string): TrustedProxies | null {
  const proxies = new BlockList();
  for (const part of partsOf(text)) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(part) ?? [];
    const [family, bitsMax] = isIPv4(address) ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
    const prefix = Number(bits ?? bitsMax);
    if (isIP(address) === 0 || prefix > bitsMax) return null;
    proxies.addSubnet(address, prefix, family);
  }
  return proxies;
}

/** The sender of a request: what each hop appended to X-Forwarded-For, as far as the hops are proxies of this installation. */
export interface Sender {
  readonly address: string;
  /** A sender that is not a trusted proxy sent the header. */
  readonly claims: boolean;
}

const ADDRESS_LENGTH_MAX = 64;
const WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/;

/**
 * Each proxy appends the address that it saw. The entries are read from the last one, and only while the sender of an entry is trusted: an
 * entry before that may come from any client.
 */
export function senderOf(remoteAddress: string | undefined, forwardedFor: string | string[] | undefined, proxies: TrustedProxies): Sender {
  const entries = partsOf(String(forwardedFor ?? ''));
  let address = remoteAddress ?? 'unknown';
  while (entries.length > 0 && isTrusted(address, proxies)) address = entries.pop()!.replace(WITH_PORT, '$1');
  return { address: address.slice(0, ADDRESS_LENGTH_MAX), claims: entries.length > 0 && address === remoteAddress };
}

/** A client with one IPv6 address usually has 2^64 of them: the network of 64 bits counts as one. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.toNormalizedString().split(':').slice(0, 4).join(':') : parsed.toString();
}

function isTrusted(address: string, proxies: TrustedProxies): boolean {
  const version = isIP(address);
  return version !== 0 && proxies.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
