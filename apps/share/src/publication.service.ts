import { Inject, Injectable } from '@nestjs/common';
import { type AnalysisEnded, type ContentGenerated, EVENTS, type ledgerApi, type PublicationChanged } from '@tire/contracts';
import { Outbox } from '@tire/eventing';
import { assertNever } from '@tire/kernel';
import { currentActor, Database } from '@tire/platform';
import type { EntityManager } from 'typeorm';
import { CallbackQueue } from './callback.queue';
import { type Command, decide, evolve, type Link, type Publication, type PublicationEvent } from './domain/publication';
import { PublicationStore, type Registration, type StoredPublication } from './publication.store';
import { SETTINGS, type Settings } from './settings';

const DAY_MS = 86_400_000;

export interface ReportName {
  readonly projectId: string;
  readonly reportId: string;
}

@Injectable()
export class PublicationService {
  constructor(
    private readonly database: Database,
    private readonly store: PublicationStore,
    private readonly callbacks: CallbackQueue,
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async analysisEnded(message: AnalysisEnded): Promise<void> {
    await this.carryOut(message, message, []);
  }

  async contentGenerated(message: ContentGenerated): Promise<void> {
    const ready = message.analysisStatus === 'complete' && message.errorCode === '' && message.contentRevision !== '';
    const outcome = { analysisRevision: message.analysisRevision, contentRevision: ready ? message.contentRevision : null };
    await this.carryOut(message, null, [{ kind: 'contentGenerated', outcome }]);
  }

  newLink(token: string, createdAt: Date): Link {
    return { token, createdAt, expiresAt: new Date(createdAt.getTime() + this.settings.linkLifetimeDays * DAY_MS), revokedAt: null };
  }

  /** No inbox: the state itself says what is old, and a message that comes again must be answered again. */
  carryOut(report: ReportName, registration: ledgerApi.ShareRegistration | null, commands: readonly Command[]): Promise<Publication> {
    const { projectId, reportId } = report;
    return this.database.withProject(projectId, async (tx) => {
      const stored = await this.store.lock(tx, projectId, reportId);
      const register: Command[] = registration ? [{ kind: 'register', link: this.mintedLink(registration) }] : [];
      const { events, after } = judge(stored.state, [...register, ...commands], this.settings.clock.now());
      if (events.length > 0) await this.store.save(tx, reportId, after);
      for (const event of events) await this.follow(tx, { projectId, reportId, ...registration }, stored, event, after);
      const said = wordOf({ projectId, reportId }, after);
      if (said) await this.outbox.add(tx, EVENTS.publicationChanged, { ...said, actor: currentActor() });
      return after;
    });
  }

  /** Also for a report that was never heard of: its minted link must say that it is gone. */
  discard(report: ReportName, registration: Pick<ledgerApi.ShareRegistration, 'shareToken' | 'createdAt'>): Promise<void> {
    const { projectId, reportId } = report;
    return this.database.withProject(projectId, async (tx) => {
      const { state } = await this.store.lock(tx, projectId, reportId);
      const { events, after } = judge(state, [{ kind: 'discard' }], this.settings.clock.now());
      if (events.length === 0) return;
      await this.store.save(tx, reportId, after);
      await this.store.forget(tx, projectId, reportId, this.mintedLink(registration));
      await this.callbacks.forget(tx, reportId);
    });
  }

  private mintedLink({ shareToken, createdAt }: Pick<ledgerApi.ShareRegistration, 'shareToken' | 'createdAt'>): Link {
    return this.newLink(shareToken, new Date(createdAt));
  }

  private async follow(tx: EntityManager, report: Registration, stored: StoredPublication, event: PublicationEvent, after: Publication) {
    const { projectId, reportId } = report;
    switch (event.kind) {
      case 'registered':
        await this.store.saveRegistration(tx, report);
        return this.store.addLink(tx, projectId, reportId, event.link);
      case 'published':
        return this.queueCallback(tx, stored, report, event.outcome.analysisRevision, after);
      case 'linkRevoked':
        return this.store.revokeLinks(tx, reportId, event.at);
      case 'linkIssued':
        await this.store.revokeLinks(tx, reportId, event.link.createdAt);
        return this.store.addLink(tx, projectId, reportId, event.link);
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
    tx: EntityManager,
    { row }: StoredPublication,
    registration: Registration,
    analysisRevision: string,
    after: Publication,
  ): Promise<void> {
    const about = { ...row, ...definedOf(registration) };
    if (about.callbackUrl && 'link' in after) await this.callbacks.add(tx, about, about.callbackUrl, analysisRevision, after.link);
  }
}

/** A registration that comes in the same transaction is not in the row yet. */
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

/** What the record of the report is told; null while there is nothing to tell. */
export function wordOf({ projectId, reportId }: ReportName, state: Publication): PublicationChanged | null {
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
