import { assertNever, parseSlotId, type SandboxName } from '@tire/kernel';
import type { AnalysisEnded, AnalyzeImage, CaptureFinished, EVENTS, FetchImage, SandboxEffects } from '@tire/contracts/events';
import { isHeld } from './removal';
import type { AnalysisRevision, ContentProjection, Report, ReportEvent, ReportIdentity, ReportState } from './report';
import { knownImage, sandboxEffects } from './sandbox';
import type { ReportSlotRecord } from './slot';
import { analysisStatus, isEnded } from './status';
import { analysisKind, SANDBOX_KIND, type PendingKind } from './work';

type Outgoing<Name extends keyof typeof EVENTS, Message> = { readonly event: Name; readonly id: string; readonly message: Message };

/** A request to a worker. The id contains how often it was handed out, so the stream drops a repetition, but not a reminder. */
export type WorkMessage = Outgoing<'fetchImage', FetchImage> | Outgoing<'analyzeTread' | 'analyzeSidewall', AnalyzeImage>;

/**
 * A fact that the ledger announces. The id contains the occasion (the first time, or the time of a reminder). So the stream drops a message
 * that is relayed twice, but not a reminder. The receiver of a reminder uses its own fence (the revision).
 */
export type FactMessage = Outgoing<'analysisEnded', AnalysisEnded> | Outgoing<'captureFinished', CaptureFinished>;

const FIRST_TIME = 'first';

/** The facts that an event announces at once. */
export function factsOf(identity: ReportIdentity, event: ReportEvent): FactMessage[] {
  if (event.type === 'analysisEnded' && !identity.legacy)
    return [endedMessage(identity, event.revision, FIRST_TIME, { sandbox: event.sandbox })];
  return event.type === 'captureChanged' && event.change === 'finished' ? [finishedMessage(identity, event.at, FIRST_TIME)] : [];
}

const finishedMessage = ({ projectId, reportId }: ReportIdentity, finishedAt: string, occasion: string): FactMessage => ({
  event: 'captureFinished',
  id: `${reportId}:captured:${finishedAt}:${occasion}`,
  message: { projectId, reportId, finishedAt },
});

/** The workers for which an event makes slots wait, or the sandbox. */
export function workBegunBy(identity: Pick<ReportIdentity, 'projectMode'>, event: ReportEvent): readonly PendingKind[] {
  switch (event.type) {
    case 'reportCreated':
      return event.slots.some(({ state }) => state.phase === 'fetching') ? ['fetch'] : [];
    case 'fetchRequested':
      return ['fetch'];
    case 'analysisRequested':
      return [knownImage(identity, event.asset) ? SANDBOX_KIND : analysisKind(event.slotId)];
    default:
      return [];
  }
}

interface Handover {
  /** How often the work was handed out before. */
  readonly attempts: number;
  /** Since when the slot waits for it. */
  readonly queuedAt: Date;
  /** The well-known photograph that the slot waits for. */
  readonly sandbox: SandboxName | null;
}

/** Returns the work that a pending slot waits for. */
export function workOf(
  { projectId, reportId }: Pick<ReportIdentity, 'projectId' | 'reportId'>,
  { slotId, state }: ReportSlotRecord,
  { attempts, queuedAt, sandbox }: Handover,
): WorkMessage {
  if (state.phase === 'fetching' && state.asset.source.kind === 'partner_url') {
    const { analysisId, asset } = state;
    const message = {
      projectId,
      reportId,
      slotId,
      assetId: asset.assetId,
      analysisId,
      url: state.asset.source.url,
      sandbox: sandbox ?? undefined,
    };
    return { event: 'fetchImage', id: `${analysisId}:fetch:${attempts}`, message };
  }
  if (state.phase === 'analyzing') {
    const { analysisId, asset } = state;
    const event = parseSlotId(slotId).image_type === 'tread' ? 'analyzeTread' : 'analyzeSidewall';
    const requestedAt = attempts === 0 ? queuedAt.toISOString() : undefined;
    const message = { projectId, reportId, slotId, assetId: asset.assetId, analysisId, requestedAt };
    return { event, id: `${analysisId}:analyze:${attempts}`, message };
  }
  throw new Error(`The slot ${slotId} is ${state.phase}: no worker can end that`);
}

const endedMessage = (
  identity: ReportIdentity,
  revision: AnalysisRevision,
  occasion: string,
  { sandbox, contentRevision }: { readonly sandbox: SandboxEffects | undefined; readonly contentRevision?: string | undefined },
): FactMessage => ({
  event: 'analysisEnded',
  id: `${revision.revisionId}:ended:${occasion}`,
  message: {
    projectId: identity.projectId,
    reportId: identity.reportId,
    analysisRevision: revision.revisionId,
    analysisStatus: revision.status,
    completedAt: revision.completedAt,
    sandbox,
    contentRevision,
  },
});

/** A fact that the ledger published and that has no answer yet. */
export type OwedFact = 'content of the revision' | 'publication of the revision' | 'callback of the capture';

export type Owed = OwedFact | 'removal';

export const owedFacts = (report: Report): OwedFact[] => [owedOfRevision(report), owedOfCapture(report)].filter((owed) => owed !== null);

function owedOfRevision({ identity, slots, revision, content, publication }: Report): OwedFact | null {
  if (identity.legacy || !revision || !isEnded(analysisStatus({ identity, slots }))) return null;
  if (content?.analysisRevision !== revision.revisionId || isWithoutVerdict(content)) return 'content of the revision';
  return publication.analysisRevision === revision.revisionId ? null : 'publication of the revision';
}

const isWithoutVerdict = ({ outcome }: ContentProjection): boolean => outcome.kind === 'ready' && outcome.verdict === null;

/** The share service notes the latest end only. That of an earlier link is not owed any more. */
function owedOfCapture({ capture, publication: { captureFinishedAt: noted } }: Report): OwedFact | null {
  const finishedAt = capture?.finishedAt ?? null;
  if (finishedAt === null || (noted !== null && Date.parse(noted) >= Date.parse(finishedAt))) return null;
  return 'callback of the capture';
}

/** What a report waits for beyond its slots. */
export function owedBy(state: ReportState): Owed[] {
  switch (state.lifecycle) {
    case 'absent':
      return [];
    case 'open':
      return owedFacts(state.report);
    case 'discarded':
      return state.cleared || isHeld(state.report) ? [] : ['removal'];
    case 'purging':
      return ['removal'];
    default:
      return assertNever(state);
  }
}

/** Identifies what a report waits for: the count of attempts restarts when it changes. Null when it waits for nothing. */
export function handoverKey(state: ReportState): string | null {
  const owed = owedBy(state);
  if (owed.length === 0) return null;
  return state.lifecycle === 'open' ? [state.report.revision?.revisionId, ...owed].join('|') : 'removal';
}

/** The messages to repeat. Content that exists is then announced again, and publication follows from it. */
export const reminders = (report: Report, occasion: string): FactMessage[] =>
  owedFacts(report).map((owed) => {
    const { identity, slots, revision, capture } = report;
    const effects = { sandbox: sandboxEffects(slots), contentRevision: issuedContent(report) };
    return owed === 'callback of the capture'
      ? finishedMessage(identity, capture!.finishedAt!, occasion)
      : endedMessage(identity, revision!, occasion, effects);
  });

/** The content that partners have the address of. */
const issuedContent = ({ revision, content }: Report): string | undefined =>
  content?.analysisRevision === revision?.revisionId && content?.outcome.kind === 'ready' ? content.outcome.contentRevision : undefined;
