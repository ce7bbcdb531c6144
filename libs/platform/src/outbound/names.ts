import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { OutboundError } from './outbound-error';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The second try waits twice as long. */
const FIRST_TRY_MS = 1_000;
const TRIES = 2;

/** The address if the host of a URL is one, and no name. */
export function literalOf(hostname: string): Address | null {
  const address = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return family === 4 || family === 6 ? { address, family } : null;
}

/** Every address of a host, not only the one that happens to be used. */
export async function addressesOf(hostname: string, dnsServers: readonly string[], signal: AbortSignal): Promise<readonly Address[]> {
  const literal = literalOf(hostname);
  return literal ? [literal] : queryNameServers(hostname, dnsServers, signal);
}

/**
 * Queries the name servers directly and not through the system. So an entry in /etc/hosts or a search list never maps a submitted name to
 * one of our machines, and a name server that hangs blocks none of the few threads that files and images need.
 */
async function queryNameServers(hostname: string, dnsServers: readonly string[], signal: AbortSignal): Promise<readonly Address[]> {
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [...addresses(v4, 4), ...addresses(v6, 6)];
    if (found.length > 0) return found;
    const cause: unknown = v4.status === 'rejected' ? v4.reason : undefined;
    throw new OutboundError('unreachable', 'The host name cannot be resolved', cause);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

const addresses = (answer: PromiseSettledResult<readonly string[]>, family: 4 | 6): Address[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
