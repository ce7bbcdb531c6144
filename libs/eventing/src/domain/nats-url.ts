export interface NatsAddress {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  /** There: a server that offers no TLS is refused. Without it the client takes TLS where a server offers it. */
  readonly tls?: Record<string, never>;
}

/**
 * One address or several with commas between them. The client reads neither scheme nor credentials out of an address: one tls://
 * binds all, and the credentials of the first count.
 */
export function parseNatsUrl(natsUrl: string): NatsAddress {
  const urls = natsUrl.split(',').map((address) => new URL(address.trim()));
  const { username, password } = urls[0]!;
  return {
    servers: urls.map(({ host }) => host),
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
  };
}
