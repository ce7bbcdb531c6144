import { type Database, sealedColumn, type SealingKeys } from '@tire/platform';
import { createHash } from 'node:crypto';
import type { Link, Publication } from '../domain/publication';
import { BRANCH_JSON, type LinkedBranch } from '../partner/branch.store';
import { PARTNER_JSON, type StoredPartner } from '../partner/partner.store';
import { publicFace, type PublicFace } from '../partner/public-face';

export interface StoredLink {
  readonly digest: string;
  readonly projectId: string;
  readonly reportId: string;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly publicationStatus: Publication['status'];
  readonly contentRevision: string | null;
  readonly partner: PublicFace;
}

const SELECT = `
  SELECT encode(l.token_digest, 'hex') AS digest, l.project_id AS "projectId", l.report_id AS "reportId", l.expires_at AS "expiresAt",
         l.revoked_at AS "revokedAt", p.status AS "publicationStatus", p.last_content_revision AS "contentRevision",
         ${PARTNER_JSON} AS partner, ${BRANCH_JSON} AS branch
  FROM share_links l JOIN publications p ON p.report_id = l.report_id LEFT JOIN partners t ON t.project_id = l.project_id
       LEFT JOIN branches b ON b.branch_id = p.branch_id AND b.project_id = l.project_id
  WHERE l.token_digest = ANY($1)`;

export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();

export const LINK_TOKEN = sealedColumn({ table: 'share_links', column: 'token', key: ['id'] });

export const sealedToken = (keys: SealingKeys, projectId: string, id: string, token: string): Buffer =>
  LINK_TOKEN.seal(keys, { projectId, id }, token);

export const openToken = (keys: SealingKeys, projectId: string, { id, token }: Pick<Link, 'id' | 'token'>): string =>
  LINK_TOKEN.open(keys, { projectId, id }, token).toString();

/** The links of these digests, in their order. */
export async function findLinks(database: Database, digests: readonly Buffer[]): Promise<(StoredLink | undefined)[]> {
  type Row = Omit<StoredLink, 'partner'> & { readonly partner: StoredPartner | null; readonly branch: LinkedBranch | null };
  const rows = await database.systemQuery<Row>(SELECT, [digests]);
  const links = new Map(rows.map(({ branch, ...row }) => [row.digest, { ...row, partner: publicFace(row.partner, branch) }]));
  return digests.map((digest) => links.get(digest.toString('hex')));
}
