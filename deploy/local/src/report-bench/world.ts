import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { PartnerClient } from '../client';
import { Links } from '../links/links';
import { receiveCallbacks, serveImages } from '../listeners';
import { type Sample, sampleImages } from '../samples';
import { type Stack, startStack } from '../stack';
import type { StackFile } from '../stack-file';
import { SERVICES, type S3Server, type ServiceName } from '../topology';
import { Agents } from './agents';
import { BUCKET } from './object-store';

/** 1,414 x 1,414: two megapixels. The renders are a little smaller. */
const SIDE_PX = 1_414;
const JPEG_QUALITY = 85;

export interface World {
  readonly stack: StackFile;
  readonly client: PartnerClient;
  readonly samples: readonly Sample[];
  readonly callbacks: Awaited<ReturnType<typeof receiveCallbacks>>;
  readonly agents: Agents;
  readonly objectStorePid: number;
  readonly operationsPorts: Readonly<Record<ServiceName, number>>;
  /** Only where `counting`: every byte between two processes passes one of these. */
  readonly links: Links;
  stop(): Promise<void>;
}

async function startObjectStore(): Promise<{ pid: number; port: number; accessKey: string; secretKey: string; stop(): Promise<unknown> }> {
  const child = fork(join(__dirname, 'object-store.js'));
  const [message] = (await once(child, 'message')) as [Omit<S3Server, 'endpoint' | 'bucket'> & { port: number }];
  const ended = once(child, 'exit');
  const stop = () => {
    child.disconnect();
    return ended;
  };
  return { ...message, pid: child.pid!, stop };
}

const ofTwoMegapixels = async ({ slot, path, bytes }: Sample): Promise<Sample> => ({
  slot,
  path,
  bytes: new Uint8Array(await sharp(bytes).resize(SIDE_PX, SIDE_PX).jpeg({ quality: JPEG_QUALITY }).toBuffer()),
});

/**
 * A stack of its own with an S3 server, a partner's host of photographs and a receiver of callbacks. With `counting`, links count bytes and
 * Postgres counts statements, which takes time: such a stack is not timed.
 */
export async function startWorld({ counting }: { counting: boolean }): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'tire-report-'));
  process.env['STACK_DIR'] = folder;
  const agentsFolder = join(folder, 'agents');
  await mkdir(agentsFolder);
  const [agents, links, store] = [new Agents(agentsFolder), new Links(), await startObjectStore()];
  const stops: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true }),
    () => store.stop(),
    () => links.closeAll(),
  ];
  const stop = async () => {
    for (const step of stops.toReversed()) await step();
  };
  try {
    const { accessKey, secretKey } = store;
    const port = counting ? (await links.add('objects', store.port)).port : store.port;
    const operationsPorts = {} as Record<ServiceName, number>;
    const stack: Stack = await startStack({
      s3: { endpoint: `http://127.0.0.1:${port}`, bucket: BUCKET, accessKey, secretKey },
      ...(counting ? { links, postgresSettings: ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.max=10000'] } : {}),
      adjust: async (environment) => {
        for (const name of SERVICES) {
          operationsPorts[name] = Number(environment[name]['OPERATIONS_PORT']);
          Object.assign(environment[name], agents.environment);
        }
        // What a report costs is measured, and not what a busy machine sheds.
        environment.gateway['SHED_LOOP_LAG_MS'] = '0';
      },
    });
    stops.push(() => stack.stop());
    const samples = await Promise.all((await sampleImages(join(folder, 'samples'))).map(ofTwoMegapixels));
    stops.push(await serveImages(stack.file, samples));
    const callbacks = await receiveCallbacks(stack.file);
    stops.push(() => callbacks.close());
    const client = new PartnerClient(stack.file, stack.file.keys.live);
    return { stack: stack.file, client, samples, callbacks, agents, objectStorePid: store.pid, operationsPorts, links, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
