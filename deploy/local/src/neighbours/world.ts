import { queryDatabase } from '@tire/test-harness/bench';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { sampleImages } from '../samples';
import { startStack, type Stack } from '../stack';
import { REPOSITORY_ROOT, stackDir } from '../stack-file';
import { SERVICES } from '../topology';
import type { Caller, NeighbourWorld } from './neighbour';

const KIB_PER_MIB = 1_024;

/** The data from which another process builds the same world. */
export type WorldFacts = Pick<NeighbourWorld, 'stack' | 'victim' | 'attacker' | 'samples'>;

export interface StartedWorld {
  readonly world: NeighbourWorld;
  /** Resets the peaks of memory. */
  forgetPeaks(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a system in the folder STACK_DIR. */
export async function startWorld(): Promise<StartedWorld> {
  const stack = await startStack();
  try {
    await shareAsOnNode(stack);
    return { world: worldOf(await factsOf(stack)), forgetPeaks: () => forgetPeaks(stack), stop: () => stack.stop() };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

async function factsOf({ file }: Stack): Promise<WorldFacts> {
  const [attacker, victim, samples] = await Promise.all([
    callerOf(file, file.keys.live),
    callerOf(file, file.keys.other),
    sampleImages(join(stackDir(), 'samples')),
  ]);
  return { stack: file, victim, attacker, samples };
}

export function worldOf(facts: WorldFacts): NeighbourWorld {
  const { stack: file } = facts;
  return {
    ...facts,
    baseUrl: file.base_url,
    shareUrl: file.share_url,
    imagesOrigin: file.images_origin,
    get pids() {
      return file.pids;
    },
    rssMib: (service) => memoryMib(file.pids[service], 'VmRSS'),
    peakRssMib: (service) => memoryMib(file.pids[service], 'VmHWM'),
    limitMib,
  };
}

async function callerOf(file: Stack['file'], key: string): Promise<Caller> {
  const digest = createHash('sha256').update(key).digest();
  const sql = 'SELECT project_id AS "projectId" FROM api_keys WHERE digest = $1';
  const [row] = await queryDatabase<{ projectId: string }>(file, 'tire_gateway', sql, [digest]);
  return { key, projectId: row!.projectId };
}

async function memoryMib(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)![1]) / KIB_PER_MIB;
}

/** Linux only: 5 resets the peak of the resident memory of a process. */
async function forgetPeaks({ file }: Stack): Promise<void> {
  await Promise.all(Object.values(file.pids).map((pid) => writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined)));
}

/** Each step of the priority is a quarter more or less of the processor. */
const STEP = 1.25;

/**
 * Where the processor is full, pods of a node share it by their requests. Here each service is a session, and Linux shares the processor by
 * session where autogroups are on.
 */
async function shareAsOnNode({ file }: Stack): Promise<void> {
  const requests = await Promise.all(SERVICES.map(async (name) => [name, await requestedCores(name)] as const));
  const most = Math.max(...requests.map(([, cores]) => cores));
  for (const [name, cores] of requests) {
    const niceness = Math.round(Math.log(most / cores) / Math.log(STEP));
    await writeFile(`/proc/${file.pids[name]}/autogroup`, String(niceness)).catch(() => undefined);
  }
}

interface Limited {
  resources?: { limits: { memory: string }; requests: { cpu: string } };
}
interface Values {
  defaults: Limited;
  inference: { cpu: Limited };
  services: Record<string, Limited | undefined>;
}

async function resourcesOf(service: string) {
  const values = parse(await readFile(join(REPOSITORY_ROOT, 'helm/tire-inspection/values.yaml'), 'utf8')) as Values;
  const { resources } = service === 'inference' ? values.inference.cpu : { ...values.defaults, ...values.services[service] };
  return resources!;
}

async function requestedCores(service: string): Promise<number> {
  const [, amount, milli] = /^(\d+)(m?)$/.exec((await resourcesOf(service)).requests.cpu)!;
  return Number(amount) / (milli ? 1_000 : 1);
}

async function limitMib(service: string): Promise<number> {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec((await resourcesOf(service)).limits.memory)!;
  return Number(amount) * (unit === 'Gi' ? KIB_PER_MIB : 1);
}
