import { createServer, connect, type Server, type Socket } from 'node:net';

/**
 * The limit of connections that are not accepted yet. Caller and ingress are one process, which may get no CPU for seconds while ten other
 * processes start. Node's default of 511 is then soon reached, and the kernel resets further connections after 15 s.
 */
const CONNECTIONS_WAITING_MAX = 4_096;

/** An ingress: one address that forwards to the ready pods. */
export class Endpoint {
  /** The reasons of broken connections, without those that a pod or a caller closed. */
  readonly faults: string[] = [];
  /** How many connections each pod got. */
  readonly accepted = new Map<string, number>();
  private backends: string[] = [];
  private turn = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(readonly port: number) {
    this.server = createServer({ allowHalfOpen: true }, (client) => this.forward(client));
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ port: this.port, host: '127.0.0.1', backlog: CONNECTIONS_WAITING_MAX }, resolve);
    });
  }

  add(address: string): void {
    this.backends.push(address);
  }

  /** Stops new connections to the pod. Its process closes the open ones. */
  remove(address: string): void {
    this.backends = this.backends.filter((other) => other !== address);
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private forward(client: Socket): void {
    const host = this.backends[(this.turn += 1) % Math.max(1, this.backends.length)];
    if (host === undefined) {
      this.broke('ingress', 'no pod is ready');
      return void client.destroy();
    }
    this.accepted.set(host, (this.accepted.get(host) ?? 0) + 1);
    const backend = connect({ port: this.port, host, allowHalfOpen: true, noDelay: true });
    client.setNoDelay(true);
    for (const [one, other, name] of [
      [client, backend, 'caller'],
      [backend, client, host],
    ] as const) {
      this.sockets.add(one);
      one.on('error', ({ message }) => {
        this.broke(name, message);
        other.destroy();
      });
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }

  private broke(name: string, why: string): void {
    this.faults.push(`${new Date().toISOString()} ${name}: ${why}`);
  }
}
