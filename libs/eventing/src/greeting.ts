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
 * The servers that greet. An attempt of the client to connect to one that accepts connections and does not greet, such as a stopped process,
 * leaves its socket open.
 */
export async function greetingServers(servers: readonly string[], timeoutMs: number): Promise<string[]> {
  const greeting = await Promise.all(servers.map((server) => greets(server, timeoutMs)));
  return servers.filter((_, index) => greeting[index]);
}
