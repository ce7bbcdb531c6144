import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { conditionsText, watchMachine } from './machine';

/** The fields of stack.json that a bench needs. */
export interface StackUnderLoad {
  readonly base_url: string;
  readonly share_url: string;
  readonly keys: { readonly test: string; readonly live: string };
  readonly pids: Readonly<Record<string, number>>;
  readonly postgres_url: string;
}

export async function readStack(): Promise<StackUnderLoad> {
  const path = join(process.env['STACK_DIR'] ?? '.local', 'stack.json');
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`No stack runs here (${path} is missing): npm start in another terminal`);
  });
  return JSON.parse(text) as StackUnderLoad;
}

export async function queryDatabase<R extends object>(
  stack: Pick<StackUnderLoad, 'postgres_url'>,
  database: string,
  sql: string,
  params: readonly unknown[] = [],
): Promise<R[]> {
  const url = new URL(stack.postgres_url);
  url.pathname = `/${database}`;
  const client = new Client({ connectionString: url.toString() });
  await client.connect();
  try {
    return (await client.query<R>(sql, [...params])).rows;
  } finally {
    await client.end();
  }
}

/** Runs the main function of a command, and prints what else the machine did meanwhile. An error is printed and fails the command. */
export function runBench(main: () => Promise<void>): void {
  const machine = watchMachine();
  main().then(
    () => process.stdout.write(`\n${conditionsText(machine.end())}\n`),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}
