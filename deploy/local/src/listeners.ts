import { readdir, readFile } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import type { Sample } from './samples';
import { REPOSITORY_ROOT, type StackFile } from './stack-file';

async function listen(server: Server, origin: string): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(origin);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(Number(port), hostname, resolve));
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

/** A partner's image host, at an address that the guard of this stack allows. */
export async function serveImages(
  { images_origin, tls }: Pick<StackFile, 'images_origin' | 'tls'>,
  samples: readonly Pick<Sample, 'path' | 'bytes'>[],
): Promise<() => Promise<void>> {
  const [cert, key] = await Promise.all([readFile(tls.cert), readFile(tls.key)]);
  const images = new Map(samples.map(({ path, bytes }) => [path, bytes]));
  const server = createHttpsServer({ cert, key }, (request, response) => {
    const bytes = images.get(request.url ?? '');
    if (!bytes) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': bytes.length }).end(bytes);
  });
  return listen(server, images_origin);
}

/** The photographs of the guide at HTTPS addresses, so that its commands of customer URL mode run on a local stack. */
export async function serveGuideSamples(origin: string, tls: StackFile['tls']): Promise<() => Promise<void>> {
  const folder = join(REPOSITORY_ROOT, 'docs/guide/samples');
  const read = async (name: string) => ({ path: `/${name}`, bytes: new Uint8Array(await readFile(join(folder, name))) });
  return serveImages({ images_origin: origin, tls }, await Promise.all((await readdir(folder)).map(read)));
}

export interface ReceivedCallback {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  receivedMs: number;
}

/** A partner's callback receiver. A caller can wait for the next request that satisfies a condition. */
export async function receiveCallbacks(stack: Pick<StackFile, 'callback_origin'>) {
  const received: ReceivedCallback[] = [];
  let wake: () => void = () => undefined;
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString(), receivedMs: Date.now() });
      response.writeHead(204).end();
      wake();
    });
  });
  const close = await listen(server, stack.callback_origin);
  async function next(matches: (callback: ReceivedCallback) => boolean, timeoutMs = 120_000): Promise<ReceivedCallback> {
    const deadline = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const found = received.find(matches);
      if (found) return found;
      await new Promise<void>((resolve, reject) => {
        wake = resolve;
        deadline.onabort = () => reject(new Error('No callback arrived in time'));
      });
    }
  }
  return { received, next, close };
}
