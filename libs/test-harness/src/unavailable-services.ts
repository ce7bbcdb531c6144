import { once } from 'node:events';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** The status UNAVAILABLE of gRPC. */
const UNAVAILABLE = '14';

export interface UnavailableServices {
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Answers every gRPC call with UNAVAILABLE at once, as a proxy does whose services are unavailable. A call to a closed port fails in the same
 * way, but a second later, because a client waits for a restart.
 */
export async function startUnavailableServices(): Promise<UnavailableServices> {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on('session', (session) => sessions.add(session.once('close', () => sessions.delete(session))));
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': UNAVAILABLE }, { endStream: true });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
