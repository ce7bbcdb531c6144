import { Inject, Injectable } from '@nestjs/common';
import { type ContentGenerated, EVENTS, type ReportCreated } from '@tire/contracts';
import { Outbox } from '@tire/eventing';
import { Database } from '@tire/platform';
import type { EntityManager } from 'typeorm';
import { CallbackQueue } from './callback.queue';
import { type Command, decide, evolve, type Publication } from './domain/publication';
import { PublicationStore, publicationOf } from './publication.store';
import { SETTINGS, type Settings } from './settings';

const DAY_MS = 86_400_000;

@Injectable()
export class PublicationService {
  constructor(
    private readonly database: Database,
    private readonly store: PublicationStore,
    private readonly callbacks: CallbackQueue,
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  reportCreated(message: ReportCreated): Promise<void> {
    return this.handle(message, { kind: 'register' }, (tx) => {
      const expiresAt = new Date(Date.parse(message.createdAt) + this.settings.linkLifetimeDays * DAY_MS);
      return this.store.saveRegistration(tx, message, expiresAt);
    });
  }

  contentGenerated(message: ContentGenerated): Promise<void> {
    const ready = message.analysisStatus === 'complete' && message.errorCode === '' && message.contentRevision !== '';
    const outcome = { analysisRevision: message.analysisRevision, contentRevision: ready ? message.contentRevision : null };
    return this.handle(message, { kind: 'contentGenerated', outcome });
  }

  /** No inbox: the state itself says what is old, and a message that comes again must be answered again. */
  private handle(
    { projectId, reportId }: { projectId: string; reportId: string },
    command: Command,
    onRegistered?: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    return this.database.withProject(projectId, async (tx) => {
      const before = publicationOf(await this.store.lock(tx, projectId, reportId));
      const events = decide(before, command, this.settings.clock.now());
      const after = events.reduce(evolve, before);
      if (events.length > 0) await this.store.save(tx, reportId, after);
      if (events.some(({ kind }) => kind === 'registered')) await onRegistered?.(tx);
      if (events.some(({ kind }) => kind === 'published') && after.status === 'published') await this.queueCallback(tx, reportId, after);
      await this.tell(tx, projectId, reportId, after);
    });
  }

  private async queueCallback(tx: EntityManager, reportId: string, { last }: Extract<Publication, { status: 'published' }>): Promise<void> {
    const [row, link] = await Promise.all([this.store.find(tx, reportId), this.store.newestLink(tx, reportId)]);
    if (row?.callbackUrl) await this.callbacks.add(tx, row, row.callbackUrl, last.analysisRevision, link);
  }

  private async tell(tx: EntityManager, projectId: string, reportId: string, state: Publication): Promise<void> {
    if (state.status === 'absent' || state.status === 'held') return;
    const link = await this.store.newestLink(tx, reportId);
    await this.outbox.add(tx, EVENTS.publicationChanged, {
      projectId,
      reportId,
      version: state.version,
      publicationStatus: state.status,
      publishedAt: state.status === 'published' ? state.publishedAt.toISOString() : undefined,
      linkActive: link !== null && link.revokedAt === null,
    });
  }
}
