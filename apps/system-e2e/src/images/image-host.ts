import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { slotId, type Slot } from '@tire/kernel';
import { imageOf } from './sample-images';
import { stackUnderTest } from '../stack-under-test';

export interface Served {
  status?: number;
  headers?: Record<string, string>;
  bytes?: Uint8Array;
}

/** A partner's image host, at an address that the guard of the stack allows. Tests change its responses and delay them. */
export class ImageHost {
  private readonly served = new Map<string, Served>();
  private readonly requested: string[] = [];
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

  /** Sets the response of a path and returns its address. */
  serve(path: string, answer: Served): string {
    this.served.set(path, answer);
    return `${this.origin}${path}`;
  }

  image(slot: Slot, path = `/${slotId(slot)}.jpg`): string {
    return this.serve(path, { bytes: imageOf(slot) });
  }

  /** Requests for the path wait until the returned function is called. */
  hold(path: string): () => void {
    let release: () => void = () => undefined;
    this.waiting.set(path, new Promise((resolve) => (release = resolve)));
    return () => {
      this.waiting.delete(path);
      release();
    };
  }

  /** The number of requests for paths with this prefix. */
  requests = (prefix: string): number => this.requested.filter((path) => path.startsWith(prefix)).length;

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async answer(path: string, response: ServerResponse): Promise<void> {
    const { status = 200, headers = {}, bytes = new Uint8Array() } = this.served.get(path) ?? { status: 404 };
    this.requested.push(path);
    await this.waiting.get(path);
    response.writeHead(status, { 'content-type': 'image/jpeg', 'content-length': bytes.length, ...headers }).end(bytes);
  }
}
