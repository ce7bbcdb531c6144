import { readdir, readFile } from 'node:fs/promises';

/** USER_HZ, the unit of /proc, is 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

interface Times {
  readonly parent: number;
  readonly cpuMs: number;
}

async function timesOf(pid: number): Promise<Times | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name of the program may contain spaces and brackets. The fields after its last bracket do not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Its own time and that of ended children, so that the time of an ended Postgres backend still counts.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), cpuMs: (ticks * 1_000) / TICKS_PER_SECOND };
}

/** The CPU time of each process and its children so far. Postgres works in child processes. */
export async function cpuMsOf(pids: Readonly<Record<string, number>>): Promise<Record<string, number>> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const times = new Map(await Promise.all(all.map(async (pid) => [pid, await timesOf(pid)] as const)));
  const underneath = (root: number): number =>
    (times.get(root)?.cpuMs ?? 0) + all.reduce((sum, pid) => (times.get(pid)?.parent === root ? sum + underneath(pid) : sum), 0);
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, underneath(pid)]));
}
