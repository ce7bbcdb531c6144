import { type PlanReminderRequest, Reminder, type ReminderList } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, dayIn, DomainError, newId, type Clock } from '@tire/kernel';
import { Database, LEDGER, type PromiseClient, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordChange } from '../audit/audit.store';
import { dueAt, sixMonthsAfter } from '../domain/reminder';
import type { ProjectMember } from '../edge/callers';
import type { Channel } from '../messages/carrier';
import { Messages } from '../messages/messages';
import { findReceiver, receiverOf } from '../messages/receivers';
import { missing } from '../messages/report-facts';
import { DEFAULT_TIME_ZONE } from '../projects/project.store';
import { ProjectsService } from '../projects/projects.service';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { PhoneDigests } from '../visits/phone-digests';
import { findVisit, openDetails } from '../visits/visits.store';
import { endReminders, insertReminder, isSentReminder, listReminders, type ReminderRow } from './reminders.store';
import { findStop } from './stops.store';
import { WearEstimate } from './wear-estimate';

export const USUAL_ZONE = DEFAULT_TIME_ZONE;

export const CHANNELS = ['email', 'sms'] as const;

/** How the customer of a report is reached. */
export interface Customer {
  readonly receivers: Readonly<Record<Channel, string | null>>;
  readonly digests: Readonly<Record<Channel, Buffer | null>>;
}

