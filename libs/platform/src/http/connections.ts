import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

const SWEEP_MS = 50;

/**
 * While the server closes, ends each connection without a request in flight. Node's own sweep skips connections on which nothing was ever
 * sent. Load balancers and browsers open such connections in advance, and they would keep a process alive for a minute.
 */
export function endIdleConnectionsOnClose(fastify: FastifyInstance): void {
  const { server } = fastify;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const sweep = (): void => {
    server.closeIdleConnections();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  fastify.addHook('preClose', (done) => {
    const sweeping = setInterval(sweep, SWEEP_MS);
    server.once('close', () => clearInterval(sweeping));
    done();
  });
}
