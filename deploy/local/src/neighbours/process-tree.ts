import { readdir, readFile } from 'node:fs/promises';

const KIB_PER_MIB = 1_024;
const LOOK_EVERY_MS = 50;

async function statusOf(pid: string): Promise<{ parent: number; mib: number } | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return status === '' ? undefined : { parent: field('PPid'), mib: field('VmRSS') / KIB_PER_MIB };
}

/** Resident memory of a process and all its children. */
async function treeMib(root: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = new Map<number, { parent: number; mib: number }>();
  for (const pid of pids) {
    const status = await statusOf(pid);
    if (status) all.set(Number(pid), status);
  }
  const isBelow = (pid: number): boolean => pid === root || (all.has(pid) && all.get(pid)!.parent > 1 && isBelow(all.get(pid)!.parent));
  return [...all].filter(([pid]) => isBelow(pid)).reduce((sum, [, { mib }]) => sum + mib, 0);
}

/** Looks again and again until `stop`, which gives the most. The pid is read each time, since the process may be replaced. */
export function watchTree(pid: () => number): { stop(): Promise<number> } {
  let mostMib = 0;
  let isStopped = false;
  const looking = (async () => {
    while (!isStopped) {
      mostMib = Math.max(mostMib, await treeMib(pid()));
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
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
