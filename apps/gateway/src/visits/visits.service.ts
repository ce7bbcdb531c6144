import {
  PERMISSIONS_OF,
  type ChangeVisitRequest,
  type Visit,
  type VisitAnswer,
  type VisitDetails,
  type VisitList,
} from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { CONSENT_TEXTS, HELD_REPORTS_MAX } from '@tire/contracts/limits';
import { CLOCK, DomainError, faulty, type Clock } from '@tire/kernel';
import { Database, LEDGER, turnDeadline, type PromiseClient, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordChange, type AuditedChange } from '../audit/audit.store';
import { maskedEmail, maskedName, maskedPhone } from '../domain/masking';
import { normalizedPhone } from '../domain/phone';
import type { ProjectMember } from '../edge/callers';
import { findReceiver } from '../messages/receivers';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { endReminders } from '../reminders/reminders.store';
import { PhoneDigests } from './phone-digests';
import {
  deleteVisit,
  findVisit,
  findVisits,
  findVisitsByPhone,
  forgetReceivers,
  isMemberById,
  listAdvisors,
  lockVisit,
  openDetails,
  sealDetails,
  stopMessages,
  storeConsent,
  storeVisit,
  type VisitRow,
} from './visits.store';

const CHANNELS = ['email', 'sms'] as const;
const ADVISORS_MAX = 200;
const CHECK_AFTER_MS = 3_600_000;

