import { assertNever, parseSlotId } from '@tire/kernel';
import type { AnalysisEnded, AnalyzeImage, EVENTS, FetchImage } from '@tire/contracts';
import type { AnalysisRevision, Report, ReportEvent, ReportIdentity, ReportState } from './report';
import type { ReportSlotRecord } from './slot';
import { analysisStatus, isEnded } from './status';

type Outgoing<Name extends keyof typeof EVENTS, Message> = { readonly event: Name; readonly id: string; readonly message: Message };

/**
 * What the ledger asks of others. The id holds the occasion (the first time, or the time of a reminder): the stream drops a
 * message that is relayed twice, yet lets a reminder through, whose receiver tells by its own fence (asset, analysis,
 * revision) whether it was done already.
 */
export type OutgoingMessage =
  | Outgoing<'fetchImage', FetchImage>
  | Outgoing<'analyzeTread' | 'analyzeSidewall', AnalyzeImage>
  | Outgoing<'analysisEnded', AnalysisEnded>;

const FIRST_TIME = 'first';

/** The messages that a change of state sends out at once. */
export function messagesOf(identity: ReportIdentity, event: ReportEvent): OutgoingMessage[] {
  switch (event.type) {
    case 'reportCreated':
      return event.slots.flatMap((slot) => slotMessages(identity, slot, FIRST_TIME));
    case 'fetchRequested':
    case 'analysisRequested': {
      const { slotId, asset, analysisId, replacesSuccess } = event;
      const phase = event.type === 'fetchRequested' ? 'fetching' : 'analyzing';
      return slotMessages(identity, { slotId, state: { phase, asset, analysisId, replacesSuccess } }, FIRST_TIME);
    }
    case 'analysisEnded':
      return identity.legacy ? [] : [endedMessage(identity, event.revision, FIRST_TIME)];
    case 'slotEnded':
    case 'photographAttached':
    case 'contentNoted':
    case 'publicationNoted':
    case 'reportDiscarded':
    case 'purgeStarted':
    case 'reportCleared':
    case 'reportPurged':
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
    const { analysisId, asset } = state;
    const message = { projectId, reportId, slotId, assetId: asset.assetId, analysisId, url: state.asset.source.url };
    return [{ event: 'fetchImage', id: `${analysisId}:fetch:${occasion}`, message }];
  }
  if (state.phase === 'analyzing') {
    const { analysisId, asset } = state;
    const event = parseSlotId(slotId).image_type === 'tread' ? 'analyzeTread' : 'analyzeSidewall';
    const message = { projectId, reportId, slotId, assetId: asset.assetId, analysisId };
    return [{ event, id: `${analysisId}:analyze:${occasion}`, message }];
  }
  return [];
}

const endedMessage = (identity: ReportIdentity, revision: AnalysisRevision, occasion: string): OutgoingMessage => ({
  event: 'analysisEnded',
  id: `${revision.revisionId}:ended:${occasion}`,
  message: {
    projectId: identity.projectId,
    reportId: identity.reportId,
    analysisRevision: revision.revisionId,
    analysisStatus: revision.status,
    completedAt: revision.completedAt,
    shareToken: identity.shareToken,
    createdAt: identity.createdAt,
    callbackUrl: identity.callbackUrl ?? undefined,
    externalInspectionId: identity.externalInspectionId ?? undefined,
    externalVehicleId: identity.externalVehicleId ?? undefined,
  },
});

/** Something that the ledger told others and that has not come back as a fact. */
export type OwedFact = 'content of the revision' | 'publication of the revision';

export function owedFact({ identity, slots, revision, content, publication }: Report): OwedFact | null {
  if (identity.legacy || !revision || !isEnded(analysisStatus({ identity, slots }))) return null;
  if (content?.analysisRevision !== revision.revisionId) return 'content of the revision';
  return publication.analysisRevision === revision.revisionId ? null : 'publication of the revision';
}

/** Tells one waiting from the next: progress starts the count of attempts anew. Null: nothing is owed. */
export function handoverKey(state: ReportState): string | null {
  switch (state.lifecycle) {
    case 'absent':
      return null;
    case 'open': {
      const owed = owedFact(state.report);
      return owed && `${state.report.revision?.revisionId}|${owed}`;
    }
    case 'discarded':
      return state.cleared ? null : 'removal';
    case 'purging':
      return 'removal';
    default:
      return assertNever(state);
  }
}

/** What to say again so that the owed fact comes. Content that exists already is announced again, and publication follows from it. */
export const reminders = (report: Report, occasion: string): OutgoingMessage[] =>
  owedFact(report) && report.revision ? [endedMessage(report.identity, report.revision, occasion)] : [];
