import { Inject, Injectable } from '@nestjs/common';
import { type AnalysisEnded, type ContentGenerated, EVENTS, type PublicationChanged } from '@tire/contracts/events';
import { type ledgerApi } from '@tire/contracts/grpc';
import { Outbox } from '@tire/eventing';
import { assertNever, CLOCK, type Clock } from '@tire/kernel';
import { currentActor, Database, type Tx } from '@tire/platform';
import { CallbackQueue } from '../callbacks/callback.queue';
import { eraseCallbacks } from '../callbacks/callback.store';
import type { Config } from '../config';
import { type Command, decide, evolve, type Link, type Publication, type PublicationEvent } from '../domain/publication';
import { CONFIG } from '../tokens';
import {
  erasePublication,
  insertLink,
  lockPublication,
  type Registration,
  revokeLinks,
  savePublication,
  saveRegistration,
  type StoredPublication,
} from './publication.store';

const DAY_MS = 86_400_000;

export interface ReportKey {
  readonly projectId: string;
  readonly reportId: string;
}

@Injectable()
export class PublicationService {
  constructor(
    private readonly database: Database,
    private readonly callbacks: CallbackQueue,
    private readonly outbox: Outbox,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async analysisEnded(message: AnalysisEnded): Promise<void> {
    await this.apply(message, message, []);
  }

  async contentGenerated(message: ContentGenerated): Promise<void> {
    const ready = message.analysisStatus === 'complete' && message.errorCode === '' && message.contentRevision !== '';
    const outcome = { analysisRevision: message.analysisRevision, contentRevision: ready ? message.contentRevision : null };
    await this.apply(message, null, [{ kind: 'contentGenerated', outcome }]);
  }

  newLink(token: string, createdAt: Date): Link {
    return { token, createdAt, expiresAt: new Date(createdAt.getTime() + this.config.SHARE_LINK_LIFETIME_DAYS * DAY_MS), revokedAt: null };
  }

  /** The state shows which messages are old. A repeated message is answered again, because the first answer may have been lost. */
  apply(report: ReportKey, registration: ledgerApi.ShareRegistration | null, commands: readonly Command[]): Promise<Publication> {
    const { projectId, reportId } = report;
    return this.database.withProject(projectId, async (tx) => {
      const stored = await lockPublication(tx, projectId, reportId);
      const register: Command[] = registration ? [{ kind: 'register', link: this.mintedLink(registration) }] : [];
      const { events, after } = judge(stored.state, [...register, ...commands], this.clock.now());
      if (events.length > 0) await savePublication(tx, reportId, after);
      for (const event of events) await this.store(tx, { projectId, reportId, ...registration }, stored, event, after);
      const change = changeOf({ projectId, reportId }, after);
      if (change) await this.outbox.add(tx, EVENTS.publicationChanged, { ...change, actor: currentActor() });
      return after;
    });
  }

  /** Also for an unknown report, because its link was minted: the page must show that the report is gone. */
  discard(report: ReportKey, registration: Pick<ledgerApi.ShareRegistration, 'shareToken' | 'createdAt'>): Promise<void> {
    const { projectId, reportId } = report;
    return this.database.withProject(projectId, async (tx) => {
      const { state } = await lockPublication(tx, projectId, reportId);
      const { events, after } = judge(state, [{ kind: 'discard' }], this.clock.now());
      if (events.length === 0) return;
      await savePublication(tx, reportId, after);
      await erasePublication(tx, projectId, reportId, this.mintedLink(registration));
      await eraseCallbacks(tx, reportId);
    });
  }

  private mintedLink({ shareToken, createdAt }: Pick<ledgerApi.ShareRegistration, 'shareToken' | 'createdAt'>): Link {
    return this.newLink(shareToken, new Date(createdAt));
  }

  private async store(tx: Tx, report: Registration, stored: StoredPublication, event: PublicationEvent, after: Publication) {
    const { projectId, reportId } = report;
    switch (event.kind) {
      case 'registered':
        await saveRegistration(tx, report);
        return insertLink(tx, projectId, reportId, event.link);
      case 'published':
        return this.queueCallback(tx, stored, report, event.outcome.analysisRevision, after);
      case 'linkRevoked':
        return revokeLinks(tx, reportId, event.at);
      case 'linkIssued':
        await revokeLinks(tx, reportId, event.link.createdAt);
        return insertLink(tx, projectId, reportId, event.link);
      case 'contentHeld':
      case 'gateUnmet':
      case 'revoked':
      case 'discarded':
        return;
      default:
        return assertNever(event);
    }
  }

  private async queueCallback(
    tx: Tx,
    { row }: StoredPublication,
    registration: Registration,
    analysisRevision: string,
    after: Publication,
  ): Promise<void> {
    const report = { ...row, ...definedOf(registration) };
    if (report.callbackUrl && 'link' in after) await this.callbacks.add(tx, report, report.callbackUrl, analysisRevision, after.link);
  }
}

/** The row was read before this transaction stored the registration. */
const definedOf = ({ callbackUrl, externalInspectionId, externalVehicleId }: Registration) =>
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

/** The state as the ledger stores it. Null before the report is registered. */
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
    shareToken: valid ? state.link.token : undefined,
    linkExpiresAt: valid ? state.link.expiresAt.toISOString() : undefined,
  };
}
