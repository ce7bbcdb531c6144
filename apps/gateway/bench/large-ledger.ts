import { queryDatabase, rowCopies, type StackUnderLoad } from '@tire/test-harness/bench';
import { Client } from 'pg';

export interface Sizes {
  readonly reports: number;
  readonly withImages: number;
}

const LEDGER = 'tire_ledger';
export const TABLES = ['reports', 'slots', 'analyses'];
const PER_STATEMENT = 50_000;
/** Copies of rows whose references hold need no check of them, and a bench may lose what a power cut takes. */
const SESSION = '-c session_replication_role=replica -c synchronous_commit=off';

/** n of $2 rows is made $3 of all rows after the first. The ids contain the creation times, which rise over a year, as they did in a real one. */
const AGE = '(make_interval(secs => 31536000.0 * ($3::float8 + n - $4::float8) / $4))';
const COPIED_REPORT = {
  // Those of a test project would be removed after 30 days.
  project_mode: `'live'`,
  report_id: `uuidv7${AGE}`,
  created_at: `now() + ${AGE}`,
  updated_at: `now() + ${AGE}`,
  // Otherwise the ledger would set the place in the worklist of each copy anew.
  standing_at: `now() + ${AGE}`,
  share_token_digest: 'sha256((random()::text || n)::bytea)',
  link_token: 'NULL',
  plate_number: `10 + n % 90 || '가 ' || lpad((random() * 9999)::int::text, 4, '0')`,
  external_inspection_id: 'gen_random_uuid()::text',
  external_vehicle_id: 'gen_random_uuid()::text',
};

const inLedger = <R extends object>(stack: StackUnderLoad, sql: string, params: unknown[] = []) =>
  queryDatabase<R>(stack, LEDGER, sql, params);

export async function countOf(stack: StackUnderLoad): Promise<string> {
  const [row] = await inLedger<{ count: number }>(stack, 'SELECT count(*)::int AS count FROM reports');
  return row!.count.toLocaleString('en');
}

/** The size of each table with its indexes. */
export async function bytesOf(stack: StackUnderLoad): Promise<string> {
  const sql = `SELECT name, pg_total_relation_size(name::regclass)::float8 / 1e9 AS gb FROM unnest($1::text[]) AS name`;
  const sizes = await inLedger<{ name: string; gb: number }>(stack, sql, [TABLES]);
  return sizes.map(({ name, gb }) => `${name} ${gb.toFixed(2)} GB`).join(', ');
}

/** Random reports of the sample's project that have as many images as it has, so that pages are read that no cache holds. */
export async function reportsLike(stack: StackUnderLoad, sample: string, count: number): Promise<string[]> {
  const rows = await inLedger<{ report_id: string }>(
    stack,
    `SELECT other.report_id FROM reports other, reports sample
      WHERE sample.report_id = $1 AND other.project_id = sample.project_id AND other.analysis_status = sample.analysis_status
      ORDER BY random() LIMIT $2`,
    [sample, count],
  );
  if (rows.length < count) throw new Error(`There are only ${rows.length} reports like ${sample}`);
  return rows.map(({ report_id }) => report_id);
}

/** Copies two reports, one without images and one that is complete. Returns how long it took. */
export async function fillTo(stack: StackUnderLoad, sizes: Sizes, empty: string, complete: string): Promise<number> {
  const beganMs = performance.now();
  const url = new URL(stack.postgres_url);
  url.pathname = `/${LEDGER}`;
  const client = new Client({ connectionString: url.toString(), options: SESSION });
  await client.connect();
  try {
    const [reports, slots, analyses] = await Promise.all(TABLES.map((table) => rowCopies(stack, LEDGER, table)));
    const made = reports!(COPIED_REPORT, 'reports original, generate_series(1, $2::int) n WHERE original.report_id = $1');
    const ofReport = { report_id: 'made.report_id' };
    const withImages = `
      WITH made AS (${made} RETURNING report_id),
      copied AS (${slots!(ofReport, 'made, slots original WHERE original.report_id = $1')})
      ${analyses!(ofReport, 'made, analyses original WHERE original.report_id = $1')}`;
    const has = async (sample: string): Promise<number> => {
      const { rows } = await client.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM reports other, reports sample WHERE sample.report_id = $1 AND other.analysis_status = sample.analysis_status`,
        [sample],
      );
      return rows[0]!.count;
    };
    const add = async (statement: string, sample: string, count: number, perStatement: number) => {
      for (let done = 0; done < count; done += perStatement) {
        await client.query(statement, [sample, Math.min(perStatement, count - done), done, count]);
        process.stderr.write(`\r${done + Math.min(perStatement, count - done)} of ${count} reports `);
      }
    };
    await add(withImages, complete, sizes.withImages - (await has(complete)), PER_STATEMENT / 10);
    await add(made, empty, sizes.reports - sizes.withImages - (await has(empty)), PER_STATEMENT);
    for (const table of TABLES) await client.query(`VACUUM (ANALYZE) ${table}`);
  } finally {
    await client.end();
  }
  return performance.now() - beganMs;
}
