import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ofProcess = (pid: number, what: 'cmdline' | 'environ'): string[] =>
  readFileSync(`/proc/${pid}/${what}`, 'utf8').split('\0').filter(Boolean);

export const environmentOf = (pid: number): Record<string, string> =>
  Object.fromEntries(
    ofProcess(pid, 'environ').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
  );

export const SERVICES = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share'] as const;

/** All metrics that a service of the stack shows now. */
export async function metricsOf(service: string): Promise<string> {
  const environment = readFileSync(join(process.env['STACK_DIR']!, `environment/${service}.env`), 'utf8');
  const [, port] = /^OPERATIONS_PORT="(\d+)"$/m.exec(environment)!;
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}
