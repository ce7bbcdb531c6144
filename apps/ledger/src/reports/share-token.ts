import { sealedColumn, type SealingKeys } from '@tire/platform';
import { createHash, randomBytes } from 'node:crypto';
import type { ShareToken } from '../domain/report';

interface Owner {
  readonly projectId: string;
  readonly reportId: string;
}

export const SHARE_TOKEN = sealedColumn({ table: 'reports', column: 'share_token', key: ['report_id'] });
/** The sealing place is the same, because the token of the creation is often that of the valid link. */
export const LINK_TOKEN = sealedColumn({ table: 'reports', column: 'link_token', key: ['report_id'], place: SHARE_TOKEN.place });

const rowOf = ({ projectId, reportId }: Owner) => ({ projectId, id: reportId });

export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();

export const sealedToken = (keys: SealingKeys, owner: Owner, token: string): ShareToken => ({
  digest: tokenDigest(token),
  sealed: SHARE_TOKEN.seal(keys, rowOf(owner), token),
});

export const newShareToken = (keys: SealingKeys, owner: Owner): ShareToken =>
  sealedToken(keys, owner, randomBytes(32).toString('base64url'));

export const openToken = (keys: SealingKeys, owner: Owner, sealed: Buffer): string =>
  SHARE_TOKEN.open(keys, rowOf(owner), sealed).toString();
