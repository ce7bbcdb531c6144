import { newId } from '@tire/kernel';
import { createHash, randomBytes } from 'node:crypto';
import { rowCopies } from './row-copies';
import { queryDatabase, type StackUnderLoad } from './stack-under-load';

interface OpenPage {
  readonly reportId: string;
  readonly analysisRevision: string;
}

const SELECT_OPEN = `
  SELECT p.report_id AS "reportId", p.last_analysis_revision AS "analysisRevision"
  FROM publications p JOIN share_links l ON l.report_id = p.report_id
  WHERE p.status = 'published' AND l.revoked_at IS NULL AND l.expires_at > now() ORDER BY l.created_at DESC LIMIT 100`;

interface CopiedTable {
  readonly database: string;
  readonly table: string;
  readonly changes: Readonly<Record<string, string>>;
  /** Which rows of the report are copied. All if absent; $6 is its analysis revision. */
  readonly only?: string;
}

/** The rows of a published report in three databases, copied with new ids and the same images. */
const COPIES: readonly CopiedTable[] = [
  {
    database: 'tire_ledger',
    table: 'reports',
    changes: {
      report_id: 'report',
      revision_id: 'analysis',
      content_analysis_revision: 'analysis',
      content_revision: 'content',
      share_token_digest: 'digest',
      link_token: 'NULL',
      publication_analysis_revision: 'analysis',
      external_inspection_id: 'NULL',
    },
  },
  {
    database: 'tire_content',
    table: 'content_outcomes',
    changes: { report_id: 'report', analysis_revision: 'analysis', content_revision: 'content' },
    only: 'original.analysis_revision = $6',
  },
  {
    database: 'tire_share',
    table: 'publications',
    changes: { report_id: 'report', last_analysis_revision: 'analysis', last_content_revision: 'content', callback_url: 'NULL' },
  },
  {
    database: 'tire_share',
    table: 'share_links',
    changes: { id: 'gen_random_uuid()', report_id: 'report', token_digest: 'digest' },
    only: 'original.revoked_at IS NULL',
  },
];
const NAMED = 'unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::bytea[]) AS copy (report, analysis, content, digest)';

/** Copies of the report of the newest open page: different pages for any cache. The tokens of the copies are known here. */
export async function openPages(stack: StackUnderLoad, count: number): Promise<string[]> {
  const newest = await newestOpen(stack);
  const ids = () => Array.from({ length: count }, newId);
  const tokens = ids().map(() => randomBytes(32).toString('base64url'));
  const digests = tokens.map((token) => createHash('sha256').update(token).digest());
  const params = [newest.reportId, ids(), ids(), ids(), digests, newest.analysisRevision];
  for (const { database, table, changes, only = 'true' } of COPIES) {
    const copies = await rowCopies(stack, database, table);
    // Each statement names $6, whose type Postgres could not find otherwise.
    const from = `${table} original CROSS JOIN ${NAMED} WHERE original.report_id = $1 AND $6::uuid IS NOT NULL AND ${only}`;
    await queryDatabase(stack, database, copies(changes, from), params);
  }
  return tokens.map((token) => `/r/${token}`);
}

/** The page of a report that is still complete in the ledger. */
async function newestOpen(stack: StackUnderLoad): Promise<OpenPage> {
  for (const page of await queryDatabase<OpenPage>(stack, 'tire_share', SELECT_OPEN)) {
    const open = `SELECT 1 FROM reports WHERE report_id = $1 AND revision_id = $2 AND analysis_status = 'complete' AND content_revision IS NOT NULL`;
    if ((await queryDatabase(stack, 'tire_ledger', open, [page.reportId, page.analysisRevision])).length > 0) return page;
  }
  throw new Error('No share page is open yet: npm run demo makes one');
}
