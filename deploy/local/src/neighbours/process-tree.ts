import { readFile } from 'node:fs/promises';

const KIB_PER_MIB = 1_024;
const LOOK_EVERY_MS = 50;

/** Empty where the process has ended. */
const read = (path: string): Promise<string> => readFile(`/proc/${path}`, 'utf8').catch(() => '');

/** Resident memory of a process and all its children, which its main thread starts. */
async function treeMib(pid: number | string): Promise<number> {
  const [status, children] = await Promise.all([read(`${pid}/status`), read(`${pid}/task/${pid}/children`)]);
  const mib = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / KIB_PER_MIB;
  const below = await Promise.all(children.split(' ').filter(Boolean).map(treeMib));
  return below.reduce((sum, one) => sum + one, mib);
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
      for (const [name, pid] of Object.entries(pids())) mostMib[name] = Math.max(mostMib[name] ?? 0, await treeMib(pid));
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
