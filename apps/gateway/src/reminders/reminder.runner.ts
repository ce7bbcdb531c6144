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
import { findReceiver, mayAddMessage, RESERVE_OF_MEMBERS } from '../messages/receivers';
import { ReportFacts, type ShopFacts } from '../messages/report-facts';
import { TemplatesService } from '../messages/templates.service';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { findVisit, openDetails } from '../visits/visits.store';
import { RemindersService, USUAL_ZONE } from './reminders.service';
import { claimReminders, endReminders, lockPlanned, markSent, postponeReminder, reopenUnsent, type DueReminder } from './reminders.store';
import { STOP_PATH } from './stop-page';

const LOOK_EVERY_MS = 60_000;
const AT_ONCE = 20;
/** Longer than one takes. */
const LEASE_MS = 600_000;
const AGAIN_AFTER_MS = 3_600_000;
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

  constructor(
    private readonly database: Database,
    private readonly messages: Messages,
    private readonly templates: TemplatesService,
    private readonly facts: ReportFacts,
    private readonly reminders: RemindersService,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.looking.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.looking.stop();
  }

  async sendDue(): Promise<void> {
    const began = this.clock.now();
    await reopenUnsent(this.database, began, new Date(began.getTime() - AGAIN_AFTER_MS), AT_ONCE);
    for (;;) {
      const now = this.clock.now();
      const due = await claimReminders(this.database, now, new Date(now.getTime() + LEASE_MS), AT_ONCE);
      for (const reminder of due) {
        await this.send(reminder).catch((error: unknown) =>
          this.log.warn({ err: error, reminder_id: reminder.reminderId }, 'A reminder was not sent. It is tried again after the lease.'),
        );
      }
      if (due.length < AT_ONCE) return;
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
    const facts = await this.facts.ofShop(projectId, reportId);
    const receiver = await this.receiverOf(reminder);
    const digest = receiver === null ? null : await this.reminders.digestOf(projectId, receiver);
    const isDecided = await this.database.withProject(projectId, (tx) => this.decide(tx, reminder, facts, receiver, digest));
    if (!isDecided) await this.again(reminder, now);
  }

  /** False: it has to be tried again. */
  private async decide(tx: Tx, reminder: DueReminder, facts: ShopFacts, receiver: string | null, digest: Buffer | null): Promise<boolean> {
    const { reminderId, projectId, reportId, channel, language } = reminder;
    const now = this.clock.now();
    await tx.rows('SELECT FROM visits WHERE project_id = $1 AND report_id = $2 FOR UPDATE', [projectId, reportId]);
    const visit = await findVisit(tx, projectId, reportId);
    if (!visit || !(await lockPlanned(tx, reminderId))) return true;
    const end = (because: EndCause) => endReminders(tx, projectId, reportId, { state: 'dropped', because, only: reminderId }, now);
    if (!visit.consentAt) return (await end('consent')) > 0;
    const details = openDetails(this.settings.sealingKeys, projectId, visit);
    const to = findReceiver(details, channel);
    if (to === null) return (await end('address')) > 0;
    if (to !== receiver || digest === null) return false;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const stopUrl = `${this.settings.origin}/${STOP_PATH}/${token}`;
    const template = await this.templates.one(tx, projectId, { purpose: `reminder_${channel}`, language });
    const { plate, shop, shopPhone } = facts;
    const content = rendered(template, { name: details.name, shop, shop_phone: shopPhone, plate, stop: stopUrl }, language);
    if (channel === 'sms' && smsBytes(content.text) > SMS_BYTES.max) return false;
    if (!(await mayAddMessage(tx, projectId, digest, now, RESERVE_OF_MEMBERS))) return false;
    const expiresAt = sendableUntil(reminder.timeZone ?? USUAL_ZONE, now);
    const messageId = await this.messages.add(tx, {
      owner: projectId,
      projectId,
      reportId,
      kind: 'reminder',
      channel,
      to,
      ...content,
      stopUrl,
      expiresAt,
    });
    await markSent(tx, reminderId, { receiverDigest: digest, stopDigest: digestOf(token), messageId }, now);
    return true;
  }

  private receiverOf({ projectId, reportId, channel }: DueReminder): Promise<string | null> {
    return this.database.withProject(projectId, async (tx) => {
      const visit = await findVisit(tx, projectId, reportId);
      return visit && findReceiver(openDetails(this.settings.sealingKeys, projectId, visit), channel);
    });
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
