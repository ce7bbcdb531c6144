import { Inject, Injectable } from '@nestjs/common';
import { type AnalysisEnded, type CaptureFinished, type ContentGenerated, EVENTS, type PublicationChanged } from '@tire/contracts/events';
import { type ledgerApi, type shareApi } from '@tire/contracts/grpc';
import { Outbox } from '@tire/eventing';
import { assertNever, CLOCK, type Clock, newId } from '@tire/kernel';
import { currentActor, Database, LEDGER, turnDeadline, type PromiseClient, type Tx } from '@tire/platform';
import { CallbackQueue } from '../callbacks/callback.queue';
import { eraseCallbacks } from '../callbacks/callback.store';
import type { Config } from '../config';
import { announcementsOf } from '../domain/announcement';
import { type Command, decide, evolve, type Link, type Publication, type PublicationEvent } from '../domain/publication';
import { nullWhenNotFound } from '../links/not-found';
import { openToken, sealedToken, tokenDigest } from '../links/link.store';
import { CONFIG } from '../tokens';
import {
  erasePublication,
  insertLink,
  lockPublication,
  type Registration,
  revokeLinks,
  savePublication,
  saveRegistration,
} from './publication.store';

const DAY_MS = 86_400_000;

export interface ReportKey {
  readonly projectId: string;
  readonly reportId: string;
}

/** `callbackFailures`: a photograph of the sandbox wants so many first attempts of each callback of its revision to fail. */
type AnnouncedReport = ReportKey & { readonly callbackFailures?: number | undefined };

