import { readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second for every program. */
const MS_PER_TICK = 10;
const KIB_PER_MIB = 1024;

export interface Usage {
  readonly cpuMs: number;
  readonly residentMib: number;
}

/** CPU time and resident memory of a process. Undefined for a process that has ended, and on a system without /proc. */
export function usageOf(pid: number): Usage | undefined {
  try {
    // The name of the program is in parentheses and may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])];
    const residentKib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    return { cpuMs: (userTicks + systemTicks) * MS_PER_TICK, residentMib: residentKib / KIB_PER_MIB };
  } catch {
    return undefined;
  }
}
