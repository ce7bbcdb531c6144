import { assertNever, parseSlotId } from '@tire/kernel';
import type { AnalysisEnded, AnalyzeImage, EVENTS, FetchImage, ReportCreated } from '@tire/contracts';
import type { AnalysisRevision, Report, ReportEvent, ReportIdentity } from './report';
import type { ReportSlotRecord } from './slot';
import { analysisStatus, contentStateOf, isEnded } from './status';

type Outgoing<Name extends keyof typeof EVENTS, Message> = { readonly event: Name; readonly id: string; readonly message: Message };

/**
 * What the ledger asks of others. The id holds the occasion (the first time, or the time of a reminder): the stream drops a
 * message that is relayed twice, yet lets a reminder through, whose receiver tells by its own fence (asset, analysis,
 * revision) whether it was done already.
 */
export type OutgoingMessage =
  | Outgoing<'reportCreated', ReportCreated>
  | Outgoing<'fetchImage', FetchImage>
  | Outgoing<'analyzeTread' | 'analyzeSidewall', AnalyzeImage>
  | Outgoing<'analysisEnded', AnalysisEnded>;

const FIRST_TIME = 'first';

/** The messages that a change of state sends out at once. */
export function messagesOf(identity: ReportIdentity, event: ReportEvent): OutgoingMessage[] {
  switch (event.type) {
    case 'reportCreated':
      return [creationMessage(identity, FIRST_TIME), ...event.slots.flatMap((slot) => slotMessages(identity, slot, FIRST_TIME))];
    case 'analysisRequested': {
      const { slotId, asset, analysisId, replacesSuccess } = event;
      return slotMessages(identity, { slotId, state: { phase: 'analyzing', asset, analysisId, replacesSuccess } }, FIRST_TIME);
    }
    case 'analysisEnded':
      return [endedMessage(identity, event.revision, FIRST_TIME)];
    case 'slotEnded':
    case 'contentNoted':
    case 'publicationNoted':
      return [];
    default:
      return assertNever(event);
  }
}

/** The work that a pending slot waits for. */
export function slotMessages(
  { projectId, reportId }: Pick<ReportIdentity, 'projectId' | 'reportId'>,
  { slotId, state }: ReportSlotRecord,
  occasion: string,
): OutgoingMessage[] {
  if (state.phase === 'fetching' && state.asset.source.kind === 'partner_url') {
    const { assetId, source } = state.asset;
    const message = { projectId, reportId, slotId, assetId, url: source.url };
    return [{ event: 'fetchImage', id: `${assetId}:fetch:${occasion}`, message }];
  }
  if (state.phase === 'analyzing') {
    const { analysisId, asset } = state;
    const event = parseSlotId(slotId).image_type === 'tread' ? 'analyzeTread' : 'analyzeSidewall';
    const message = { projectId, reportId, slotId, assetId: asset.assetId, analysisId };
    return [{ event, id: `${analysisId}:analyze:${occasion}`, message }];
  }
  return [];
}

const creationMessage = (identity: ReportIdentity, occasion: string): OutgoingMessage => ({
  event: 'reportCreated',
  id: `${identity.reportId}:created:${occasion}`,
  message: {
    projectId: identity.projectId,
    reportId: identity.reportId,
    shareToken: identity.shareToken,
    createdAt: identity.createdAt,
    callbackUrl: identity.callbackUrl ?? undefined,
    externalInspectionId: identity.externalInspectionId ?? undefined,
    externalVehicleId: identity.externalVehicleId ?? undefined,
  },
});

const endedMessage = ({ projectId, reportId }: ReportIdentity, revision: AnalysisRevision, occasion: string): OutgoingMessage => ({
  event: 'analysisEnded',
  id: `${revision.revisionId}:ended:${occasion}`,
  message: {
    projectId,
    reportId,
    analysisRevision: revision.revisionId,
    analysisStatus: revision.status,
    completedAt: revision.completedAt,
  },
});

/** Something that the ledger told others and that has not come back as a fact. */
export type OwedFact = 'publication of the report' | 'content of the revision' | 'publication of the revision';

export function owedFacts(report: Report): OwedFact[] {
  const owed: OwedFact[] = [];
  if (report.publication.version === 0) owed.push('publication of the report');
  if (!report.revision || !isEnded(analysisStatus(report))) return owed;
  if (report.content?.analysisRevision !== report.revision.revisionId) return [...owed, 'content of the revision'];
  if (!publicationFollowed(report, report.revision)) owed.push('publication of the revision');
  return owed;
}

/** Publication says a newer word for each revision that meets its gate, and revokes what no longer does. */
function publicationFollowed(report: Report, revision: AnalysisRevision): boolean {
  const { status, version } = report.publication;
  if (contentStateOf(report).status === 'ready') return status === 'published' && version > revision.publicationVersion;
  return status !== 'published';
}

/** Tells one waiting from the next: progress starts the count of attempts anew. Null: nothing is owed. */
export function handoverKey(report: Report): string | null {
  const owed = owedFacts(report);
  return owed.length === 0 ? null : [report.revision?.revisionId ?? 'none', ...owed].join('|');
}

/** What to say again so that the owed facts come. Content that exists already is announced again, and publication follows from it. */
export function reminders(report: Report, occasion: string): OutgoingMessage[] {
  const { identity, revision } = report;
  const kinds = new Set(owedFacts(report).map((fact) => (fact === 'publication of the report' ? 'created' : 'ended')));
  return [
    ...(kinds.has('created') ? [creationMessage(identity, occasion)] : []),
    ...(kinds.has('ended') && revision ? [endedMessage(identity, revision, occasion)] : []),
  ];
}
