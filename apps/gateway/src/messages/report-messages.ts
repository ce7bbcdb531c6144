import { type MessageList, SentMessage } from '@tire/contracts/console';
import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database, turnDeadline, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordChange } from '../audit/audit.store';
import { maskedEmail } from '../domain/masking';
import { rendered, type MessageLanguage } from '../domain/message-template';
import type { ProjectMember } from '../edge/callers';
import { takeAttemptIn } from '../identity/sessions/attempts.store';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { findVisit, openDetails } from '../visits/visits.store';
import { Messages } from './messages';
import { hasQueuedMessage, listMessages, openReceiver, type SentRow } from './messages.store';
import { missing, ReportFacts, type Facts } from './report-facts';
import { TemplatesService } from './templates.service';

const VALID_FOR_MS = 86_400_000;
/** Both fill up again within an hour. */
const OF_RECEIVER = { burst: 5, perSecond: 5 / 3_600 };
const OF_PROJECT = { burst: 300, perSecond: 300 / 3_600 };

/** Messages to the customer of a report, who agreed to get them. */
@Injectable()
export class ReportMessages {
  constructor(
    private readonly database: Database,
    private readonly messages: Messages,
    private readonly templates: TemplatesService,
    private readonly facts: ReportFacts,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(projectId: string, reportId: string): Promise<MessageList> {
    const rows = await this.database.withProject(projectId, (tx) => listMessages(tx, projectId, reportId));
    return { may_send: this.messages.has('email'), messages: rows.map((row) => this.shown(row)) };
  }

  /** The other services answer before the transaction begins, so none of them is waited for while a row is locked. */
  async send(caller: ProjectMember, reportId: string, language: MessageLanguage): Promise<SentMessage> {
    if (!this.messages.has('email')) throw missing('mail', 'This installation sends no mail.');
    const { projectId } = caller;
    const facts = await this.facts.of(projectId, reportId);
    const work = (tx: Tx) => this.add(tx, caller, reportId, language, facts);
    return this.database.withRecord(projectId, reportId, work, turnDeadline());
  }

  private async add(tx: Tx, caller: ProjectMember, reportId: string, language: MessageLanguage, facts: Facts): Promise<SentMessage> {
    const { projectId, organizationId, actor } = caller;
    const now = this.clock.now();
    await tx.rows('SELECT FROM visits WHERE project_id = $1 AND report_id = $2 FOR UPDATE', [projectId, reportId]);
    const visit = await findVisit(tx, projectId, reportId);
    if (!visit?.consentAt) throw missing('consent', 'The customer has not agreed to get messages.');
    const { name, email } = openDetails(this.settings.sealingKeys, projectId, visit);
    if (email === null) throw missing('email', 'There is no e-mail address of the customer.');
    if (await hasQueuedMessage(tx, projectId, reportId)) throw missing('message', 'A message to the customer waits already.');
    const isAllowed =
      (await takeAttemptIn(tx, `message ${projectId} ${email}`, OF_RECEIVER, now)) &&
      (await takeAttemptIn(tx, `messages ${projectId}`, OF_PROJECT, now));
    if (!isAllowed) throw new DomainError('rate_limited', { message: 'Too many messages; try again in an hour.' });
    const template = await this.templates.one(tx, projectId, language);
    const values = { name, shop: facts.shop, shop_phone: facts.shopPhone, plate: facts.plate, link: facts.link };
    const messageId = await this.messages.add(tx, {
      ...{ owner: projectId, projectId, reportId, kind: 'report', channel: 'email', to: email },
      ...rendered(template, values, language),
      expiresAt: new Date(now.getTime() + VALID_FOR_MS),
      createdBy: actor.userId,
    });
    const change = { action: 'report.sent', projectId, subject: reportId, details: { language } } as const;
    await recordChange(tx, organizationId, actor, change, now);
    const rows = await listMessages(tx, projectId, reportId);
    return this.shown(rows.find((row) => row.messageId === messageId)!);
  }

  private shown({ messageId, receiver, state, failure, attempts, sentBy, createdAt, endedAt }: SentRow): SentMessage {
    return SentMessage.parse({
      message_id: messageId,
      state,
      failure,
      attempts,
      receiver: receiver && maskedEmail(openReceiver(this.settings.sealingKeys, messageId, receiver)),
      sent_by: sentBy,
      created_at: createdAt.toISOString(),
      ended_at: endedAt?.toISOString() ?? null,
    });
  }
}
