import type { KeptCount } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, firstIdAt, isUuid, type Clock } from '@tire/kernel';
import { Database, LEDGER, logger, periodicTask, PUBLIC_API_URL, type PromiseClient } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { recordChange } from '../audit/audit.store';
import { signed, stayingAfter, summed } from '../domain/certificate';
import { LOG_DAYS } from '../domain/log-slots';
import { ErasedFiles, forgetFiles } from '../exports/erased-files';
import { findProject } from '../projects/project.store';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { BACKUP_DAYS } from '../tokens';
import { PhoneDigests } from '../visits/phone-digests';
import {
  addReports,
  beginRemoval,
  claimErasure,
  countOwn,
  endUnconfirmed,
  findExpired,
  finishErasure,
  openSubject,
  postpone,
  removeLoggedRequests,
  removeOwn,
  reportsOfErasure,
  saveCounted,
  setReport,
  type ErasureReport,
  type ErasureRow,
} from './erasures.store';
import { SubjectFinder, type Subject } from './subject.finder';

const LOOK_EVERY_MS = 10_000;
/** Longer than the steps of one report take at most. It is renewed before each report, and before each portion that is counted or looked through. */
const LEASE_MS = 120_000;
const AGAIN_AFTER_MS = 30_000;
const REMOVAL_DEADLINE_MS = 30_000;
const COUNTED_AT_ONCE = 50;
const DAY_MS = 86_400_000;
const UNCONFIRMED_MS = 7 * DAY_MS;
const EXPIRED_AT_ONCE = 100;

export const CERTIFICATE_KEY = 'erasures.certificate';

/**
 * Counts what an erasure would remove, and removes it when it is confirmed. Each step can be repeated: a process that dies between any two
 * leaves the erasure to another one, after the lease. A service that is away delays it; it never gives up.
 */
