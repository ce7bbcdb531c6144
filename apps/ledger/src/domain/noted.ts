// What content and share tell about their part of a report.
import type { ContentProjection, Report, ReportEvent } from './report';
import { knownLink, type NotedPublication } from './share-link';

export function recordContent(report: Report, { content }: { readonly content: ContentProjection }, now: Date): readonly ReportEvent[] {
  if (content.analysisRevision !== report.revision?.revisionId) return [];
  if (sameContent(report.content, content))
    return isFirstVerdict(report.content, content) ? [{ type: 'verdictNoted', content, at: now.toISOString() }] : [];
  return [{ type: 'contentNoted', content, at: now.toISOString() }];
}

/** A content revision never changes, so the first content of an analysis revision stays. Only a failure may still become content. */
const sameContent = (held: ContentProjection | null, received: ContentProjection): boolean =>
  held?.analysisRevision === received.analysisRevision && (held.outcome.kind === 'ready' || received.outcome.kind === 'failed');

const isFirstVerdict = (held: ContentProjection | null, { outcome }: ContentProjection): boolean =>
  held?.outcome.kind === 'ready' && outcome.kind === 'ready' && held.outcome.verdict === null && outcome.verdict !== null;

export function recordPublication(
  report: Report,
  { publication }: { readonly publication: NotedPublication },
  now: Date,
): readonly ReportEvent[] {
  if (publication.version <= report.publication.version) return [];
  const link = publication.link && knownLink(report, publication.link);
  // The token is with the share service. The stored version stays lower than that of the share service, which marks the token as missing.
  if (publication.link && !link) return [];
  return [{ type: 'publicationNoted', publication: { ...publication, link }, at: now.toISOString() }];
}

/** Content without its verdict is requested again under its id, and a publication that is behind the revision is owed again. */
export function recordRestored(
  report: Report,
  { contentLost, publication }: { readonly contentLost: boolean; readonly publication: NotedPublication | null },
  now: Date,
): readonly ReportEvent[] {
  const at = now.toISOString();
  const events: ReportEvent[] = [];
  if (contentLost && report.content?.outcome.kind === 'ready') {
    const content = { ...report.content, outcome: { ...report.content.outcome, verdict: null } };
    events.push({ type: 'verdictNoted', content, at });
  }
  if (publication) {
    const link = publication.link && knownLink(report, publication.link);
    events.push({ type: 'publicationNoted', publication: { ...publication, link }, at });
  }
  return events;
}
