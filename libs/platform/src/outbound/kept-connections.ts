import type { ClientRequest } from 'node:http';
import { Agent, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Target } from './target';

/** Between the images of one report; hosts give up later themselves. */
const IDLE_MS = 4_000;
/** In all: each is a socket and some 50 KB. */
const IDLE_MAX = 32;

type Options = RequestOptions & { readonly keptUnder?: string };

/** Who asked, and what the name stood for just then: only a request that was judged to go to the same addresses gets the connection. */
export const keptUnder = (who: string, { addresses }: Target): string =>
  [who, ...addresses.map(({ address }) => address).toSorted()].join(' ');

/**
 * Connections that were judged when they were made and wait a little for another request to the same host. The key of one names who
 * asked for it, so that nobody learns from its speed, or gets over it, what another one fetched.
 */
export class KeptConnections extends Agent {
  constructor() {
    super({ keepAlive: true, timeout: IDLE_MS });
  }

  override getName(options?: Options): string {
    return `${options?.keptUnder} ${super.getName(options)}`;
  }

  override keepSocketAlive(socket: Socket): boolean {
    if (Object.values(this.freeSockets).flat().length >= IDLE_MAX) return false;
    socket.on('data', hangUp);
    // It says whether the host lets it be kept, which the types do not know.
    return super.keepSocketAlive(socket) as unknown as boolean;
  }

  override reuseSocket(socket: Socket, request: ClientRequest): void {
    socket.off('data', hangUp);
    super.reuseSocket(socket, request);
  }
}

/** Nobody asked: a host that goes on sending is not listened to. */
function hangUp(this: Socket): void {
  this.destroy();
}
