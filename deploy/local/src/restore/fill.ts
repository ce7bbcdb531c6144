import { queryDatabase, rowCopies } from '@tire/test-harness/bench';
import { Client } from 'pg';
import type { StackFile } from '../stack-file';

export interface Sizes {
  readonly reports: number;
  /** Of these so many are complete, with content and a publication whose link was ended. */
  readonly complete: number;
}

const PER_STATEMENT = 2_000;
/** Copies of rows whose references hold need no check of them. */
const SESSION = '-c session_replication_role=replica -c synchronous_commit=off';

interface Made {
  readonly report_id: string;
  readonly revision_id: string | null;
  readonly content_revision: string | null;
}

const AGE = `make_interval(days => -(n % 365))`;
/** A copied token cannot be opened: the link was ended. */
const ENDED_LINK = { link_token: 'NULL', link_token_digest: 'NULL' };
const AS_NEW = {
  project_mode: `'live'`,
  report_id: 'made.report_id',
  created_at: `now() + ${AGE}`,
  updated_at: `now() + ${AGE}`,
  share_token_digest: 'sha256((random()::text || n)::bytea)',
  external_inspection_id: 'gen_random_uuid()::text',
  ...ENDED_LINK,
};

async function inDatabase<T>(stack: StackFile, name: string, work: (client: Client) => Promise<T>): Promise<T> {
  const url = new URL(stack.postgres_url);
  url.pathname = `/tire_${name}`;
  const client = new Client({ connectionString: url.toString(), options: SESSION });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Copies a report without images and one that is complete, in the databases of ledger, content and share. */
export async function fill(stack: StackFile, { reports, complete }: Sizes, empty: string, sample: string): Promise<void> {
  const copies = (service: string, table: string) => rowCopies(stack, `tire_${service}`, table);
  const [report, slots, analyses, revisions, revisionSlots] = await Promise.all(
    ['reports', 'slots', 'analyses', 'analysis_revisions', 'analysis_revision_slots'].map((table) => copies('ledger', table)),
  );
  const [outcomes, publications, links] = await Promise.all([
    copies('content', 'content_outcomes'),
    copies('share', 'publications'),
    copies('share', 'share_links'),
  ]);
  const ofReport = { report_id: 'made.report_id' };
  const ofRevision = { ...ofReport, revision_id: 'made.revision_id' };
  const from = (table: string) => `made, ${table} original WHERE original.report_id = $1`;
  const named = {
    ...AS_NEW,
    revision_id: 'made.revision_id',
    content_analysis_revision: 'made.revision_id',
    content_revision: 'made.content_revision',
    content_verdict_of: 'made.content_revision',
    publication_analysis_revision: 'made.revision_id',
  };
  const MADE = `made AS MATERIALIZED (SELECT n, uuidv7(${AGE}) AS report_id, uuidv7(${AGE}) AS revision_id, uuidv7(${AGE}) AS content_revision
                       FROM generate_series(1, $2::int) n)`;
  const inLedger = `
    WITH ${MADE}, one AS (${report!(named, from('reports'))}), two AS (${slots!(ofReport, from('slots'))}),
      three AS (${analyses!(ofReport, from('analyses'))}), four AS (${revisions!(ofRevision, from('analysis_revisions'))}),
      five AS (${revisionSlots!(ofRevision, from('analysis_revision_slots'))})
    SELECT report_id, revision_id, content_revision FROM made`;
  const PASSED = `made AS (SELECT n, report_id, revision_id, content_revision
                      FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) WITH ORDINALITY made (report_id, revision_id, content_revision, n))`;
  const inContent = `WITH ${PASSED} ${outcomes({ ...ofReport, analysis_revision: 'made.revision_id', content_revision: 'made.content_revision' }, from('content_outcomes'))}`;
  const published = { ...ofReport, last_analysis_revision: 'made.revision_id', last_content_revision: 'made.content_revision' };
  const link = { ...ofReport, id: 'gen_random_uuid()', token_digest: 'sha256((random()::text || n)::bytea)', revoked_at: 'now()' };
  const inShare = `WITH ${PASSED}, one AS (${publications(published, from('publications'))}) ${links(link, from('share_links'))}`;
  await inDatabase(stack, 'ledger', (ledger) =>
    inDatabase(stack, 'content', (content) =>
      inDatabase(stack, 'share', async (share) => {
        for (let done = 0; done < complete; done += PER_STATEMENT) {
          const { rows } = await ledger.query<Made>(inLedger, [sample, Math.min(PER_STATEMENT, complete - done)]);
          const passed = [rows.map((row) => row.report_id), rows.map((row) => row.revision_id), rows.map((row) => row.content_revision)];
          await content.query(inContent, [sample, ...passed]);
          await share.query(inShare, [sample, ...passed]);
        }
        const withoutImages = `WITH ${MADE} ${report!(AS_NEW, from('reports'))}`;
        for (let done = complete; done < reports; done += PER_STATEMENT * 10)
          await ledger.query(withoutImages, [empty, Math.min(PER_STATEMENT * 10, reports - done)]);
      }),
    ),
  );
}

export const countReports = async (stack: StackFile): Promise<number> =>
  (await queryDatabase<{ count: number }>(stack, 'tire_ledger', 'SELECT count(*)::int AS count FROM reports'))[0]!.count;