@Injectable()
export class ErasureRunner implements OnModuleInit, OnApplicationShutdown {
  private readonly log = logger('erasures');
  private readonly looking = periodicTask(LOOK_EVERY_MS, () => this.look(), this.log);
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly finder: SubjectFinder,
    private readonly digests: PhoneDigests,
    private readonly files: ErasedFiles,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'sealingKeys'>,
    @Inject(PUBLIC_API_URL) private readonly publicApiUrl: string,
    @Inject(BACKUP_DAYS) private readonly backupDays: number,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.looking.start();
  }

  onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    return this.looking.stop();
  }

  /** A request looks at once. */
  nudge(): void {
    this.looking.nudge();
  }

  async look(): Promise<void> {
    // The key is there before the first certificate, so that each backup since then can check certificates.
    await this.digests.keyOf(CERTIFICATE_KEY);
    await this.endExpired();
    while (!this.isStopping) {
      const now = this.clock.now();
      const erasure = await claimErasure(this.database, now, new Date(now.getTime() + LEASE_MS));
      if (!erasure) return;
      await this.tried(erasure);
    }
  }

  private async tried(erasure: ErasureRow): Promise<void> {
    try {
      if (erasure.state === 'counting') await this.count(erasure);
      else await this.erase(erasure);
    } catch (error) {
      if (erasure.state === 'counting' && error instanceof DomainError && error.code === 'conflict') {
        const { projectId, erasureId } = erasure;
        await this.database.withProject(projectId, (tx) => endUnconfirmed(tx, erasureId, 'refused', this.clock.now()));
        return;
      }
      this.log.warn({ err: error, erasure_id: erasure.erasureId }, 'An erasure did not come to its end. It goes on later.');
      await postpone(this.database, erasure, new Date(this.clock.now().getTime() + AGAIN_AFTER_MS));
    }
  }

  private async endExpired(): Promise<void> {
    const now = this.clock.now();
    const expired = await findExpired(this.database, new Date(now.getTime() - UNCONFIRMED_MS), EXPIRED_AT_ONCE);
    for (const { projectId, erasureId } of expired)
      await this.database.withProject(projectId, (tx) => endUnconfirmed(tx, erasureId, 'cancelled', now));
  }

  private async count(erasure: ErasureRow): Promise<void> {
    const { projectId } = erasure;
    const reportIds = await this.finder.reportIds(projectId, this.subjectOf(erasure)!, () => this.renew(erasure));
    const { counts, published, held } = await this.keptOf(erasure, reportIds);
    const files = { store: 'gateway', what: 'export_files', count: await this.files.count(projectId) };
    const preview = {
      reports: reportIds.length,
      published,
      held: held.length,
      counts: summed([...counts, files]),
      counted_at: this.clock.now().toISOString(),
    };
    await this.database.withProject(projectId, (tx) => saveCounted(tx, erasure, reportIds, preview));
  }

  /** Reports that came since the count are removed too: what is found at last are none, or held ones. */
  private async erase(erasure: ErasureRow): Promise<void> {
    const { projectId, erasureId } = erasure;
    const subject = this.subjectOf(erasure);
    for (;;) {
      for (const report of await this.reportsOf(erasure)) {
        if (this.isStopping) return void (await postpone(this.database, erasure, this.clock.now()));
        await this.remove(erasure, report);
      }
      if (!subject) break;
      const found = await this.finder.reportIds(projectId, subject, () => this.renew(erasure));
      if ((await this.database.withProject(projectId, (tx) => addReports(tx, projectId, erasureId, found))) === 0) break;
    }
    if (subject) await this.forgetNames(projectId, subject);
    await this.renew(erasure);
    await this.files.removeObjects(projectId, erasureId);
    await this.finish(erasure, await this.reportsOf(erasure));
  }

  private async remove(erasure: ErasureRow, { reportId, state }: ErasureReport): Promise<void> {
    if (state === 'removed' || state === 'held') return;
    const { projectId, erasureId } = erasure;
    await this.renew(erasure);
    const asHeld = () => this.database.withProject(projectId, (tx) => setReport(tx, erasureId, reportId, 'held'));
    if (state === 'found') {
      const { counts, held } = await this.keptOf(erasure, [reportId]);
      if (held.length > 0) return void (await asHeld());
      await this.database.withProject(projectId, (tx) => beginRemoval(tx, erasureId, reportId, summed(counts)));
    }
    try {
      await this.ledger.eraseReport({ projectId, reportId }, { deadlineMs: REMOVAL_DEADLINE_MS });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'conflict' && error.param === 'legal_hold') return void (await asHeld());
      throw error;
    }
    await this.database.withProject(projectId, async (tx) => {
      await removeOwn(tx, projectId, reportId);
      await setReport(tx, erasureId, reportId, 'removed');
    });
  }

  private async finish(erasure: ErasureRow, reports: readonly ErasureReport[]): Promise<void> {
    const { projectId, erasureId, kind, subjectDigest, requestedAt, requestedByEmail, confirmedAt, confirmedBy, confirmedByEmail, reason } =
      erasure;
    const actor = confirmedBy && confirmedByEmail ? { userId: confirmedBy, email: confirmedByEmail, address: '' } : null;
    const idsOf = (state: ErasureReport['state']) => reports.filter((report) => report.state === state).map(({ reportId }) => reportId);
    const [removed, held] = [idsOf('removed'), idsOf('held')];
    const remaining = await this.remainingOf(erasure, removed, held);
    const key = await this.digests.keyOf(CERTIFICATE_KEY);
    await this.database.asSystem(async (tx) => {
      const now = this.clock.now();
      let lines = 0;
      for (let day = -1; day <= LOG_DAYS; day++)
        lines += await removeLoggedRequests(tx, projectId, removed, {
          from: firstIdAt(now.getTime() - (day + 1) * DAY_MS),
          before: firstIdAt(now.getTime() - day * DAY_MS),
        });
      const certificate = signed(key, {
        version: '1',
        erasure_id: erasureId,
        project_id: projectId,
        service: new URL(this.publicApiUrl).origin,
        subject: { kind, digest: subjectDigest.toString('hex') },
        requested_at: requestedAt.toISOString(),
        requested_by: requestedByEmail ?? 'operator',
        confirmed_at: (confirmedAt ?? now).toISOString(),
        confirmed_by: confirmedByEmail ?? 'operator',
        reason: reason ?? '',
        ended_at: now.toISOString(),
        removed: summed([
          ...reports.flatMap(({ counts }) => counts ?? []),
          { store: 'gateway', what: 'request_log_lines', count: lines },
          { store: 'gateway', what: 'export_files', count: await forgetFiles(tx, projectId, erasureId, now) },
        ]),
        report_ids: removed,
        held_report_ids: held,
        remaining,
        stays: stayingAfter(now, this.backupDays, held.length),
      });
      if ((await finishErasure(tx, erasureId, certificate, now)) === 0) return;
      const { organizationId } = (await findProject(tx, projectId))!;
      const details = { reports: String(removed.length), held: String(held.length) };
      await recordChange(tx, organizationId, actor, { action: 'erasure.done', projectId, subject: erasureId, details }, now);
    });
    this.log.info({ erasure_id: erasureId, removed: removed.length, held: held.length }, 'An erasure has ended');
  }

  /** A request that had read the report before its removal may have written its customer afterwards: that goes too. Held reports stay, and are counted. */
  private async remainingOf(erasure: ErasureRow, removed: readonly string[], held: readonly string[]): Promise<KeptCount[]> {
    const { projectId } = erasure;
    const late = await this.database.withProject(projectId, (tx) => countOwn(tx, projectId, removed));
    if (late.some(({ count }) => count > 0))
      for (const reportId of removed) await this.database.withProject(projectId, (tx) => removeOwn(tx, projectId, reportId));
    return summed((await this.keptOf(erasure, [...removed, ...held])).counts);
  }

  /** Of many reports it takes longer than a lease. */
  private async keptOf(erasure: ErasureRow, reportIds: readonly string[]) {
    const { projectId } = erasure;
    const counts: KeptCount[] = [];
    const held: string[] = [];
    let published = 0;
    for (let at = 0; at < reportIds.length; at += COUNTED_AT_ONCE) {
      const ids = reportIds.slice(at, at + COUNTED_AT_ONCE);
      await this.renew(erasure);
      const kept = await this.ledger.countReportData({ projectId, reportIds: ids }, { deadlineMs: REMOVAL_DEADLINE_MS });
      counts.push(...kept.counts, ...(await this.database.withProject(projectId, (tx) => countOwn(tx, projectId, ids))));
      held.push(...kept.heldReportIds);
      published += kept.published;
    }
    return { counts, held, published };
  }

  /** Names that no report has any more, as a plate that a split gave to a vehicle without reports. */
  private async forgetNames(projectId: string, { kind, value }: Subject): Promise<void> {
    if (kind === 'plate' || kind === 'vin') await this.ledger.forgetVehicleNames({ projectId, kind, value });
    if (kind === 'vehicle' && !isUuid(value)) await this.ledger.forgetVehicleNames({ projectId, kind: 'own', value });
  }

  private subjectOf(erasure: ErasureRow): Subject | null {
    const value = openSubject(this.settings.sealingKeys, erasure);
    return value === null ? null : { kind: erasure.kind, value };
  }

  private reportsOf({ projectId, erasureId }: ErasureRow): Promise<ErasureReport[]> {
    return this.database.withProject(projectId, (tx) => reportsOfErasure(tx, erasureId));
  }

  private renew(erasure: ErasureRow): Promise<unknown> {
    return postpone(this.database, erasure, new Date(this.clock.now().getTime() + LEASE_MS));
  }
}
