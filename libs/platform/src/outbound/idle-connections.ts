import type { ClientRequest } from 'node:http';
import { Agent, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Target } from './target';

/** Long enough for the next image of a report. Hosts close idle connections later than this. */
const IDLE_MS = 4_000;
/** The limit for the whole process. Each connection is a socket and some 50 KB. */
const IDLE_MAX = 32;

type Options = RequestOptions & { readonly poolKey?: string };

/** The owner and the resolved addresses: a connection is reused only for the same owner and the same, checked addresses. */
export const poolKey = (owner: string, { addresses }: Target): string =>
  [owner, ...addresses.map(({ address }) => address).toSorted()].join(' ');

/**
 * Idle connections to hosts that were checked when the connection was made. The owner is part of the key, so that the speed of a
 * connection, or its reuse, reveals to no tenant what another tenant fetched.
 */
export class IdleConnections extends Agent {
  constructor() {
    super({ keepAlive: true, timeout: IDLE_MS });
  }

  override getName(options?: Options): string {
    return `${options?.poolKey} ${super.getName(options)}`;
  }

  override keepSocketAlive(socket: Socket): boolean {
    if (Object.values(this.freeSockets).flat().length >= IDLE_MAX) return false;
    socket.on('data', hangUp);
    // The result shows whether the host allows reuse. The types do not declare it.
    return super.keepSocketAlive(socket) as unknown as boolean;
  }

  override reuseSocket(socket: Socket, request: ClientRequest): void {
    socket.off('data', hangUp);
    super.reuseSocket(socket, request);
  }
}

/** Closes an idle connection on which the host sends data without a request. */
function hangUp(this: Socket): void {
  this.destroy();
}
