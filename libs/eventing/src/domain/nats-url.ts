export interface NatsAddress {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
}

/** One address or several with commas between them. The client does not read credentials out of an address: those of the first count. */
export function parseNatsUrl(natsUrl: string): NatsAddress {
  const urls = natsUrl.split(',').map((address) => new URL(address.trim()));
  const { username, password } = urls[0]!;
  const servers = urls.map(({ host }) => host);
  return username ? { servers, user: decodeURIComponent(username), pass: decodeURIComponent(password) } : { servers };
}
