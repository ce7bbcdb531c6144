import { Agent, request } from 'node:http';

export interface Answer {
  readonly ms: number;
  readonly bytes: Buffer;
}

/** One connection that stays open, without a browser in between. */
export class Connection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly headers: Readonly<Record<string, string>> = {}) {}

  /** The time from the request to the last byte of its answer. */
  get(address: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const beganMs = performance.now();
      const sent = request(address, { agent: this.agent, headers: this.headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const answer = { ms: performance.now() - beganMs, bytes: Buffer.concat(chunks) };
          if (response.statusCode === 200) resolve(answer);
          else reject(new Error(`${address} answered ${response.statusCode}: ${answer.bytes.toString().slice(0, 200)}`));
        });
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
