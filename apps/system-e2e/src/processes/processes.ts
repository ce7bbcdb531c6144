import { readFileSync } from 'node:fs';

export const ofProcess = (pid: number, what: 'cmdline' | 'environ'): string[] =>
  readFileSync(`/proc/${pid}/${what}`, 'utf8').split('\0').filter(Boolean);

export const environmentOf = (pid: number): Record<string, string> =>
  Object.fromEntries(
    ofProcess(pid, 'environ').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
  );
