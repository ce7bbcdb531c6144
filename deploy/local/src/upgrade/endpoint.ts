import { createServer, connect, type Server, type Socket } from 'node:net';

/** What an ingress is to its callers: one address, behind it whichever pods are ready just now. */
export class Endpoint {
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
      this.server.listen(this.port, '127.0.0.1', resolve);
    });
  }

  add(address: string): void {
    this.backends.push(address);
  }

  /** No new connection goes there; those that are open end when their process ends them. */
  remove(address: string): void {
    this.backends = this.backends.filter((other) => other !== address);
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private forward(client: Socket): void {
    const host = this.backends[(this.turn += 1) % Math.max(1, this.backends.length)];
    if (host === undefined) return void client.destroy();
    const backend = connect({ port: this.port, host, allowHalfOpen: true, noDelay: true });
    client.setNoDelay(true);
    for (const [one, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
