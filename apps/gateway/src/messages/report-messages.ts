import { type MessageList, type SendReportRequest, SentMessage } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { SMS_BYTES, smsBytes } from '@tire/contracts/limits';
import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database, LEDGER, turnDeadline, type PromiseClient, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordChange } from '../audit/audit.store';
import { maskedEmail, maskedPhone } from '../domain/masking';
import { rendered } from '../domain/message-template';
import type { ProjectMember } from '../edge/callers';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { PhoneDigests } from '../visits/phone-digests';
import { findVisit, openDetails } from '../visits/visits.store';
import type { Channel } from './carrier';
import { Messages } from './messages';
import { hasQueuedMessage, listMessages, openReceiver, type SentRow } from './messages.store';
import { mayAddMessage, receiverOf } from './receivers';
import { missing, ReportFacts, type Facts } from './report-facts';
import { TemplatesService } from './templates.service';

const VALID_FOR_MS = 86_400_000;
const CHANNELS: readonly Channel[] = ['email', 'sms'];
const MASKED: Readonly<Record<Channel, (receiver: string) => string>> = { email: maskedEmail, sms: maskedPhone };

/** Messages to the customer of a report, who agreed to get them. */
@Injectable()
export class ReportMessages {
  constructor(
    private readonly database: Database,
    private readonly messages: Messages,
    private readonly templates: TemplatesService,
    private readonly facts: ReportFacts,
    private readonly digests: PhoneDigests,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(projectId: string, reportId: string): Promise<MessageList> {
    const rows = await this.database.withProject(projectId, (tx) => listMessages(tx, projectId, reportId));
    if (rows.length === 0) await this.ledger.getMutability({ projectId, reportId });
    return { channels: CHANNELS.filter(this.messages.has), messages: rows.map((row) => this.shown(row)) };
  }

  /** The other services answer before the transaction begins, so none of them is waited for while a row is locked. */
  async send(caller: ProjectMember, reportId: string, request: SendReportRequest): Promise<SentMessage> {
    const { projectId } = caller;
    const facts = await this.facts.of(projectId, reportId);
    if (!this.messages.has(request.channel)) throw missing('channel', 'This installation has no provider for such messages.');
    const { to } = await this.database.withProject(projectId, (tx) => this.customer(tx, projectId, reportId, request.channel));
    const digest = await this.digests.ofReceiver(projectId, to);
    const work = (tx: Tx) => this.add(tx, caller, reportId, request, { facts, receiver: to, digest });
    return this.database.withRecord(projectId, reportId, work, turnDeadline());
  }

  private async customer(tx: Tx, projectId: string, reportId: string, channel: Channel): Promise<{ name: string | null; to: string }> {
    const visit = await findVisit(tx, projectId, reportId);
    if (!visit?.consentAt) throw missing('consent', 'The customer has not agreed to get messages.');
    const details = openDetails(this.settings.sealingKeys, projectId, visit);
    return { name: details.name, to: receiverOf(details, channel) };
  }

  /** The customer may have changed since the receiver was read. */
  private async add(
    tx: Tx,
    caller: ProjectMember,
    reportId: string,
    { channel, language }: SendReportRequest,
    { facts, receiver, digest }: { facts: Facts; receiver: string; digest: Buffer },
  ): Promise<SentMessage> {
    const { projectId, organizationId, actor } = caller;
    const now = this.clock.now();
    await tx.rows('SELECT FROM visits WHERE project_id = $1 AND report_id = $2 FOR UPDATE', [projectId, reportId]);
    const { name, to } = await this.customer(tx, projectId, reportId, channel);
    if (to !== receiver) throw missing(channel === 'email' ? 'email' : 'phone', 'The customer was changed just now.');
    if (await hasQueuedMessage(tx, projectId, reportId, 'report', channel))
      throw missing('message', 'A message to the customer waits already.');
    if (!(await mayAddMessage(tx, projectId, digest, now)))
      throw new DomainError('rate_limited', { message: 'Too many messages; try again in an hour.' });
    const template = await this.templates.one(tx, projectId, { purpose: `report_${channel}`, language });
    const content = rendered(template, { name, ...facts }, language);
    if (channel === 'sms' && smsBytes(content.text) > SMS_BYTES.max) throw missing('text', 'The text is too long for a text message.');
    const messageId = await this.messages.add(tx, {
      ...{ owner: projectId, projectId, reportId, kind: 'report', channel, to },
      ...content,
      expiresAt: new Date(now.getTime() + VALID_FOR_MS),
      createdBy: actor.userId,
    });
    const change = { action: 'report.sent', projectId, subject: reportId, details: { channel, language } } as const;
    await recordChange(tx, organizationId, actor, change, now);
    const rows = await listMessages(tx, projectId, reportId);
    return this.shown(rows.find((row) => row.messageId === messageId)!);
  }

  private shown({
    messageId,
    kind,
    channel,
    receiver,
    reference,
    state,
    failure,
    attempts,
    sentBy,
    createdAt,
    endedAt,
  }: SentRow): SentMessage {
    return SentMessage.parse({
      message_id: messageId,
      kind,
      channel,
      state,
      failure,
      attempts,
      receiver: receiver && MASKED[channel](openReceiver(this.settings.sealingKeys, messageId, receiver)),
      reference,
      sent_by: sentBy,
      created_at: createdAt.toISOString(),
      ended_at: endedAt?.toISOString() ?? null,
    });
  }
}
