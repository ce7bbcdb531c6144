import { type Clock, newId } from '@tire/kernel';
import { Agent, type AgentOptions, get } from 'node:https';
import { createSecureContext } from 'node:tls';
import { configSchema } from '../config';
import { configuredStore } from '../object-store/configured-store';

export interface LoopOrder {
  /** Of the service: its store is the loop's too. */
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
  readonly ca: string;
  readonly images: number;
  readonly atOnce: number;
  readonly keepAlive: boolean;
}

export interface LoopTook {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const clock: Clock = { now: () => new Date() };

const fetched = (url: string, agent: Agent): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => resolve(Buffer.concat(chunks)));
      response.once('error', reject);
    }).once('error', reject);
  });

/** Node's own client without the guard, the service's store, and nothing else: no queue, no look at the image, no record. */
async function loop({ environment, url, ca, images, atOnce, keepAlive }: LoopOrder): Promise<void> {
  const store = configuredStore(configSchema.parse(environment), clock);
  const agent = new Agent({ keepAlive, secureContext: createSecureContext({ ca }) } as AgentOptions);
  let left = images;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const body = await fetched(url, agent);
      await store.put(`plain/${newId()}`, body, { contentType: 'image/jpeg', cacheControl: 'private, max-age=60' });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  agent.destroy();
}

process.on('message', (order: LoopOrder) => {
  const [beganMs, before] = [performance.now(), process.cpuUsage()];
  // What fails ends the process, and with its exit code the bench.
  void loop(order).then(() => {
    const { user, system } = process.cpuUsage(before);
    process.send?.({ wallMs: performance.now() - beganMs, cpuMs: (user + system) / 1_000 } satisfies LoopTook);
  });
});
process.once('disconnect', () => process.exit());
