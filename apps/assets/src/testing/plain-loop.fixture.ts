import { newId, systemClock } from '@tire/kernel';
import { Agent, type AgentOptions, get } from 'node:https';
import { createSecureContext } from 'node:tls';
import { configSchema } from '../config';
import { configuredStore } from '../object-store/configured-store';

export interface LoopSettings {
  /** The environment of the service. The loop uses the same object store. */
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
  readonly ca: string;
  readonly images: number;
  readonly atOnce: number;
  readonly keepAlive: boolean;
}

export interface LoopTimes {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const fetched = (url: string, agent: Agent): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => resolve(Buffer.concat(chunks)));
      response.once('error', reject);
    }).once('error', reject);
  });

/** Node's HTTP client and the object store of the service, without guard, queue, inspection and database. */
async function loop({ environment, url, ca, images, atOnce, keepAlive }: LoopSettings): Promise<void> {
  const store = configuredStore(configSchema.parse(environment), systemClock);
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

process.on('message', (order: LoopSettings) => {
  const [beganMs, before] = [performance.now(), process.cpuUsage()];
  // A failure ends the process, which fails the bench.
  void loop(order).then(() => {
    const { user, system } = process.cpuUsage(before);
    process.send?.({ wallMs: performance.now() - beganMs, cpuMs: (user + system) / 1_000 } satisfies LoopTimes);
  });
});
process.once('disconnect', () => process.exit());
