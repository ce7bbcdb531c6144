import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

const SWEEP_MS = 50;

/**
 * While the server closes, a connection goes as soon as nothing is to be answered on it. Node's own sweep passes over those on which
 * nothing was ever sent, as balancers and browsers open them ahead: they would keep a process alive for a minute.
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
