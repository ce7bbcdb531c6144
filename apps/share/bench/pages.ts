import { newId } from '@tire/kernel';
import { queryDatabase, type StackUnderLoad, storedColumns } from '@tire/test-harness/bench';
import { createHash, randomBytes } from 'node:crypto';

interface OpenPage {
  readonly token: string;
  readonly reportId: string;
  readonly analysisRevision: string;
}

const SELECT_OPEN = `
  SELECT l.token, p.report_id AS "reportId", p.last_analysis_revision AS "analysisRevision"
  FROM publications p JOIN share_links l ON l.report_id = p.report_id
  WHERE p.status = 'published' AND l.revoked_at IS NULL AND l.expires_at > now() ORDER BY l.created_at DESC LIMIT 100`;

/** The rows of a published report in three databases, copied with new ids and the same images. */
const COPIES = [
  [
    'tire_ledger',
    `(jsonb_populate_record(r, jsonb_build_object('report_id', report, 'revision_id', analysis,
       'content_analysis_revision', analysis, 'content_revision', content, 'share_token', copy.token, 'link_token', copy.token,
       'publication_analysis_revision', analysis, 'external_inspection_id', NULL))).*`,
    'reports',
  ],
  [
    'tire_content',
    `(jsonb_populate_record(r, jsonb_build_object('report_id', report, 'analysis_revision', analysis,
       'content_revision', content))).*`,
    'content_outcomes',
  ],
  [
    'tire_share',
    `(jsonb_populate_record(r, jsonb_build_object('report_id', report, 'last_analysis_revision', analysis,
       'last_content_revision', content, 'callback_url', NULL))).*`,
    'publications',
  ],
  [
    'tire_share',
    `(jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'report_id', report,
       'token', copy.token, 'token_digest', digest))).*`,
    'share_links',
  ],
] as const;
const NAMED = `CROSS JOIN unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::bytea[]) AS copy (report, analysis, content, token, digest)`;

/** The newest open page, and copies of its report: different pages for any cache. */
export async function openPages(stack: StackUnderLoad, count: number): Promise<string[]> {
  const newest = await newestOpen(stack);
  const ids = () => Array.from({ length: count - 1 }, newId);
  const tokens = ids().map(() => randomBytes(32).toString('base64url'));
  const digests = tokens.map((token) => createHash('sha256').update(token).digest());
  const params = [newest.reportId, ids(), ids(), ids(), tokens, digests];
  for (const [database, copied, from] of COPIES) {
    const only = from === 'content_outcomes' ? `AND r.analysis_revision = '${newest.analysisRevision}'` : '';
    const valid = from === 'share_links' ? 'AND r.revoked_at IS NULL' : '';
    const columns = await storedColumns(stack, database, from);
    const rows = `SELECT ${copied} FROM ${from} r ${NAMED} WHERE r.report_id = $1 ${only} ${valid}`;
    await queryDatabase(stack, database, `INSERT INTO ${from} (${columns}) SELECT ${columns} FROM (${rows}) rows`, params);
  }
  return [newest.token, ...tokens].map((token) => `/r/${token}`);
}

/** The page of a report that is still complete in the ledger. */
async function newestOpen(stack: StackUnderLoad): Promise<OpenPage> {
  for (const page of await queryDatabase<OpenPage>(stack, 'tire_share', SELECT_OPEN)) {
    if ((await fetch(`${stack.share_url}/r/${page.token}`)).status === 200) return page;
  }
  throw new Error('No share page is open yet: npm run demo makes one');
}
