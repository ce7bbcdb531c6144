import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** `requests` go from the caller to the callee, `answers` come back. */
export type Direction = 'requests' | 'answers';
export const DIRECTIONS: readonly Direction[] = ['requests', 'answers'];

const REQUEST_LINE = /^(GET|HEAD|PUT|POST|DELETE) \S+ HTTP\/1\.1\r\n/;
const REQUEST_LINE_BYTES = 2_048;

/** One direction of a connection. While it is cut, nothing passes: no byte, and neither the end of the connection. */
class Way {
  private isOver = false;

  constructor(
    private readonly from: Socket,
    private readonly to: Socket,
    private isCut: boolean,
    passed: (chunk: Buffer) => void,
  ) {
    from.on('data', (chunk: Buffer) => {
      passed(chunk);
      if (!to.write(chunk)) from.pause();
    });
    to.on('drain', () => this.flow());
    // A paused socket tells its end too.
    for (const event of ['end', 'close']) {
      from.on(event, () => {
        this.isOver = true;
        if (!this.isCut) to.end();
      });
    }
    from.on('error', () => undefined);
    if (isCut) from.pause();
  }

  cut(): void {
    this.isCut = true;
    this.from.pause();
  }

  heal(): void {
    this.isCut = false;
    this.flow();
    // What was under way comes before the end.
    if (this.isOver && (this.from.destroyed || this.from.readableLength === 0)) this.to.end();
  }

  private flow(): void {
    if (!this.isCut && !this.from.destroyed) this.from.resume();
  }
}

/**
 * Stands between a caller and a server, and can be cut like a network that drops packets: connections stay open and nothing arrives. After
 * the cut, what was under way arrives, as TCP would repeat it. A new connection needs both directions, so it reaches the server after the cut.
 */
export class Link {
  readonly bytes: Record<Direction, number> = { requests: 0, answers: 0 };
  /** HTTP requests by method, where the callee serves HTTP/1.1. */
  readonly httpRequests: Record<string, number> = {};
  private readonly cuts = new Set<Direction>();
  private readonly ways: Record<Direction, Set<Way>> = { requests: new Set(), answers: new Set() };
  private readonly clients = new Set<Socket>();
  private readonly waiting = new Set<Socket>();
  private readonly server: Server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.accept(client));

  private constructor(private readonly serverPort: number) {}

  static async to(serverPort: number): Promise<Link> {
    const link = new Link(serverPort);
    await once(link.server.listen(0, '127.0.0.1'), 'listening');
    return link;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  cut(directions: readonly Direction[] = DIRECTIONS): void {
    for (const direction of directions) {
      this.cuts.add(direction);
      for (const way of this.ways[direction]) way.cut();
    }
  }

  heal(): void {
    this.cuts.clear();
    for (const direction of DIRECTIONS) for (const way of this.ways[direction]) way.heal();
    for (const client of this.waiting) this.forward(client);
    this.waiting.clear();
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(client: Socket): void {
    this.clients.add(client.on('close', () => this.clients.delete(client)).on('error', () => undefined));
    if (this.cuts.size === 0) return this.forward(client);
    // Not read, so that the caller learns nothing.
    client.pause();
    this.waiting.add(client.on('close', () => this.waiting.delete(client)));
  }

  private forward(client: Socket): void {
    const server = connect({ port: this.serverPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const way = (direction: Direction, from: Socket, to: Socket) => {
      const passing = new Way(from, to, this.cuts.has(direction), (chunk) => this.count(direction, chunk));
      this.ways[direction].add(passing);
      from.on('close', () => to.destroyed && this.ways[direction].delete(passing));
      to.on('close', () => this.ways[direction].delete(passing));
    };
    way('requests', client, server);
    way('answers', server, client);
    client.resume();
  }

  private count(direction: Direction, chunk: Buffer): void {
    this.bytes[direction] += chunk.length;
    if (direction === 'answers') return;
    const [, method] = REQUEST_LINE.exec(chunk.toString('latin1', 0, REQUEST_LINE_BYTES)) ?? [];
    if (method) this.httpRequests[method] = (this.httpRequests[method] ?? 0) + 1;
  }
}
