import { isIP } from 'node:net';
import { judgeAddress } from './addresses';
import { type Address, addressesOf } from './names';
import { OutboundError } from './outbound-error';

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
  /** Beside the one that the scheme has. */
  readonly ports: ReadonlySet<string>;
  /** Those of the system where there are none. */
  readonly dnsServers: readonly string[];
}

const URL_LENGTH_MAX = 2_048;

const isLoopback = (ip: string): boolean => ip === '::1' || (isIP(ip) === 4 && ip.startsWith('127.'));

export function parseTarget(text: string, base?: URL): URL {
  if (text.length > URL_LENGTH_MAX || !URL.canParse(text, base?.href)) throw new OutboundError('bad_url', 'The address is not a URL');
  return new URL(text, base);
}

/** Whatever a name server says of it, RFC 6761 has it mean this machine. */
const LOCALHOST = /(?:^|\.)localhost\.?$/;

function refuseByForm(url: URL, rules: TargetRules): void {
  if (url.username || url.password) throw new OutboundError('forbidden', 'The address holds a user name or password');
  if (rules.allowedOrigins.has(url.origin)) return;
  if (!rules.schemes.some((scheme) => url.protocol === `${scheme}:`)) throw new OutboundError('forbidden', 'The scheme is not allowed');
  // The port that belongs to the scheme is left out by the parser of URLs.
  if (url.port !== '' && !rules.ports.has(url.port)) throw new OutboundError('forbidden', 'The port is not allowed');
  if (LOCALHOST.test(url.hostname)) throw new OutboundError('forbidden', 'The address is not public');
}

/** Every address of a name is judged, not only the one that happens to be used. */
export async function judgeTarget(url: URL, rules: TargetRules, signal: AbortSignal): Promise<Target> {
  refuseByForm(url, rules);
  const accepts = rules.allowedOrigins.has(url.origin) ? isLoopback : (ip: string) => judgeAddress(ip) === 'public';
  const addresses = await addressesOf(url.hostname, rules.dnsServers, signal);
  if (!addresses.every(({ address }) => accepts(address))) throw new OutboundError('forbidden', 'The address is not public');
  return { url, addresses, accepts };
}
