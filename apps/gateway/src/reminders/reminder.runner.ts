import type { ledgerApi } from '@tire/contracts/grpc';
import { SMS_BYTES, smsBytes } from '@tire/contracts/limits';
import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database, LEDGER, logger, periodicTask, type PromiseClient, type Tx } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { rendered } from '../domain/message-template';
import { isLate, sendableAt, sendableUntil, type EndCause } from '../domain/reminder';
import { digestOf } from '../identity/secrets';
import { Messages } from '../messages/messages';
import { hasQueuedMessage } from '../messages/messages.store';
import { findReceiver, mayAddMessage, RESERVE_OF_MEMBERS } from '../messages/receivers';
import { ReportFacts, type ShopFacts } from '../messages/report-facts';
import { TemplatesService } from '../messages/templates.service';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { findVisit, openDetails } from '../visits/visits.store';
import { CHANNELS, RemindersService, USUAL_ZONE, type Customer } from './reminders.service';
import { claimReminders, endReminders, lockPlanned, markSent, postponeReminder, reopenUnsent, type DueReminder } from './reminders.store';
import { STOP_PATH } from './stop-page';
import { findStop, forgetStopLinks, insertStopLink } from './stops.store';
import { WearEstimate } from './wear-estimate';

const LOOK_EVERY_MS = 60_000;
const AT_ONCE = 20;
/** Longer than the decisions about all reminders of one claim take. */
const LEASE_MS = 600_000;
const AGAIN_AFTER_MS = 3_600_000;
const DAY_MS = 86_400_000;
const REOPENED_FOR_MS = 31 * DAY_MS;
/** A link in a message stops reminders for two years. */
const LINK_KEPT_FOR_MS = 730 * DAY_MS;
const FORGET_AT_ONCE = 1_000;
/** Reports that a visit needs are not a later inspection. */
const SAME_VISIT_MS = DAY_MS;
/** 128 random bits: short enough for a text message. */
const TOKEN_BYTES = 16;
const GONE: ReadonlySet<string> = new Set(['not_found', 'report_discarded', 'report_purge_pending']);

/**
 * Puts due reminders into the outbox. Each is decided in one transaction, which writes its message and ends it: a process that dies leaves it
 * planned, and another one takes it after the lease. One whose message was not taken by any provider is planned again, for a month.
 */
