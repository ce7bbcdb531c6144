import { cpuMsOf } from '@tire/test-harness';
import { type MachineSpan, watchMachine } from '@tire/test-harness/bench';
import { readFile } from 'node:fs/promises';
import { type Part, PARTS } from './stages';
import type { World } from './world';

const MS_PER_TICK = 10;
const US_PER_MS = 1_000;

/** What takes CPU beside the parts of the stack: the object store, and this process with the load, the partner's hosts and their TLS. */
export type Beside = 'object store' | 'bench';
export type CpuOfParts = Readonly<Record<Part | Beside, number>>;

const childrenOf = async (pid: number): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).split(' ').filter(Boolean).map(Number);

/** Two for a moment, while one replaces the other. */
async function decodersOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for (const child of await childrenOf(pid)) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('decode-process')) found.push(child);
  }
  return found;
}

/** User and system time of a process and of its ended children. The name of the program may contain spaces and brackets. */
async function timesOf(path: string): Promise<{ ownMs: number; endedMs: number }> {
  const stat = await readFile(path, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ms = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) * MS_PER_TICK;
  return { ownMs: ms(11), endedMs: ms(13) };
}

const DECODING = ['assets', 'inference'] as const;

/** A process that decodes is replaced now and then. Its service then has its time as that of an ended child. */
async function decodeMs(service: number): Promise<number> {
  let { endedMs: ms } = await timesOf(`/proc/${service}/stat`);
  for (const pid of await decodersOf(service)) ms += (await timesOf(`/proc/${pid}/stat`).catch(() => undefined))?.ownMs ?? 0;
  return ms;
}

/** User and system time of each part so far, with its children where these are no parts. */
export async function readCpu({ stack, agents, objectStorePid }: World): Promise<CpuOfParts> {
  const pids: Partial<Record<Part, number>> = { ...stack.pids };
  for (const [pid, part] of await agents.parts()) pids[part] = pid;
  const ms: Record<string, number> = await cpuMsOf({ ...pids, 'object store': objectStorePid });
  for (const service of DECODING) ms[`${service}: decode`] = await decodeMs(stack.pids[service]!);
  const own = (part: Part): number => {
    const below = PARTS.filter((other) => other.startsWith(`${part}:`));
    return (ms[part] ?? 0) - below.reduce((sum, other) => sum + (ms[other] ?? 0), 0);
  };
  const { user, system } = process.cpuUsage();
  return {
    ...(Object.fromEntries(PARTS.map((part) => [part, own(part)])) as Record<Part, number>),
    'object store': ms['object store']!,
    bench: (user + system) / US_PER_MS,
  };
}

export const differenceOfCpu = (before: CpuOfParts, after: CpuOfParts): CpuOfParts =>
  Object.fromEntries(Object.entries(after).map(([part, ms]) => [part, ms - before[part as Part]])) as CpuOfParts;

/** CPU of the whole process and of its main thread. */
export async function readThreads(pid: number): Promise<{ processMs: number; mainMs: number }> {
  const [whole, main] = [await timesOf(`/proc/${pid}/stat`), await timesOf(`/proc/${pid}/task/${pid}/stat`)];
  return { processMs: whole.ownMs, mainMs: main.ownMs };
}

export interface Machine extends MachineSpan {
  /** Cores that programs used which are no part of this bench. */
  readonly otherCores: number;
}

/** What else the machine did, until `end` is called with the CPU that was ours. */
export function watchOthers(): { end(ours: CpuOfParts): Machine } {
  const [machine, beganMs] = [watchMachine(), performance.now()];
  return {
    end(ours) {
      const span = machine.end();
      const ourCores = Object.values(ours).reduce((sum, ms) => sum + ms, 0) / (performance.now() - beganMs);
      return { ...span, otherCores: Math.max(0, span.busyCores - ourCores) };
    },
  };
}
