import { readdirSync, readFileSync } from 'node:fs';

const KIB_PER_MIB = 1_024;

/** Empty where the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}

/** These processes and all below them, whichever thread started them. */
function treeOf(roots: readonly number[]): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? read(`${name}/stat`) : '';
    // The name of the program is in parentheses and may contain spaces.
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isBelow = (pid: number | undefined): boolean => pid !== undefined && (roots.includes(pid) || isBelow(parents.get(pid)));
  return [...parents.keys()].filter(isBelow);
}

export interface Memory {
  /** Pages that processes share count in each of them. */
  readonly residentMib: number;
  /** Shared pages count once. */
  readonly ownMib: number;
}

export function memoryOf(roots: readonly number[]): Memory {
  const rollups = treeOf(roots).map((pid) => read(`${pid}/smaps_rollup`));
  const sum = (name: string) =>
    rollups.reduce((all, text) => all + Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0), 0) / KIB_PER_MIB;
  return { residentMib: sum('Rss'), ownMib: sum('Pss') };
}
