import { newId } from '@tire/kernel';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';

const DATABASE = 'tire_bench';
/** Inserted in batches, so that documents of any size fill the table in seconds. */
const BYTES_MAX = 32 * 1_024 * 1_024;
const DOCUMENTS_MAX = 10_000;

export interface BareRoute {
  readonly origin: string;
  /** One for each inserted document. */
  readonly paths: readonly string[];
  readonly pid: number;
  stop(): void;
}

/** The number of documents of a small installation, each as large as the report under measurement. */
async function fill(postgresUrl: string, document: Buffer, ids: readonly string[]): Promise<string> {
  const server = new Client({ connectionString: postgresUrl });
  await server.connect();
  await server.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
  await server.query(`CREATE DATABASE ${DATABASE}`);
  await server.end();
  const url = new URL(postgresUrl);
  url.pathname = `/${DATABASE}`;
  const client = new Client({ connectionString: url.toString() });
  await client.connect();
  await client.query('CREATE TABLE documents (id uuid PRIMARY KEY, document bytea NOT NULL)');
  await client.query('INSERT INTO documents SELECT gen_random_uuid(), $1 FROM generate_series(1, $2::int)', [
    document,
    Math.max(0, Math.min(DOCUMENTS_MAX, Math.floor(BYTES_MAX / document.length)) - ids.length),
  ]);
  await client.query('INSERT INTO documents SELECT unnest($2::uuid[]), $1', [document, ids]);
  await client.query('ANALYZE documents');
  await client.end();
  return url.toString();
}

export async function startBareRoute(postgresUrl: string, document: Buffer, read: number): Promise<BareRoute> {
  const ids = Array.from({ length: read }, newId);
  const databaseUrl = await fill(postgresUrl, document, ids);
  const child = fork(join(__dirname, 'bare-route.js'), [], { env: { ...process.env, BENCH_DATABASE_URL: databaseUrl } });
  const [message] = (await once(child, 'message')) as [{ port: number }];
  const paths = ids.map((id) => `/documents/${id}`);
  return { origin: `http://127.0.0.1:${message.port}`, paths, pid: child.pid!, stop: () => child.disconnect() };
}
