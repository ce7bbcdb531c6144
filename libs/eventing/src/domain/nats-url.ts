export interface NatsAddress {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  /** Set: TLS is required. Otherwise the client uses TLS if the server offers it. */
  readonly tls?: Record<string, never>;
}

/**
 * One address, or several with commas between them. The client ignores scheme and credentials of an address. Here one tls:// applies to all
 * addresses, and the credentials of the first address apply.
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
