import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Takes the request and never answers. */
  readonly hangs?: boolean;
}

export interface Receiver {
  readonly origin: string;
  /** It listens on every loopback address: another origin for each host from 1 to 254. */
  originAt(host: number): string;
  readonly calls: ReceivedCall[];
  /** The answers of each path in order. The last one repeats. */
  readonly answers: Map<string, Answer[]>;
  callsTo(path: string): ReceivedCall[];
  /** Calls without an answer, in order. */
  readonly hanging: ServerResponse[];
  /** How many calls to each path hung at the same time, at most. */
  readonly hangingMost: Map<string, number>;
  /** Ends all connections. */
  hangUp(): void;
  close(): Promise<void>;
}

/** The server of a partner, on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  const answers: Receiver['answers'] = new Map();
  const hanging: ServerResponse[] = [];
  const hangingNow = new Map<string, number>();
  const hangingMost: Receiver['hangingMost'] = new Map();
  const hang = (path: string, response: ServerResponse) => {
    const count = (hangingNow.get(path) ?? 0) + 1;
    hangingNow.set(path, count);
    hangingMost.set(path, Math.max(count, hangingMost.get(path) ?? 0));
    response.once('close', () => hangingNow.set(path, hangingNow.get(path)! - 1));
    hanging.push(response);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      calls.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      const planned = answers.get(path) ?? [];
      const { status, headers, body, hangs } = (planned.length > 1 ? planned.shift() : planned[0]) ?? { status: 204 };
      if (hangs) return hang(path, response);
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  const originAt = (host: number) => `http://127.0.0.${host}:${port}`;
  return {
    origin: originAt(1),
    originAt,
    calls,
    answers,
    hanging,
    hangingMost,
    callsTo: (path) => calls.filter((call) => call.path === path),
    hangUp: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
