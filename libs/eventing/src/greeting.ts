import { connect } from 'node:net';

const DEFAULT_PORT = 4222;

/** Whether a broker accepts a connection and sends its first line in time. */
function greets(server: string, timeoutMs: number): Promise<boolean> {
  const { hostname, port } = new URL(`nats://${server}`);
  return new Promise((resolve) => {
    const socket = connect(Number(port || DEFAULT_PORT), hostname.replace(/^\[|\]$/g, ''));
    const answer = (value: boolean) => () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(value);
    };
    const timer = setTimeout(answer(false), timeoutMs);
    socket.once('data', answer(true)).once('error', answer(false)).once('close', answer(false));
  });
}

/**
 * Returns the servers that send their first line. If a server accepts a connection and sends nothing, such as a stopped process, the client
 * leaves its socket open.
 */
export async function reachableServers(servers: readonly string[], timeoutMs: number): Promise<string[]> {
  const greeting = await Promise.all(servers.map((server) => greets(server, timeoutMs)));
  return servers.filter((_, index) => greeting[index]);
}
