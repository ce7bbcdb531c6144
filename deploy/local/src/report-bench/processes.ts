import { cpuMsOf } from '@tire/test-harness';
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import type { Agents } from './agents';
import { type Part, PARTS } from './stages';

const MS_PER_TICK = 10;
const MS_PER_SECOND = 1_000;

/** What takes CPU beside the parts of the stack: the object store, and this process with the load, the partner's hosts and their TLS. */
export type Beside = 'object store' | 'bench';
export type CpuOfParts = Readonly<Record<Part | Beside, number>>;

const childrenOf = async (pid: number): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).split(' ').filter(Boolean).map(Number);

async function decoderOf(pid: number): Promise<number | undefined> {
  for (const child of await childrenOf(pid)) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('decode-process')) return child;
  }
  return undefined;
}

/** The main process of each part that runs now. Processes that decode start with the first image. */
export async function pidsOfParts(pids: Readonly<Record<string, number>>, agents: Agents): Promise<Partial<Record<Part, number>>> {
  const found: Partial<Record<Part, number | undefined>> = { ...pids };
  for (const [pid, part] of await agents.parts()) found[part] = pid;
  for (const service of ['assets', 'inference'] as const) found[`${service}: decode`] = await decoderOf(pids[service]!);
  return Object.fromEntries(Object.entries(found).filter(([, pid]) => pid !== undefined));
}

const serviceOf = (part: string): string => part.split(':')[0]!;

/** User and system time of each part with its children, without the children that are parts themselves. */
export async function readCpu(pids: Partial<Record<Part, number>>, objectStorePid: number): Promise<CpuOfParts> {
  const trees = await cpuMsOf({ ...pids, 'object store': objectStorePid });
  const own = (part: Part): number => {
    const below = PARTS.filter((other) => other !== part && serviceOf(other) === part);
    return (trees[part] ?? 0) - below.reduce((sum, other) => sum + (trees[other] ?? 0), 0);
  };
  const { user, system } = process.cpuUsage();
  return {
    ...(Object.fromEntries(PARTS.map((part) => [part, own(part)])) as Record<Part, number>),
    'object store': trees['object store']!,
    bench: (user + system) / MS_PER_SECOND,
  };
}

export const differenceOfCpu = (before: CpuOfParts, after: CpuOfParts): CpuOfParts =>
  Object.fromEntries(Object.entries(after).map(([part, ms]) => [part, ms - before[part as Part]])) as CpuOfParts;

/** CPU of the whole process and of its main thread. */
export async function readThreads(pid: number): Promise<{ processMs: number; mainMs: number }> {
  const msOf = async (path: string) => {
    const stat = await readFile(path, 'utf8');
    // The name of the program may contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  };
  return { processMs: await msOf(`/proc/${pid}/stat`), mainMs: await msOf(`/proc/${pid}/task/${pid}/stat`) };
}

interface MachineTicks {
  readonly busy: number;
  readonly steal: number;
  readonly all: number;
}

async function readMachine(): Promise<MachineTicks> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = line.split(/\s+/).slice(1).map(Number);
  const busy = user + nice + system + irq + softirq;
  return { busy, steal, all: busy + idle + iowait + steal };
}

export interface Machine {
  readonly loadBefore: number;
  readonly loadAfter: number;
  readonly stealPercent: number;
  /** Cores that programs used which are no part of this bench. */
  readonly otherCores: number;
}

/** What else the machine did, until `end` is called with the CPU that was ours. */
export async function watchMachine(): Promise<{ end(ours: CpuOfParts): Promise<Machine> }> {
  const [before, beganMs, loadBefore] = [await readMachine(), performance.now(), loadavg()[0]!];
  return {
    async end(ours) {
      const after = await readMachine();
      const busyMs = (after.busy - before.busy) * MS_PER_TICK;
      const oursMs = Object.values(ours).reduce((sum, ms) => sum + ms, 0);
      return {
        loadBefore,
        loadAfter: loadavg()[0]!,
        stealPercent: (100 * (after.steal - before.steal)) / Math.max(1, after.all - before.all),
        otherCores: Math.max(0, busyMs - oursMs) / (performance.now() - beganMs),
      };
    },
  };
}
