import { Report } from '@tire/contracts/api';
import type { ledgerApi, shareApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database, LEDGER, type PromiseClient, SHARE } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { strToU8, Zip, ZipDeflate } from 'fflate';
import { listMessages, openReceiver } from '../messages/messages.store';
import { listReminders } from '../reminders/reminders.store';
import { ContentService } from '../reports/content.service';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { findVisit, openDetails } from '../visits/visits.store';
import { SubjectFinder, type Subject } from './subject.finder';
import { README } from './subject.readme';

/** A reader that takes nothing must not hold the file open. */
const LIFETIME_MS = 10 * 60_000;
const CALLBACKS_MAX = 100;
const GONE: ReadonlySet<string> = new Set(['not_found', 'report_discarded', 'report_purge_pending', 'content_unavailable_for_legacy']);

type Files = Readonly<Record<string, unknown>>;

/** What is kept about a person or a vehicle, as a ZIP file: it is written while it is read, a report at once, and is stored nowhere. */
@Injectable()
export class SubjectExport {
  constructor(
    private readonly database: Database,
    private readonly finder: SubjectFinder,
    private readonly content: ContentService,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'sealingKeys'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Before the answer begins, so that a fault has its own status. */
  find(projectId: string, subject: Subject): Promise<string[]> {
    return this.finder.reportIds(projectId, subject);
  }

  file(projectId: string, subject: Subject, reportIds: readonly string[]): Readable {
    const file = Readable.from(this.zipped(projectId, subject, reportIds), { objectMode: false });
    const late = setTimeout(() => file.destroy(new Error('The export was not read in time')), LIFETIME_MS).unref();
    file.once('close', () => clearTimeout(late));
    return file;
  }

  private async *zipped(projectId: string, subject: Subject, reportIds: readonly string[]): AsyncGenerator<Buffer> {
    let chunks: Uint8Array[] = [];
    const zip = new Zip((error, chunk) => {
      if (error) throw error;
      chunks.push(chunk);
    });
    const add = (name: string, text: string): void => {
      const part = new ZipDeflate(name);
      zip.add(part);
      part.push(strToU8(text), true);
    };
    const taken = (): Buffer => {
      const written = Buffer.concat(chunks);
      chunks = [];
      return written;
    };
    for (const [name, text] of Object.entries(README)) add(name, text);
    const at = this.clock.now().toISOString();
    add('subject.json', JSON.stringify({ ...subject, project_id: projectId, exported_at: at, report_ids: reportIds }, null, 2));
    for (const reportId of reportIds) {
      for (const [name, value] of Object.entries(await this.filesOf(projectId, reportId)))
        if (value !== null) add(`reports/${reportId}/${name}`, JSON.stringify(value, null, 2));
      yield taken();
    }
    zip.end();
    yield taken();
  }

  /** A file whose value is null is left out. */
  private async filesOf(projectId: string, reportId: string): Promise<Files> {
    const [answer] = (await this.ledger.getReports({ keys: [{ projectId, reportId }], acceptsPart: true })).answers;
    const report = answer && answer.errorCode === '' ? (JSON.parse(answer.reportJson.toString()) as unknown) : null;
    const [content, history, callbacks, photographs] = await Promise.all([
      this.contentOf(projectId, reportId),
      unlessGone(this.ledger.getReportHistory({ projectId, reportId })),
      this.share.listCallbacks({ projectId, reportId, limit: CALLBACKS_MAX }),
      report === null ? null : this.photographsOf(projectId, reportId, report),
    ]);
    return {
      'report.json': report ?? { report_id: reportId, removed: true },
      'content.json': content,
      'history.json': history && history.moments,
      'callbacks.json': callbacks.callbacks.length > 0 ? callbacks.callbacks : null,
      'photographs.json': photographs,
      ...(await this.ownOf(projectId, reportId)),
    };
  }

  private async contentOf(projectId: string, reportId: string): Promise<unknown> {
    const answer = await unlessGone(this.content.current(projectId, reportId, undefined));
    return answer === null || answer.body === null ? null : JSON.parse(String(answer.body));
  }

  /** Addresses that open for some minutes, as those of the console. */
  private async photographsOf(projectId: string, reportId: string, report: unknown): Promise<unknown> {
    const { data } = Report.pick({ slots: true }).safeParse(report);
    const photographs = [];
    for (const { slot_id: slot, asset } of data?.slots ?? []) {
      if (!asset) continue;
      const signed = await unlessGone(this.ledger.signImage({ projectId, reportId, assetId: asset.asset_id }));
      photographs.push({ slot_id: slot, asset_id: asset.asset_id, url: signed?.url ?? null, valid_until: signed?.expiresAt ?? null });
    }
    return photographs.length > 0 ? photographs : null;
  }

  private ownOf(projectId: string, reportId: string): Promise<Files> {
    const { sealingKeys } = this.settings;
    return this.database.withProject(projectId, async (tx) => {
      const visit = await findVisit(tx, projectId, reportId);
      const messages = await listMessages(tx, projectId, reportId);
      const reminders = await listReminders(tx, projectId, reportId);
      return {
        'customer.json': visit && { ...openDetails(sealingKeys, projectId, visit), consent: consentOf(visit), advisor: visit.advisorName },
        'messages.json':
          messages.length > 0
            ? messages.map(({ receiver, ...message }) => ({
                ...message,
                receiver: receiver && openReceiver(sealingKeys, message.messageId, receiver),
              }))
            : null,
        'reminders.json': reminders.length > 0 ? reminders : null,
      };
    });
  }
}

const consentOf = ({
  consentVersion: version,
  consentLanguage: language,
  consentAt: at,
}: NonNullable<Awaited<ReturnType<typeof findVisit>>>) => at && { version, language, at };

/** Null for what went meanwhile, or never was. */
async function unlessGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && GONE.has(error.code)) return null;
    throw error;
  }
}
