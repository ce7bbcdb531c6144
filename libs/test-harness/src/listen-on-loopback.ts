import type { AddressInfo, ListenOptions, Server, Socket } from 'node:net';

/**
 * Listens on every address of 127.0.0.0/8, each of which is another host. Node has no way to listen on these alone, so a connection that
 * comes to another address of the machine is closed before anything is read. Returns the port.
 */
export async function listenOnLoopback(server: Server, options: Pick<ListenOptions, 'backlog'> = {}): Promise<number> {
  server.prependListener('connection', (socket: Socket) => {
    if (!socket.localAddress?.startsWith('127.')) socket.destroy();
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen({ ...options, port: 0, host: '0.0.0.0' }, () => {
      server.off('error', reject);
      resolve();
    }),
  );
  return (server.address() as AddressInfo).port;
}
