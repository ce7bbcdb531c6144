import type { Report } from './report';
import type { NotedPublication } from './share-link';

/** What content and share have of a report, after one of the databases was restored. */
export interface Held {
  /** The etag of the content that the report names. Null: there is none. */
  readonly etag: string | null;
  /** Null: share does not know the report. */
  readonly publication: NotedPublication | 'discarded' | null;
}

export const DIFFERENCES = [
  /** Content has lost what the report names. It is issued again under its id. */
  'content_lost',
  /** Content has other bytes than the report names. Nothing repairs that. */
  'content_differs',
  /** Share has lost the publication, or its last changes. */
  'publication_lost',
  /** Share has changes that the ledger has lost. */
  'publication_newer',
  /** Both changed since. */
  'publication_differs',
  /** The partner ended the link, and share has lost that: the page opens. */
  'revocation_lost',
  /** Share has lost the link that was issued last, and has an earlier one. */
  'link_lost',
  /** Share shows a result that the ledger has lost. A new analysis replaces it. */
  'result_lost',
  /** A service, or the ledger, has a report that was discarded. */
  'removal_lost',
  /** The page of a published report does not open. */
  'page_closed',
] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** How what the other services have differs from what the ledger knows of them. `isPending`: a newer result is on its way. */
export function differencesOf(report: Report, isPending: boolean, held: Held): Difference[] {
  const { publication } = held;
  return publication === 'discarded' ? ['removal_lost'] : [...ofContent(report, held), ...ofPublication(report, isPending, publication)];
}

function ofContent({ content, revision }: Report, { etag }: Held): Difference[] {
  if (content?.outcome.kind !== 'ready' || content.analysisRevision !== revision?.revisionId) return [];
  if (etag === null) return ['content_lost'];
  return etag === content.outcome.etag ? [] : ['content_differs'];
}

function ofPublication({ publication: known, revision }: Report, isPending: boolean, held: NotedPublication | null): Difference[] {
  if (held === null) return known.version > 0 ? ['publication_lost', ...(known.link === null ? (['revocation_lost'] as const) : [])] : [];
  if (held.version > known.version) {
    const isLost = held.analysisRevision !== null && held.analysisRevision !== revision?.revisionId;
    return isLost && !isPending ? ['publication_newer', 'result_lost'] : ['publication_newer'];
  }
  const isSameLink = known.link === null ? held.link === null : held.link?.token.digest.equals(known.link.token.digest) === true;
  const isSame = isSameLink && held.status === known.status && held.analysisRevision === known.analysisRevision;
  if (held.version === known.version && isSame) return [];
  const differences: Difference[] = [held.version < known.version ? 'publication_lost' : 'publication_differs'];
  if (known.link === null && held.link !== null) differences.push('revocation_lost');
  if (known.link !== null && !isSameLink) differences.push('link_lost');
  return differences;
}
