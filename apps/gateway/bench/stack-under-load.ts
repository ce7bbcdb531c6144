import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { z } from 'zod';
import { digestOf } from '../src/api-key';

const StackFile = z.object({
  base_url: z.url(),
  keys: z.object({ test: z.string(), live: z.string() }),
  pids: z.record(z.string(), z.number()),
  postgres_url: z.string(),
});
export type StackFile = z.infer<typeof StackFile>;

export async function readStack(): Promise<StackFile> {
  const path = join(process.env['STACK_DIR'] ?? '.local', 'stack.json');
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`No stack runs here (${path} is missing): npm start in another terminal`);
  });
  return StackFile.parse(JSON.parse(text));
}

export async function queryDatabase<R extends object>(stack: StackFile, database: string, sql: string, params: unknown[]): Promise<R[]> {
  const url = new URL(stack.postgres_url);
  url.pathname = `/${database}`;
  const client = new Client({ connectionString: url.toString() });
  await client.connect();
  try {
    return (await client.query<R>(sql, params)).rows;
  } finally {
    await client.end();
  }
}

/** Content comes of photographs; the demo has left some. No endpoint lists reports, so the bench looks into the databases. */
export async function reportWithContent(stack: StackFile): Promise<{ reportId: string; key: string } | undefined> {
  const keys = Object.values(stack.keys);
  const projects = await queryDatabase<{ project_id: string; digest: Buffer }>(
    stack,
    'tire_gateway',
    'SELECT project_id, digest FROM api_keys WHERE digest = ANY($1)',
    [keys.map(digestOf)],
  );
  const [row] = await queryDatabase<{ report_id: string; project_id: string }>(
    stack,
    'tire_content',
    `SELECT report_id, project_id FROM content_outcomes
      WHERE content_revision IS NOT NULL AND project_id = ANY($1::uuid[]) ORDER BY created_at DESC LIMIT 1`,
    [projects.map(({ project_id }) => project_id)],
  );
  const owner = projects.find(({ project_id }) => project_id === row?.project_id);
  const key = keys.find((candidate) => owner && digestOf(candidate).equals(owner.digest));
  return row && key ? { reportId: row.report_id, key } : undefined;
}