/** The customers of reports. Their names, numbers and addresses stay in this database, sealed: no other service, event or log has them. */
@Injectable()
export class VisitsService {
  constructor(
    private readonly database: Database,
    private readonly digests: PhoneDigests,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async one(caller: ProjectMember, reportId: string): Promise<VisitAnswer> {
    const answer = await this.database.withProject(caller.projectId, (tx) => this.answer(tx, caller, reportId));
    if (!answer.visit) await this.requireReport(caller.projectId, reportId);
    return answer;
  }

  async change(caller: ProjectMember, reportId: string, request: ChangeVisitRequest): Promise<VisitAnswer> {
    const { projectId, organizationId } = caller;
    const changed = changedFields(request);
    await this.requireReport(projectId, reportId);
    const phoneDigest = typeof changed.phone === 'string' ? await this.digests.of(projectId, requirePhone(changed.phone)) : changed.phone;
    const work = async (tx: Tx): Promise<VisitAnswer> => {
      const now = this.clock.now();
      const { sealingKeys } = this.settings;
      const row = await lockVisit(tx, sealingKeys, projectId, reportId, now, new Date(now.getTime() + CHECK_AFTER_MS));
      const { advisor_id: wanted } = request;
      if (wanted && wanted !== row.advisorId && !(await isMemberById(tx, organizationId, wanted)))
        throw faulty('advisor_id', 'The advisor must be a member of the organization.');
      const advisorId = wanted === undefined ? row.advisorId : wanted;
      const before = openDetails(sealingKeys, projectId, row);
      const details = sealDetails(sealingKeys, projectId, reportId, { ...before, ...changed });
      const fields = [...Object.keys(changed), ...(advisorId === row.advisorId ? [] : ['advisor'])];
      if (fields.length > 0) {
        await storeVisit(tx, projectId, reportId, { details, phoneDigest, advisorId }, now);
        await this.endOfOthers(tx, projectId, reportId, before, { ...before, ...changed });
        await this.record(tx, caller, reportId, { action: 'visit.changed', details: { fields: fields.join(' ') } });
      }
      if (request.consent !== undefined) await this.changeConsent(tx, caller, row, request.consent);
      return this.answer(tx, caller, reportId);
    };
    return this.database.withRecord(projectId, reportId, work, turnDeadline());
  }

  /** Whoever reads the whole values is in the audit log, before the values are sent. */
  show(caller: ProjectMember, reportId: string): Promise<VisitDetails> {
    return this.database.withProject(caller.projectId, async (tx) => {
      const row = await findVisit(tx, caller.projectId, reportId);
      if (!row) throw new DomainError('not_found');
      await this.record(tx, caller, reportId, { action: 'visit.shown' });
      return openDetails(this.settings.sealingKeys, caller.projectId, row);
    });
  }

  /** The unmasked details. The caller has checked the role and has written an entry to the audit log. */
  async detailsOf(projectId: string, reportIds: readonly string[]): Promise<ReadonlyMap<string, VisitDetails>> {
    const rows = await this.database.withProject(projectId, (tx) => findVisits(tx, projectId, reportIds));
    return new Map(rows.map((row) => [row.reportId, openDetails(this.settings.sealingKeys, projectId, row)]));
  }

  async remove(caller: ProjectMember, reportId: string): Promise<void> {
    const { reports } = await this.ledger.listHeldReports({ projectId: caller.projectId, reportId, limit: HELD_REPORTS_MAX });
    // An older ledger answers with others too.
    if (reports.some((held) => held.reportId === reportId))
      throw new DomainError('conflict', { param: 'legal_hold', message: 'The report is under legal hold.' });
    const isRemoved = await this.database.withProject(caller.projectId, async (tx) => {
      const removed = await deleteVisit(tx, caller.projectId, reportId, this.clock.now());
      if (removed) await this.record(tx, caller, reportId, { action: 'visit.removed' });
      return removed;
    });
    if (!isRemoved) await this.requireReport(caller.projectId, reportId);
  }

  async search({ projectId }: ProjectMember, written: string): Promise<VisitList> {
    const digest = await this.digests.of(projectId, requirePhone(written));
    const rows = await this.database.withProject(projectId, (tx) => findVisitsByPhone(tx, projectId, digest));
    return { visits: rows.map((row) => this.shown(projectId, row)) };
  }

  private async changeConsent(tx: Tx, caller: ProjectMember, row: VisitRow, consent: ChangeVisitRequest['consent']): Promise<void> {
    const { projectId, actor } = caller;
    const now = this.clock.now();
    if (consent) {
      await storeConsent(tx, projectId, row.reportId, { ...consent, by: actor.userId }, now);
      await this.record(tx, caller, row.reportId, { action: 'visit.consent_recorded', details: { ...consent } });
    } else if (row.consentAt) {
      await storeConsent(tx, projectId, row.reportId, null, now);
      await endReminders(tx, projectId, row.reportId, { state: 'stopped', because: 'consent' }, now);
      await stopMessages(tx, projectId, row.reportId, now);
      await this.record(tx, caller, row.reportId, { action: 'visit.consent_withdrawn' });
    }
  }

  /** The consent is that of the person with the former address or number, of whom nothing stays here. Reminders are locked before messages, as everywhere. */
  private async endOfOthers(tx: Tx, projectId: string, reportId: string, before: VisitDetails, after: VisitDetails): Promise<void> {
    const now = this.clock.now();
    for (const channel of CHANNELS) {
      if (findReceiver(before, channel) === findReceiver(after, channel)) continue;
      await endReminders(tx, projectId, reportId, { state: 'dropped', because: 'address', channel }, now);
      await forgetReceivers(tx, projectId, reportId, now, channel);
    }
  }

  private async answer(tx: Tx, { projectId, organizationId, role }: ProjectMember, reportId: string): Promise<VisitAnswer> {
    const row = await findVisit(tx, projectId, reportId);
    const advisors = PERMISSIONS_OF[role].includes('customers.manage') ? await listAdvisors(tx, organizationId, ADVISORS_MAX) : [];
    return {
      visit: row && this.shown(projectId, row),
      advisors: advisors.map(({ userId, name }) => ({ user_id: userId, name })),
    };
  }

  private shown(projectId: string, row: VisitRow): Visit {
    const { name, phone, email, note } = openDetails(this.settings.sealingKeys, projectId, row);
    const { consentVersion: version, consentLanguage: language, consentAt: at } = row;
    return {
      report_id: row.reportId,
      name: name && maskedName(name),
      phone: phone && maskedPhone(phone),
      email: email && maskedEmail(email),
      has_note: note !== null,
      advisor: row.advisorId && row.advisorName ? { user_id: row.advisorId, name: row.advisorName } : null,
      consent:
        version && at
          ? {
              version: version as keyof typeof CONSENT_TEXTS,
              language: language === 'en' ? 'en' : 'ko',
              at: at.toISOString(),
              recorded_by: row.consentBy,
            }
          : null,
      updated_at: row.updatedAt.toISOString(),
    };
  }

  private requireReport(projectId: string, reportId: string): Promise<unknown> {
    return this.ledger.getMutability({ projectId, reportId });
  }

  private record(tx: Tx, caller: ProjectMember, reportId: string, change: Pick<AuditedChange, 'action' | 'details'>): Promise<number> {
    const { organizationId, actor, projectId } = caller;
    return recordChange(tx, organizationId, actor, { ...change, projectId, subject: reportId }, this.clock.now());
  }
}

/** Only the given ones. Empty text is none. */
function changedFields({ name, phone, email, note }: ChangeVisitRequest): Partial<VisitDetails> {
  const given = Object.entries({ name, phone, email, note }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([field, value]) => [field, value?.trim() || null]));
}

function requirePhone(written: string): string {
  const phone = normalizedPhone(written);
  if (phone === null) throw faulty('phone', 'is no phone number.');
  return phone;
}
