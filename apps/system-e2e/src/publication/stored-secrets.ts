import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { stackUnderTest } from '../stack-under-test';

/** A text in each form in which a store might hold it: as it is, as hexadecimal digits, and as base64 at each of the three offsets. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // Drops the characters that depend on the neighbours of the text.
    const inner = encoded.slice(Math.ceil((offset * 4) / 3), -4);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [secret, bytes.toString('hex'), ...base64];
}

/** The key of a webhook secret is the bytes behind its prefix. */
const formsOfAll = (secrets: readonly string[]): string[] =>
  secrets.flatMap((secret) => {
    const key = secret.replace(/^whsec_/, '');
    return key === secret ? formsOf(secret) : [...formsOf(key), Buffer.from(key, 'base64').toString('hex')];
  });

const TABLES = `
  SELECT quote_ident(schemaname) || '.' || quote_ident(relname) AS name FROM pg_stat_user_tables ORDER BY 1`;

async function inDatabase(url: string, forms: readonly string[]): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const found: string[] = [];
    for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
      // The text of a row has its bytea columns in hexadecimal digits.
      const held = `SELECT 1 FROM ${name} AS held, unnest($1::text[]) AS form WHERE position(form IN held::text) > 0 LIMIT 1`;
      if ((await client.query(held, [forms])).rowCount) found.push(`${new URL(url).pathname} ${name}`);
    }
    return found;
  } finally {
    await client.end();
  }
}

/** Files below a folder: the streams and buckets of the broker as it stores them, and logs. */
async function inFiles(folder: string, forms: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
    // A file may go away while the broker runs.
    const bytes = await readFile(join(parentPath, name)).catch(() => Buffer.alloc(0));
    if (forms.some((form) => bytes.includes(form))) found.push(join(parentPath, name));
  }
  return found;
}

/** The logs of all services that hold one of these texts in one of its forms. */
export const logsWith = (texts: readonly string[]): Promise<string[]> =>
  inFiles(join(process.env['STACK_DIR']!, 'logs'), formsOfAll(texts));

/** Whether bytes hold one of these texts in one of its forms. */
export function holderOf(texts: readonly string[]): (bytes: Buffer) => boolean {
  const forms = formsOfAll(texts);
  return (bytes) => forms.some((form) => bytes.includes(form));
}

/** The places that keep one of these secrets in the clear, or merely encoded: tables of all databases, streams, and logs. */
export async function placesWith(secrets: readonly string[]): Promise<string[]> {
  const forms = formsOfAll(secrets);
  const server = new Client({ connectionString: stackUnderTest().postgres_url });
  await server.connect();
  const names = await server.query<{ name: string }>(`SELECT datname AS name FROM pg_database WHERE datname LIKE 'tire\\_%'`);
  await server.end();
  const urls = names.rows.map(({ name }) => Object.assign(new URL(stackUnderTest().postgres_url), { pathname: `/${name}` }).toString());
  const folders = ['nats', 'logs'].map((name) => join(process.env['STACK_DIR']!, name));
  const places = await Promise.all([...urls.map((url) => inDatabase(url, forms)), ...folders.map((folder) => inFiles(folder, forms))]);
  return places.flat();
}
