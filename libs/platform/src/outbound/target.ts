import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { judgeAddress } from './addresses';
import { OutboundError } from './outbound-error';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Where a request goes: the addresses are judged already, and nothing else is connected to. */
export interface Target {
  readonly url: URL;
  readonly addresses: readonly Address[];
  /** Judges the address that the socket is connected to. */
  readonly accepts: (ip: string) => boolean;
}

export interface TargetRules {
  readonly allowedOrigins: ReadonlySet<string>;
  readonly schemes: readonly ('http' | 'https')[];
}

const URL_LENGTH_MAX = 2_048;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

const isLoopback = (ip: string): boolean => ip === '::1' || (isIP(ip) === 4 && ip.startsWith('127.'));

export function parseTarget(text: string, base?: URL): URL {
  if (text.length > URL_LENGTH_MAX || !URL.canParse(text, base?.href)) throw new OutboundError('bad_url', 'The address is not a URL');
  return new URL(text, base);
}

function refuseByForm(url: URL, rules: TargetRules): void {
  if (url.username || url.password) throw new OutboundError('forbidden', 'The address holds a user name or password');
  if (rules.allowedOrigins.has(url.origin)) return;
  if (!rules.schemes.some((scheme) => url.protocol === `${scheme}:`)) throw new OutboundError('forbidden', 'The scheme is not allowed');
  if (url.port !== '' && url.port !== DEFAULT_PORTS[url.protocol]) throw new OutboundError('forbidden', 'The port is not allowed');
}

async function resolve(hostname: string): Promise<Address[]> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(literal);
  if (family === 4 || family === 6) return [{ address: literal, family }];
  const found = await lookup(hostname, { all: true }).catch((error: unknown) => {
    throw new OutboundError('unreachable', 'The host name cannot be resolved', error);
  });
  return found.map((entry) => ({ address: entry.address, family: entry.family === 6 ? 6 : 4 }));
}

/** Every address of a name is judged, not only the one that happens to be used. */
export async function judgeTarget(url: URL, rules: TargetRules): Promise<Target> {
  refuseByForm(url, rules);
  const accepts = rules.allowedOrigins.has(url.origin) ? isLoopback : (ip: string) => judgeAddress(ip) === 'public';
  const addresses = await resolve(url.hostname);
  if (addresses.length === 0) throw new OutboundError('unreachable', 'The host name has no address');
  if (!addresses.every(({ address }) => accepts(address))) throw new OutboundError('forbidden', 'The address is not public');
  return { url, addresses, accepts };
}