@Injectable()
export class PublicationService {
  constructor(
    private readonly database: Database,
    private readonly callbacks: CallbackQueue,
    private readonly outbox: Outbox,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The event has no token, so what publication stores about the report comes from the ledger. A closed report is not registered. If the
   * ledger cannot open the link of a report that is not registered, the event is not acknowledged: it is delivered again.
   */
  async analysisEnded({ projectId, reportId, sandbox }: AnalysisEnded): Promise<void> {
    const state = await this.ledger.getPublicationState({ projectId, reportId, forChange: false }).catch(nullWhenNotFound);
    if (!state) return;
    const report = { projectId, reportId, callbackFailures: sandbox?.callbackFailures };
    const { status } = await this.apply(report, state.registration ?? null, []);
    if (status === 'absent' || status === 'held') throw new Error('The ledger cannot open the link of a report that is not registered');
  }

  async contentGenerated(message: ContentGenerated): Promise<void> {
    const ready = message.analysisStatus === 'complete' && message.errorCode === '' && message.contentRevision !== '';
    const { analysisRevision, analysisStatus, contentRevision } = message;
    const outcome = { analysisRevision, analysisStatus, contentRevision: ready ? contentRevision : null };
    const { projectId, reportId, sandbox } = message;
    const report = { projectId, reportId, callbackFailures: sandbox?.callbackFailures };
    await this.apply(report, null, [{ kind: 'contentGenerated', outcome }]);
  }

  /** The report is registered here if it was not. If the ledger cannot open its link, the message is delivered again. */
  async captureFinished({ projectId, reportId, finishedAt }: CaptureFinished): Promise<void> {
    const state = await this.ledger.getPublicationState({ projectId, reportId, forChange: false }).catch(nullWhenNotFound);
    if (!state) return;
    const { registration = null, callbackFailures } = state;
    await this.apply({ projectId, reportId, callbackFailures }, registration, [{ kind: 'finishCapture', at: new Date(finishedAt) }]);
  }

  newLink(projectId: string, token: string, createdAt: Date): Link {
    const id = newId();
    const sealed = sealedToken(this.config.SEALING_KEYS, projectId, id, token);
    return { id, digest: tokenDigest(token), token: sealed, createdAt, expiresAt: this.expiry(createdAt), revokedAt: null };
  }

  /** The state for the ledger, with the token of the valid link. It travels in calls only: a stream keeps what it carries. */
  projectionOf(report: ReportKey, state: Publication): shareApi.GetPublicationResponse | null {
    const change = changeOf(report, state);
    if (!change || !('link' in state)) return null;
    const { version, publicationStatus, publishedAt, analysisRevision, linkExpiresAt, captureFinishedAt } = change;
    const shareToken = change.linkDigest ? openToken(this.config.SEALING_KEYS, report.projectId, state.link) : undefined;
    return { version, publicationStatus, publishedAt, analysisRevision, shareToken, linkExpiresAt, captureFinishedAt };
  }

  /** The state shows which messages are old. A repeated message is answered again, because the first answer may have been lost. */
  apply(
    { projectId, reportId, callbackFailures = 0 }: AnnouncedReport,
    registration: ledgerApi.ShareRegistration | null,
    commands: readonly Command[],
    { untilMs }: { readonly untilMs?: number } = {},
  ): Promise<Publication> {
    const work = async (tx: Tx): Promise<Publication> => {
      const stored = await lockPublication(tx, projectId, reportId, this.clock.now());
      const register: Command[] = registration ? [{ kind: 'register', link: this.mintedLink(projectId, registration) }] : [];
      const { events, after } = judge(stored.state, [...register, ...commands], this.clock.now());
      if (events.length > 0) await savePublication(tx, reportId, after);
      for (const event of events) await this.store(tx, { projectId, reportId, ...registration }, event);
      const announced = { ...stored.row, ...definedOf(registration ?? {}), callbackFailures };
      await this.callbacks.announce(tx, announced, events.flatMap(announcementsOf), after);
      const change = changeOf({ projectId, reportId }, after);
      if (change) await this.outbox.add(tx, EVENTS.publicationChanged, { ...change, actor: currentActor() });
      return after;
    };
    return this.database.withRecord(projectId, reportId, work, untilMs);
  }

  /** This applies to an unknown report too: its link was created, so the page must show that the report was deleted. */
  discard({ projectId, reportId, ...known }: shareApi.DiscardReportRequest): Promise<void> {
    const work = async (tx: Tx): Promise<void> => {
      const { state } = await lockPublication(tx, projectId, reportId, this.clock.now());
      const { events, after } = judge(state, [{ kind: 'discard' }], this.clock.now());
      if (events.length === 0) return;
      await savePublication(tx, reportId, after);
      await erasePublication(tx, projectId, reportId, this.mintedOf(known));
      await eraseCallbacks(tx, reportId);
    };
    return this.database.withRecord(projectId, reportId, work, turnDeadline());
  }

  private mintedLink(projectId: string, { shareToken, createdAt }: ledgerApi.ShareRegistration): Link {
    return this.newLink(projectId, shareToken, new Date(createdAt));
  }

  private mintedOf({ shareTokenDigest: digest, createdAt }: Pick<shareApi.DiscardReportRequest, 'shareTokenDigest' | 'createdAt'>) {
    if (createdAt === '') return null;
    const minted = new Date(createdAt);
    return { digest, createdAt: minted, expiresAt: this.expiry(minted) };
  }

  private expiry(createdAt: Date): Date {
    return new Date(createdAt.getTime() + this.config.SHARE_LINK_LIFETIME_DAYS * DAY_MS);
  }

  private async store(tx: Tx, report: Registration, event: PublicationEvent): Promise<void> {
    const { projectId, reportId } = report;
    switch (event.kind) {
      case 'registered':
        await saveRegistration(tx, report);
        return insertLink(tx, projectId, reportId, event.link);
      case 'linkRevoked':
        return revokeLinks(tx, reportId, event.at);
      case 'linkIssued':
        await revokeLinks(tx, reportId, event.link.createdAt);
        return insertLink(tx, projectId, reportId, event.link);
      case 'published':
      case 'contentHeld':
      case 'gateUnmet':
      case 'revoked':
      case 'discarded':
      case 'captureFinished':
        return;
      default:
        return assertNever(event);
    }
  }
}

/** The row was read before this transaction stored the registration. */
const definedOf = ({ callbackUrl, externalInspectionId, externalVehicleId }: Partial<Registration>) =>
  Object.fromEntries(Object.entries({ callbackUrl, externalInspectionId, externalVehicleId }).filter(([, value]) => value !== undefined));

function judge(before: Publication, commands: readonly Command[], now: Date): { events: PublicationEvent[]; after: Publication } {
  let after = before;
  const events: PublicationEvent[] = [];
  for (const command of commands) {
    const decided = decide(after, command, now);
    after = decided.reduce(evolve, after);
    events.push(...decided);
  }
  return { events, after };
}

/** The state for an event. Null before the report is registered. */
export function changeOf({ projectId, reportId }: ReportKey, state: Publication): PublicationChanged | null {
  if (!('link' in state)) return null;
  const valid = state.link.revokedAt === null;
  return {
    projectId,
    reportId,
    version: state.version,
    publicationStatus: state.status,
    publishedAt: state.status === 'published' ? state.publishedAt.toISOString() : undefined,
    analysisRevision: state.last?.analysisRevision,
    linkDigest: valid ? state.link.digest : undefined,
    linkExpiresAt: valid ? state.link.expiresAt.toISOString() : undefined,
    captureFinishedAt: state.captureFinishedAt?.toISOString(),
  };
}
