import type { Database } from '@tire/platform';
import { createHash } from 'node:crypto';
import type { Publication } from '../domain/publication';

export interface StoredLink {
  readonly digest: string;
  readonly projectId: string;
  readonly reportId: string;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly publicationStatus: Publication['status'];
  readonly contentRevision: string | null;
}

const SELECT = `
  SELECT encode(l.token_digest, 'hex') AS digest, l.project_id AS "projectId", l.report_id AS "reportId", l.expires_at AS "expiresAt",
         l.revoked_at AS "revokedAt", p.status AS "publicationStatus", p.last_content_revision AS "contentRevision"
  FROM share_links l JOIN publications p ON p.report_id = l.report_id WHERE l.token_digest = ANY($1)`;

export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The links of these digests, in their order. */
export async function findLinks(database: Database, digests: readonly Buffer[]): Promise<(StoredLink | undefined)[]> {
  const rows = await database.systemQuery<StoredLink>(SELECT, [digests]);
  const links = new Map(rows.map((row) => [row.digest, row]));
  return digests.map((digest) => links.get(digest.toString('hex')));
}
