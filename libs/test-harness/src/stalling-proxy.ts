import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface StallingProxy {
  readonly port: number;
  /** The clients that are connected now. */
  readonly clients: number;
  /** How many connections it has accepted. */
  readonly accepted: number;
  /** From now on it accepts connections and forwards nothing, like a server whose process is stopped. Connections that exist are lost. */
  stall(): void;
  /** Forwards everything that was held back. */
  resume(): void;
  stop(): Promise<void>;
}

/** Stands between a client and a server. */
export async function startStallingProxy(serverPort: number): Promise<StallingProxy> {
  const clients = new Set<Socket>();
  const held: Socket[] = [];
  let stalled = false;
  let accepted = 0;
  const forward = (client: Socket) => {
    const server = connect(serverPort, '127.0.0.1');
    client.on('close', () => server.destroy());
    server.on('error', () => undefined).on('close', () => client.destroy());
    client.pipe(server).pipe(client);
  };
  const proxy = createServer((client) => {
    accepted += 1;
    clients.add(client.on('error', () => undefined).on('close', () => clients.delete(client)));
    if (stalled) held.push(client);
    else forward(client);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    get clients() {
      return clients.size;
    },
    get accepted() {
      return accepted;
    },
    stall: () => {
      stalled = true;
      for (const client of clients) client.destroy();
    },
    resume: () => {
      stalled = false;
      held.splice(0).forEach(forward);
    },
    stop: async () => {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
