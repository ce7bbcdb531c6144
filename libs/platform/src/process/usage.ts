import { readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second for every program. */
const MS_PER_TICK = 10;
const KIB_PER_MIB = 1024;

/** Undefined for a process that has ended, and on a system without /proc. */
function factsOf(pid: number, file: 'stat' | 'status'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return undefined;
  }
}

/** The CPU time of a process. */
export function cpuMsOf(pid: number): number | undefined {
  // The name of the program is in parentheses and may contain spaces.
  const fields = factsOf(pid, 'stat')?.split(') ').at(-1)!.split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** The resident memory of a process. */
export function residentMibOf(pid: number): number | undefined {
  const facts = factsOf(pid, 'status');
  // A process that has just ended has no memory.
  return facts === undefined ? undefined : Number(/^VmRSS:\s+(\d+) kB$/m.exec(facts)?.[1] ?? 0) / KIB_PER_MIB;
}
