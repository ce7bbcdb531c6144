import type { PublicationProjection, Report, ShareToken } from './report';

/** An event of publication has the digest of the token only. */
export type NotedToken = Pick<ShareToken, 'digest'> & Partial<ShareToken>;

export interface NotedPublication extends Omit<PublicationProjection, 'link'> {
  readonly link: { readonly token: NotedToken; readonly expiresAt: string | null } | null;
}

/** The link with its token, which may be that of the creation or of the present link. Null if the report does not have the token. */
export function knownLink(
  { identity, publication }: Report,
  { token, expiresAt }: NonNullable<NotedPublication['link']>,
): PublicationProjection['link'] {
  const { digest, sealed } = token;
  if (sealed) return { token: { digest, sealed }, expiresAt };
  const known = [identity.shareToken, publication.link?.token].find((candidate) => candidate?.digest.equals(digest));
  return known ? { token: known, expiresAt } : null;
}
