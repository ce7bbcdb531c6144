import { LIMITS } from '@tire/contracts/limits';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { judgeAddress } from './addresses';
import { type Address, addressesOf, literalOf } from './names';
import { OutboundError } from './outbound-error';

/** The checked addresses of a request. It connects to no other address. */
export interface Target {
  readonly url: URL;
  readonly addresses: readonly Address[];
  /** Checks the address that the socket is connected to. */
  readonly accepts: (ip: string) => boolean;
}

export interface AddressRange {
  readonly address: string;
  readonly prefixBits: number;
}

export interface TargetRules {
  readonly allowedOrigins: ReadonlySet<string>;
  /** Allowed ports beside 443. */
  readonly ports: ReadonlySet<string>;
  /** Empty: the name servers of the system. */
  readonly dnsServers: readonly string[];
  readonly forbiddenRanges: readonly AddressRange[];
}

const isLoopback = (ip: string): boolean => ip === '::1' || (isIP(ip) === 4 && ip.startsWith('127.'));

export function parseTarget(text: string, base?: URL): URL {
  // A redirect may be longer, for example a signed one; the limit of headers applies to it.
  const isTooLong = base === undefined && text.length > LIMITS.url;
  if (isTooLong || !URL.canParse(text, base?.href)) throw new OutboundError('bad_url', 'The address is not a URL');
  return new URL(text, base);
}

/** This name means this machine (RFC 6761), regardless of the answer of a name server. */
const LOCALHOST = /(?:^|\.)localhost\.?$/;

/** Whether no answer of a name server can make this address a public one. The others are judged when a request is sent. */
export function isNeverPublic(url: URL, allowedOrigins: ReadonlySet<string>): boolean {
  if (allowedOrigins.has(url.origin)) return false;
  const literal = literalOf(url.hostname);
  return LOCALHOST.test(url.hostname) || (literal !== null && judgeAddress(literal.address) === 'forbidden');
}

function refuseByForm(url: URL, rules: TargetRules): void {
  if (url.username || url.password) throw new OutboundError('forbidden', 'The address holds a user name or password');
  if (rules.allowedOrigins.has(url.origin)) return;
  if (url.protocol !== 'https:') throw new OutboundError('forbidden', 'The scheme is not allowed');
  // The URL parser omits the default port 443.
  if (url.port !== '' && !rules.ports.has(url.port)) throw new OutboundError('forbidden', 'The port is not allowed');
  if (isNeverPublic(url, rules.allowedOrigins)) throw new OutboundError('forbidden', 'The address is not public');
}

const familyOf = (ip: string): 'ipv4' | 'ipv6' => (isIP(ip) === 6 ? 'ipv6' : 'ipv4');

/** Public addresses that belong to us: the current addresses of this machine, and those that the operator configured. */
function ours({ forbiddenRanges }: TargetRules): BlockList {
  const list = new BlockList();
  for (const { address, prefixBits } of forbiddenRanges) list.addSubnet(address, prefixBits, familyOf(address));
  for (const { address } of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) list.addAddress(address, familyOf(address));
  return list;
}

/** Checks every address of a name, not only the one that is used. */
export async function judgeTarget(url: URL, rules: TargetRules, signal: AbortSignal): Promise<Target> {
  refuseByForm(url, rules);
  let own: BlockList | undefined;
  const isForeign = (ip: string): boolean => judgeAddress(ip) === 'public' && !(own ??= ours(rules)).check(ip, familyOf(ip));
  const accepts = rules.allowedOrigins.has(url.origin) ? isLoopback : isForeign;
  const addresses = await addressesOf(url.hostname, rules.dnsServers, signal);
  if (!addresses.every(({ address }) => accepts(address))) throw new OutboundError('forbidden', 'The address is not public');
  return { url, addresses, accepts };
}
