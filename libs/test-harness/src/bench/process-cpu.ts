import { readdir, readFile } from 'node:fs/promises';

/** USER_HZ, in which /proc counts, is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

interface Times {
  readonly parent: number;
  readonly cpuMs: number;
}

async function timesOf(pid: number): Promise<Times | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name of the program may hold spaces and brackets; what follows its last bracket does not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Its own time and that of children that have ended: a backend of Postgres that goes must not take its time along.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), cpuMs: (ticks * 1_000) / TICKS_PER_SECOND };
}

/** CPU time that each process has used so far, with what its children use: Postgres works in those. */
export async function cpuMsOf(pids: Readonly<Record<string, number>>): Promise<Record<string, number>> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const times = new Map(await Promise.all(all.map(async (pid) => [pid, await timesOf(pid)] as const)));
  const underneath = (root: number): number =>
    (times.get(root)?.cpuMs ?? 0) + all.reduce((sum, pid) => (times.get(pid)?.parent === root ? sum + underneath(pid) : sum), 0);
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, underneath(pid)]));
}
