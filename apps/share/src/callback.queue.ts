import { Inject, Injectable } from '@nestjs/common';
import type { ReportCompleted } from '@tire/contracts';
import { newId } from '@tire/kernel';
import { afterCommit, traceHeaders } from '@tire/platform';
import type { EntityManager } from 'typeorm';
import { CallbackStore } from './callback.store';
import { isValid } from './domain/link';
import type { Link } from './domain/publication';
import type { PublicationRow } from './publication.store';
import { reportUrl, SETTINGS, type Settings, shareUrl } from './settings';

@Injectable()
export class CallbackQueue {
  private wake: (receiver: string) => void = () => undefined;

  constructor(
    private readonly store: CallbackStore,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Called when this process made something due, after its commit. */
  onDue(wake: (receiver: string) => void): void {
    this.wake = wake;
  }

  forget(tx: EntityManager, reportId: string): Promise<void> {
    return this.store.forget(tx, reportId);
  }

  /** Once per analysis revision. The body is kept as the bytes that are signed and sent, in every attempt the same. */
  async add(tx: EntityManager, publication: PublicationRow, url: string, analysisRevision: string, link: Link): Promise<void> {
    const now = this.settings.clock.now();
    const { projectId, reportId, externalInspectionId, externalVehicleId } = publication;
    const self = reportUrl(this.settings, reportId);
    const message: ReportCompleted = {
      type: 'report.completed',
      timestamp: now.toISOString(),
      data: {
        report_id: reportId,
        analysis_status: 'complete',
        analysis_revision: analysisRevision,
        external_inspection_id: externalInspectionId,
        external_vehicle_id: externalVehicleId,
        links: { self, content: `${self}/content`, share: isValid(link, now) ? shareUrl(this.settings, link.token) : null },
      },
    };
    const receiver = await this.store.queue(tx, {
      id: newId(),
      type: 'report.completed',
      projectId,
      reportId,
      analysisRevision,
      url,
      body: JSON.stringify(message),
      traceHeaders: traceHeaders(),
      queuedAt: now,
    });
    this.due(tx, receiver);
  }

  /** One try at an address. */
  async addTest(tx: EntityManager, projectId: string, url: string): Promise<string> {
    const now = this.settings.clock.now();
    const id = newId();
    const body = JSON.stringify({ type: 'callback.test', timestamp: now.toISOString(), data: {} });
    const nothing = { reportId: null, analysisRevision: null };
    const sent = { projectId, url, body, traceHeaders: traceHeaders(), queuedAt: now };
    this.due(tx, await this.store.queue(tx, { id, type: 'callback.test', ...nothing, ...sent }));
    return id;
  }

  due(tx: EntityManager, receiver: string | null): void {
    if (receiver !== null) afterCommit(tx, () => this.wake(receiver));
  }
}
