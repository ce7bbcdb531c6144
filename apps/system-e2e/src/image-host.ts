import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { slotId, type Slot } from '@tire/kernel';
import { photographOf } from './photographs';
import { stackUnderTest } from './stack-under-test';

export interface Served {
  status?: number;
  headers?: Record<string, string>;
  bytes?: Uint8Array;
}

/** A partner's image host at the one address that the stack's guard lets through; what it serves can change, and can be made to wait. */
export class ImageHost {
  private readonly served = new Map<string, Served>();
  private readonly asked: string[] = [];
  private readonly waiting = new Map<string, Promise<void>>();
  private readonly server: Server;

  private constructor(
    readonly origin: string,
    tls: { cert: Buffer; key: Buffer },
  ) {
    this.server = createServer(tls, (request, response) => void this.answer(request.url ?? '', response));
  }

  static async open(): Promise<ImageHost> {
    const { images_origin, tls } = stackUnderTest();
    const [cert, key] = await Promise.all([readFile(tls.cert), readFile(tls.key)]);
    const host = new ImageHost(images_origin, { cert, key });
    await new Promise<void>((resolve, reject) =>
      host.server.once('error', reject).listen(Number(new URL(images_origin).port), '127.0.0.1', resolve),
    );
    return host;
  }

  /** The address where the answer is served from now on. */
  serve(path: string, answer: Served): string {
    this.served.set(path, answer);
    return `${this.origin}${path}`;
  }

  photograph(slot: Slot, path = `/${slotId(slot)}.jpg`): string {
    return this.serve(path, { bytes: photographOf(slot) });
  }

  /** Whoever asks for the path waits until the returned function is called. */
  hold(path: string): () => void {
    let release: () => void = () => undefined;
    this.waiting.set(path, new Promise((resolve) => (release = resolve)));
    return () => {
      this.waiting.delete(path);
      release();
    };
  }

  /** How often somebody asked for a path that begins so. */
  requests = (prefix: string): number => this.asked.filter((path) => path.startsWith(prefix)).length;

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async answer(path: string, response: ServerResponse): Promise<void> {
    const { status = 200, headers = {}, bytes = new Uint8Array() } = this.served.get(path) ?? { status: 404 };
    this.asked.push(path);
    await this.waiting.get(path);
    response.writeHead(status, { 'content-type': 'image/jpeg', 'content-length': bytes.length, ...headers }).end(bytes);
  }
}
