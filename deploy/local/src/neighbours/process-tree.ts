import { readdir, readFile } from 'node:fs/promises';

const KIB_PER_MIB = 1_024;
const LOOK_EVERY_MS = 50;

interface Process {
  readonly parent: number;
  readonly mib: number;
}

async function statusOf(pid: string): Promise<Process | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return status === '' ? undefined : { parent: field('PPid'), mib: field('VmRSS') / KIB_PER_MIB };
}

async function allProcesses(): Promise<Map<number, Process>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = new Map<number, Process>();
  for (const pid of pids) {
    const status = await statusOf(pid);
    if (status) all.set(Number(pid), status);
  }
  return all;
}

/** Resident memory of a process and all its children. */
function treeMib(root: number, all: ReadonlyMap<number, Process>): number {
  const isBelow = (pid: number): boolean => pid === root || (all.has(pid) && all.get(pid)!.parent > 1 && isBelow(all.get(pid)!.parent));
  return [...all].filter(([pid]) => isBelow(pid)).reduce((sum, [, { mib }]) => sum + mib, 0);
}

/** Looks again and again until `stop`, which gives the most of each tree. The pids are read each time, since a process may be replaced. */
export function watchTrees(
  pids: () => Readonly<Record<string, number>>,
  lookEveryMs = LOOK_EVERY_MS,
): { stop(): Promise<Record<string, number>> } {
  const mostMib: Record<string, number> = {};
  let isStopped = false;
  const looking = (async () => {
    while (!isStopped) {
      const all = await allProcesses();
      for (const [name, pid] of Object.entries(pids())) mostMib[name] = Math.max(mostMib[name] ?? 0, treeMib(pid, all));
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await looking;
      return mostMib;
    },
  };
}
