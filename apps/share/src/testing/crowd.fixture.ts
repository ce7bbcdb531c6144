import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A process that plays any number of receivers: it listens on every loopback address. /healthy/… answers at once and sends the time of
 * the call to the parent. /hole/… takes the request and never answers.
 */
export interface CrowdMessage {
  readonly port?: number;
  readonly called?: { readonly path: string; readonly atMs: number };
  readonly holesMax?: number;
}

const send = (message: CrowdMessage): void => void process.send?.(message);

let holes = 0;
let holesMax = 0;
const server = createServer((request, response) => {
  const path = request.url ?? '';
  request.resume();
  if (path.startsWith('/healthy/')) {
    const atMs = Date.now();
    request.on('end', () => {
      response.writeHead(204).end();
      send({ called: { path, atMs } });
    });
    return;
  }
  holes += 1;
  if (holes > holesMax) send({ holesMax: (holesMax = holes) });
  request.socket.on('close', () => (holes -= 1));
});
server.listen({ port: 0, host: '0.0.0.0', backlog: 4_096 }, () => send({ port: (server.address() as AddressInfo).port }));
process.once('disconnect', () => process.exit(0));