/** Reminders to which customers agreed. They are sent by the runner. */
@Injectable()
export class RemindersService {
  constructor(
    private readonly database: Database,
    private readonly messages: Messages,
    private readonly digests: PhoneDigests,
    private readonly projects: ProjectsService,
    private readonly wear: WearEstimate,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(projectId: string, reportId: string): Promise<ReminderList> {
    const { digests } = await this.customerOf(projectId, reportId);
    const { rows, stops } = await this.database.withProject(projectId, async (tx) => {
      const rows = await listReminders(tx, projectId, reportId);
      const stops: ReminderList['stops'] = [];
      for (const channel of CHANNELS) {
        const at = digests[channel] && (await findStop(tx, projectId, digests[channel]));
        if (at) stops.push({ channel, at: at.toISOString() });
      }
      return { rows, stops };
    });
    if (rows.length === 0) await this.requireReport(projectId, reportId);
    return { reminders: rows.map(shown), stops };
  }

  async plan(caller: ProjectMember, reportId: string, request: PlanReminderRequest): Promise<Reminder> {
    const { projectId } = caller;
    const { channel, reason } = request;
    await this.requireReport(projectId, reportId);
    if (!this.messages.has(channel)) throw missing('channel', 'This installation has no provider for such messages.');
    const to = await this.receiver(projectId, reportId, channel);
    const [receiverDigest, due] = await Promise.all([this.digestOf(projectId, to), this.dueOf(projectId, reportId, reason)]);
    return this.database.withProject(projectId, (tx) => this.add(tx, caller, reportId, request, { to, receiverDigest, due }));
  }

  async stop(caller: ProjectMember, reportId: string, reminderId: string): Promise<void> {
    const { projectId } = caller;
    const ended = await this.database.withProject(projectId, async (tx) => {
      const end = { state: 'stopped', because: 'shop', only: reminderId } as const;
      const count = await endReminders(tx, projectId, reportId, end, this.clock.now());
      if (count > 0) await this.record(tx, caller, reportId, 'reminder.stopped', {});
      else if (await isSentReminder(tx, projectId, reportId, reminderId))
        throw new DomainError('conflict', { param: 'reminder', message: 'The reminder was sent.' });
      return count;
    });
    if (ended === 0) await this.requireReport(projectId, reportId);
  }

  /** Outside a transaction, because the key of the digests may have to be read. */
  async customerOf(projectId: string, reportId: string): Promise<Customer> {
    const visit = await this.database.withProject(projectId, (tx) => findVisit(tx, projectId, reportId));
    const details = visit && openDetails(this.settings.sealingKeys, projectId, visit);
    const of = async (channel: Channel) => {
      const receiver = details && findReceiver(details, channel);
      return { receiver, digest: receiver === null ? null : await this.digestOf(projectId, receiver) };
    };
    const [email, sms] = await Promise.all([of('email'), of('sms')]);
    return { receivers: { email: email.receiver, sms: sms.receiver }, digests: { email: email.digest, sms: sms.digest } };
  }

  /** By which the reminders of one receiver are found. */
  private digestOf = (projectId: string, receiver: string): Promise<Buffer> => this.digests.ofReceiver(projectId, receiver);

  private requireReport(projectId: string, reportId: string): Promise<unknown> {
    return this.ledger.getMutability({ projectId, reportId });
  }

  private receiver(projectId: string, reportId: string, channel: PlanReminderRequest['channel']): Promise<string> {
    return this.database.withProject(projectId, async (tx) => {
      const visit = await findVisit(tx, projectId, reportId);
      if (!visit?.consentAt) throw missing('consent', 'The customer has not agreed to get messages.');
      return receiverOf(openDetails(this.settings.sealingKeys, projectId, visit), channel);
    });
  }

  private async dueOf(projectId: string, reportId: string, reason: PlanReminderRequest['reason']): Promise<Date> {
    const now = this.clock.now();
    const zone = (await this.projects.one(projectId)).time_zone ?? DEFAULT_TIME_ZONE;
    if (reason === 'six_months') return dueAt(zone, sixMonthsAfter(dayIn(zone, now)), now);
    const earliest = await this.wear.earliest(projectId, reportId);
    if (!earliest) throw missing('depth', 'There is no estimate of when 3.0 mm are reached.');
    return dueAt(zone, dayIn(zone, earliest), now);
  }

  /** The customer may have changed since the receiver was read. */
  private async add(
    tx: Tx,
    caller: ProjectMember,
    reportId: string,
    { channel, reason, consent }: PlanReminderRequest,
    { to, receiverDigest, due }: { to: string; receiverDigest: Buffer; due: Date },
  ): Promise<Reminder> {
    const { projectId, actor } = caller;
    const now = this.clock.now();
    await tx.rows('SELECT FROM visits WHERE project_id = $1 AND report_id = $2 FOR UPDATE', [projectId, reportId]);
    const visit = await findVisit(tx, projectId, reportId);
    if (!visit?.consentAt) throw missing('consent', 'The customer has not agreed to get messages.');
    if (receiverOf(openDetails(this.settings.sealingKeys, projectId, visit), channel) !== to)
      throw missing(channel === 'email' ? 'email' : 'phone', 'The customer was changed just now.');
    const reminderId = newId(now.getTime());
    const reminder = { reminderId, projectId, reportId, reason, channel, receiverDigest, dueAt: due };
    if (!(await insertReminder(tx, { ...reminder, consent: { ...consent, by: actor.userId } }, now)))
      throw missing('reminder', 'Such a reminder is planned already.');
    await this.record(tx, caller, reportId, 'reminder.planned', { channel, language: consent.language });
    const rows = await listReminders(tx, projectId, reportId);
    return shown(rows.find((row) => row.reminderId === reminderId)!);
  }

  private record(
    tx: Tx,
    { organizationId, actor, projectId }: ProjectMember,
    reportId: string,
    action: 'reminder.planned' | 'reminder.stopped',
    details: Record<string, string>,
  ): Promise<number> {
    return recordChange(tx, organizationId, actor, { action, projectId, subject: reportId, details }, this.clock.now());
  }
}

const shown = (row: ReminderRow): Reminder =>
  Reminder.parse({
    reminder_id: row.reminderId,
    reason: row.reason,
    channel: row.channel,
    state: row.state,
    because: row.because,
    is_queued: row.isQueued,
    due_at: row.dueAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    consent: {
      version: row.consentVersion,
      language: row.consentLanguage,
      at: row.consentAt.toISOString(),
      recorded_by: row.consentBy,
    },
  });
