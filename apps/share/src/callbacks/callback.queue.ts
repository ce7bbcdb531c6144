import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, newId } from '@tire/kernel';
import { afterCommit, logger, traceHeaders, type Tx } from '@tire/platform';
import type { Config } from '../config';
import { isValid } from '../domain/link';
import type { Announcement } from '../domain/announcement';
import type { Link, Publication } from '../domain/publication';
import { reportUrl, shareUrl } from '../links/addresses';
import { openToken } from '../links/link.store';
import type { CallbackReport } from '../publication/publication.store';
import { CONFIG } from '../tokens';
import { recordForListener, sealedForListener } from '../listeners/listener.store';
import { messageOf } from './callback.message';
import { insertCallback, sealedBody } from './callback.store';
import { chosenEvents } from './chosen-events.store';

interface Message {
  readonly id: string;
  readonly body: string;
  readonly queuedAt: Date;
}

interface AnnouncedReport extends CallbackReport {
  /** So many first attempts of each callback of a revision fail on purpose. */
  readonly callbackFailures: number;
  readonly isListenedTo: boolean;
}

@Injectable()
export class CallbackQueue {
  private readonly log = logger('callbacks');
  private wake: (receiver: string) => void = () => undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Calls `wake` after each commit that made a callback due in this process. */
  onDue(wake: (receiver: string) => void): void {
    this.wake = wake;
  }

  /**
   * Adds a callback for each announcement that the project wants. report.completed needs no choice. A listener gets every announcement,
   * whatever the project chose and whether or not the report has an address, under the same id and with the same body.
   */
  async announce(tx: Tx, report: AnnouncedReport, announcements: readonly Announcement[], state: Publication): Promise<void> {
    if (!('link' in state) || announcements.length === 0) return;
    const { projectId, callbackUrl, isListenedTo } = report;
    if (!callbackUrl && !isListenedTo) return;
    const mustChoose = callbackUrl && announcements.some(({ type }) => type !== 'report.completed');
    const chosen = mustChoose ? await chosenEvents(tx, projectId) : [];
    for (const announcement of announcements) {
      const isWanted = announcement.type === 'report.completed' || chosen.includes(announcement.type);
      const url = isWanted ? callbackUrl : null;
      if (!url && !isListenedTo) continue;
      const message = this.messageFor(report, announcement, state.link);
      if (url) await this.add(tx, report, url, announcement, message);
      if (isListenedTo) await this.record(tx, report, announcement, message);
    }
  }

  private messageFor(report: CallbackReport, announcement: Announcement, link: Link): Message {
    const now = this.clock.now();
    const share = isValid(link, now) ? this.addressOf(report, link) : null;
    const self = reportUrl(this.config, report.reportId);
    const body = JSON.stringify(messageOf(announcement, { report, now, links: { self, content: `${self}/content`, share } }));
    // Of the same time: a replay finds what was queued in a period by the id.
    return { id: newId(now.getTime()), body, queuedAt: now };
  }

  /** The body is stored, sealed, as the bytes that every attempt signs and sends. */
  private async add(tx: Tx, report: AnnouncedReport, url: string, announcement: Announcement, message: Message): Promise<void> {
    const { id, body, queuedAt } = message;
    const { projectId, reportId } = report;
    const receiver = await insertCallback(tx, {
      id,
      type: announcement.type,
      projectId,
      reportId,
      analysisRevision: announcement.analysisRevision,
      url,
      body: sealedBody(this.config.SEALING_KEYS, projectId, id, body),
      traceHeaders: traceHeaders(),
      queuedAt,
      failsFirst: announcement.analysisRevision === null ? 0 : report.callbackFailures,
    });
    this.due(tx, receiver);
  }

  private async record(tx: Tx, { projectId, reportId }: CallbackReport, { type }: Announcement, message: Message): Promise<void> {
    const body = sealedForListener(this.config.SEALING_KEYS, projectId, message.id, message.body);
    await recordForListener(tx, { ...message, projectId, reportId, type, body });
  }

  /** Adds a test callback: one attempt at an address. */
  async addTest(tx: Tx, projectId: string, url: string): Promise<string> {
    const now = this.clock.now();
    const id = newId();
    const text = JSON.stringify({ type: 'callback.test', timestamp: now.toISOString(), data: {} });
    const body = sealedBody(this.config.SEALING_KEYS, projectId, id, text);
    const noReport = { reportId: null, analysisRevision: null };
    const message = { projectId, url, body, traceHeaders: traceHeaders(), queuedAt: now, failsFirst: 0 };
    this.due(tx, await insertCallback(tx, { id, type: 'callback.test', ...noReport, ...message }));
    return id;
  }

  /** Null if the link cannot be opened, so that the report is published nevertheless. */
  private addressOf({ projectId, reportId }: CallbackReport, link: Link): string | null {
    try {
      return shareUrl(this.config, openToken(this.config.SEALING_KEYS, projectId, link));
    } catch (error) {
      this.log.error({ err: error, report_id: reportId }, 'The share link of a callback cannot be opened');
      return null;
    }
  }

  due(tx: Tx, receiver: string | null): void {
    if (receiver !== null) afterCommit(tx, () => this.wake(receiver));
  }
}
