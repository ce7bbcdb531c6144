import { queryDatabase, type StackUnderLoad } from '@tire/test-harness/bench';
import { digestOf } from '../src/keys/api-key';

/** Finds a report with content, which the demo has made. No operation lists reports for a key, so the bench reads the databases. */
export async function reportWithContent(stack: StackUnderLoad): Promise<{ reportId: string; key: string } | undefined> {
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
