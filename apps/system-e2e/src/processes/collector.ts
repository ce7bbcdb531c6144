import { eventually } from '@tire/test-harness';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** The attribute service.name of a resource, in protobuf. */
const resourceOf = (service: string): Buffer =>
  Buffer.concat([Buffer.from('service.name'), Buffer.from([0x12, service.length + 2, 0x0a, service.length]), Buffer.from(service)]);

/** A collector of traces: keeps what services send, as it came (protobuf, in which texts are UTF-8). */
export async function startCollector(port: number) {
  const batches: Buffer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      batches.push(Buffer.concat(chunks));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const has = (service: string, text: string) => batches.some((batch) => batch.includes(resourceOf(service)) && batch.includes(text));
  return {
    batches,
    /** Waits until each of the services has sent spans of the request that `send` sends, and again if they were lost. */
    reachedBy: async (services: readonly string[], send: () => Promise<string>): Promise<void> => {
      await eventually(
        async () => {
          const requestId = await send();
          return eventually(() => services.every((service) => has(service, requestId)), { timeoutMs: 5_000 });
        },
        { message: `No spans of one request came of all of ${services.join()}` },
      );
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
