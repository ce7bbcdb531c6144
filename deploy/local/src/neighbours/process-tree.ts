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

const TICKS_PER_SECOND = 100;
/** utime, stime and the two of children that have ended. They come after the name, which may hold spaces. */
const CPU_FIELDS = [11, 12, 13, 14];

/** CPU time of a process and all its children, also of those that have ended. */
export async function treeCpuSeconds(pid: number | string): Promise<number> {
  const [stat, children] = await Promise.all([read(`${pid}/stat`), read(`${pid}/task/${pid}/children`)]);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = CPU_FIELDS.reduce((sum, field) => sum + Number(fields[field] ?? 0), 0);
  const below = await Promise.all(children.split(' ').filter(Boolean).map(treeCpuSeconds));
  return below.reduce((sum, one) => sum + one, ticks / TICKS_PER_SECOND);
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
