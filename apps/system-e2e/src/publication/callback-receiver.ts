import { createServer, type IncomingHttpHeaders } from 'node:http';
import { eventually } from '@tire/test-harness';
import { stackUnderTest } from '../stack-under-test';

interface Call {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A partner's callback receiver, at the address that the guard of the stack allows. Tests set the response of each path. */
export async function openReceiver() {
  const calls: Call[] = [];
  const answers = new Map<string, { status: number; body?: string | Buffer }>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      calls.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() });
      const { status, body } = answers.get(path) ?? { status: 204 };
      response.writeHead(status, { 'content-type': 'text/html' }).end(body);
    });
  });
  const origin = stackUnderTest().callback_origin;
  const { hostname, port } = new URL(origin);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(Number(port), hostname, resolve));
  return {
    origin,
    answers,
    /** Waits for this number of calls to a path, with a text in their bodies, and returns them. */
    callsTo: (path: string, count = 1, text = ''): Promise<Call[]> =>
      eventually(() => {
        const found = calls.filter((call) => call.path === path && call.body.includes(text));
        return Promise.resolve(found.length >= count && found);
      }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