@Injectable()
export class ReminderRunner implements OnModuleInit, OnApplicationShutdown {
  private readonly log = logger('reminders');
  private readonly looking = periodicTask(LOOK_EVERY_MS, () => this.sendDue(), this.log);

  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly messages: Messages,
    private readonly templates: TemplatesService,
    private readonly facts: ReportFacts,
    private readonly reminders: RemindersService,
    private readonly wear: WearEstimate,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.looking.start();
  }

  onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    return this.looking.stop();
  }

  async sendDue(): Promise<void> {
    const began = this.clock.now();
    const [since, before] = [new Date(began.getTime() - REOPENED_FOR_MS), new Date(began.getTime() - LINK_KEPT_FOR_MS)];
    while ((await reopenUnsent(this.database, since, AT_ONCE, began, USUAL_ZONE)) === AT_ONCE);
    await forgetStopLinks(this.database, before, FORGET_AT_ONCE);
    while (!this.isStopping) {
      const now = this.clock.now();
      const due = await claimReminders(this.database, now, new Date(now.getTime() + LEASE_MS), AT_ONCE);
      for (const reminder of due) if (this.isStopping || !(await this.tried(reminder))) return;
      if (due.length < AT_ONCE) return;
    }
  }

  /** False where another service is away: the others would fail too. */
  private async tried(reminder: DueReminder): Promise<boolean> {
    try {
      await this.send(reminder);
      return true;
    } catch (error) {
      this.log.warn({ err: error, reminder_id: reminder.reminderId }, 'A reminder was not sent. It is tried again after the lease.');
      return !(error instanceof DomainError && error.code === 'service_unavailable');
    }
  }

  private async send(reminder: DueReminder): Promise<void> {
    const { projectId, reportId } = reminder;
    const now = this.clock.now();
    if (isLate(reminder.dueAt, now)) return this.drop(reminder, 'late');
    const at = sendableAt(reminder.timeZone ?? USUAL_ZONE, now);
    if (at > now) return void (await postponeReminder(this.database, reminder, at));
    if (!this.messages.has(reminder.channel)) return this.again(reminder, now);
    if (await this.isGone(projectId, reportId)) return this.drop(reminder, 'report');
    if (await this.wear.isInspectedAfter(projectId, reportId, new Date(reminder.consentAt.getTime() + SAME_VISIT_MS)))
      return this.drop(reminder, 'inspected');
    const [facts, customer] = await Promise.all([this.facts.ofShop(projectId, reportId), this.reminders.customerOf(projectId, reportId)]);
    const isDecided = await this.database.withProject(projectId, (tx) => this.decide(tx, reminder, facts, customer));
    if (!isDecided) await this.again(reminder, now);
  }

  /** False: it has to be tried again. */
  private async decide(tx: Tx, reminder: DueReminder, facts: ShopFacts, customer: Customer): Promise<boolean> {
    const { reminderId, projectId, reportId, channel, receiverDigest, consentAt } = reminder;
    const now = this.clock.now();
    await tx.rows('SELECT FROM visits WHERE project_id = $1 AND report_id = $2 FOR UPDATE', [projectId, reportId]);
    const visit = await findVisit(tx, projectId, reportId);
    if (!visit || !(await lockPlanned(tx, reminderId))) return true;
    const end = async (because: EndCause, state: 'stopped' | 'dropped' = 'dropped') =>
      (await endReminders(tx, projectId, reportId, { state, because, only: reminderId }, now)) > 0;
    if (!visit.consentAt) return end('consent');
    const details = openDetails(this.settings.sealingKeys, projectId, visit);
    const to = findReceiver(details, channel);
    if (CHANNELS.some((each) => findReceiver(details, each) !== customer.receivers[each])) return false;
    if (to === null || !customer.digests[channel]?.equals(receiverDigest)) return end('address');
    const stoppedAt = await findStop(tx, projectId, receiverDigest);
    if (stoppedAt && stoppedAt >= consentAt) return end('receiver', 'stopped');
    if (await hasQueuedMessage(tx, projectId, reportId, 'reminder', channel)) return false;
    return this.write(tx, reminder, facts, { to, name: details.name, digests: Object.values(customer.digests) });
  }

  private async write(
    tx: Tx,
    { reminderId, projectId, reportId, channel, language, receiverDigest, timeZone }: DueReminder,
    facts: ShopFacts,
    { to, name, digests }: { readonly to: string; readonly name: string | null; readonly digests: readonly (Buffer | null)[] },
  ): Promise<boolean> {
    const now = this.clock.now();
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const stopUrl = `${this.settings.origin}/${STOP_PATH}/${token}`;
    const template = await this.templates.one(tx, projectId, { purpose: `reminder_${channel}`, language });
    const content = rendered(template, { name, ...facts, stop: stopUrl }, language);
    // The text is older than the limit, or the limit was lowered. Another attempt would have the same.
    if (channel === 'sms' && smsBytes(content.text) > SMS_BYTES.max)
      return (await endReminders(tx, projectId, reportId, { state: 'dropped', because: 'text', only: reminderId }, now)) > 0;
    if (!(await mayAddMessage(tx, projectId, receiverDigest, now, RESERVE_OF_MEMBERS))) return false;
    const expiresAt = sendableUntil(timeZone ?? USUAL_ZONE, now);
    const messageId = await this.messages.add(tx, {
      ...{ owner: projectId, projectId, reportId, kind: 'reminder', channel, to },
      ...content,
      ...{ stopUrl, expiresAt },
    });
    await insertStopLink(tx, { stopDigest: digestOf(token), projectId, receiverDigests: digests.filter((each) => each !== null) }, now);
    await markSent(tx, reminderId, messageId, now);
    return true;
  }

  private async drop({ reminderId, projectId, reportId }: DueReminder, because: EndCause): Promise<void> {
    const now = this.clock.now();
    await this.database.withProject(projectId, (tx) =>
      endReminders(tx, projectId, reportId, { state: 'dropped', because, only: reminderId }, now),
    );
  }

  private async again(reminder: DueReminder, now: Date): Promise<void> {
    await postponeReminder(this.database, reminder, new Date(now.getTime() + AGAIN_AFTER_MS));
  }

  private async isGone(projectId: string, reportId: string): Promise<boolean> {
    try {
      await this.ledger.getMutability({ projectId, reportId });
      return false;
    } catch (error) {
      if (error instanceof DomainError && GONE.has(error.code)) return true;
      throw error;
    }
  }
}
