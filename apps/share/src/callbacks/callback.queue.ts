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
import { messageOf } from './callback.message';
import { insertCallback, sealedBody } from './callback.store';
import { chosenEvents } from './chosen-events.store';

interface AnnouncedReport extends CallbackReport {
  /** So many first attempts of each callback fail on purpose. */
  readonly callbackFailures: number;
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

  /** Adds a callback for each announcement that the project wants. report.completed needs no choice. */
  async announce(tx: Tx, report: AnnouncedReport, announcements: readonly Announcement[], state: Publication): Promise<void> {
    if (!report.callbackUrl || !('link' in state) || announcements.length === 0) return;
    const chosen: readonly string[] = await chosenEvents(tx, report.projectId);
    for (const announcement of announcements) {
      if (announcement.type === 'report.completed' || chosen.includes(announcement.type))
        await this.add(tx, report, report.callbackUrl, announcement, state.link);
    }
  }

  /** The body is stored, sealed, as the bytes that every attempt signs and sends. */
  private async add(tx: Tx, report: AnnouncedReport, url: string, announcement: Announcement, link: Link): Promise<void> {
    const now = this.clock.now();
    // Of the same time: a replay finds what was queued in a period by the id.
    const id = newId(now.getTime());
    const { projectId, reportId } = report;
    const share = isValid(link, now) ? this.addressOf(report, link) : null;
    const self = reportUrl(this.config, reportId);
    const message = messageOf(announcement, { report, now, links: { self, content: `${self}/content`, share } });
    const receiver = await insertCallback(tx, {
      id,
      type: announcement.type,
      projectId,
      reportId,
      analysisRevision: announcement.analysisRevision,
      url,
      body: this.sealed(projectId, id, message),
      traceHeaders: traceHeaders(),
      queuedAt: now,
      failsFirst: report.callbackFailures,
    });
    this.due(tx, receiver);
  }

  /** Adds a test callback: one attempt at an address. */
  async addTest(tx: Tx, projectId: string, url: string): Promise<string> {
    const now = this.clock.now();
    const id = newId();
    const body = this.sealed(projectId, id, { type: 'callback.test', timestamp: now.toISOString(), data: {} });
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

  private sealed(projectId: string, id: string, message: object): Buffer {
    return sealedBody(this.config.SEALING_KEYS, projectId, id, JSON.stringify(message));
  }

  due(tx: Tx, receiver: string | null): void {
    if (receiver !== null) afterCommit(tx, () => this.wake(receiver));
  }
}
