import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually';

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly to?: string; readonly text?: string; readonly [field: string]: unknown };
}

interface Faults {
  /** The answer to the next requests, instead of success. */
  answer: { readonly status: number; readonly body?: string; readonly location?: string } | null;
  /** Requests that are read whole and never answered: the connection is cut. */
  cuts: number;
}

/** What the operator says about the provider below. */
export const smsEnvironment = (origin: string) => ({
  SMS_URL: `${origin}/messages`,
  SMS_HEADERS: JSON.stringify({ Authorization: 'Bearer {{secret}}', 'Idempotency-Key': '{{id}}' }),
  SMS_BODY: JSON.stringify({ to: '{{to}}', national: '{{to_national}}', from: '{{from}}', text: '{{text}}', kind: '{{kind}}' }),
  SMS_SECRET: 's3cret',
  SMS_FROM: '021234567',
  SMS_SUCCESS: 'header.isSuccessful=true',
  SMS_ID_PATH: 'body.requestId',
  OUTBOUND_ALLOWED_ORIGINS: origin,
});

/** A provider of text messages with an interface of its own, as it would run on the internet. */
export async function startSmsProvider({ port: wantedPort = 0 } = {}) {
  const received: ReceivedRequest[] = [];
  const faults: Faults = { answer: null, cuts: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as ReceivedRequest['body'];
      received.push({ method: request.method, headers: request.headers, body });
      if (faults.cuts > 0) {
        faults.cuts -= 1;
        request.socket.destroy();
        return;
      }
      const { status, body: text, location } = faults.answer ?? { status: 200 };
      const answer = text ?? JSON.stringify({ header: { isSuccessful: true }, body: { requestId: `r-${received.length}` } });
      response.writeHead(status, { 'content-type': 'application/json', ...(location ? { location } : {}) }).end(answer);
    });
  });
  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const to = (number: string) => received.filter(({ body }) => body.to === number);
  return {
    origin,
    received,
    faults,
    to,
    /** The next messages to a number. */
    messagesTo: (number: string, count = 1) =>
      eventually(() => to(number).length >= count && to(number), { message: `No text message came to ${number}` }),
    environment: smsEnvironment(origin),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
