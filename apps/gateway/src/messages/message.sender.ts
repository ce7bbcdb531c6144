import { CLOCK, type Clock } from '@tire/kernel';
import { ATTRIBUTES, counter, Database, logger, METRICS, periodicTask, RepeatedTask } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { afterAttempt, refusalToSend, type Outcome, type Step } from '../domain/sending';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { CARRIERS, type Carrier, type Carriers, type Channel } from './carrier';
import { claimMessages, endExpired, forgetMessages, openMessage, settle, type ClaimedMessage } from './messages.store';

/** Messages that one process sends at once. */
const PLACES = 8;
/** Of messages that another process added, or whose pause is over. */
const LOOK_EVERY_MS = 5_000;
/** Longer than any attempt: a carrier gives up after half a minute. */
const LEASE_MS = 120_000;
const KEPT_FOR_MS = 180 * 86_400_000;
const FORGET_EVERY_MS = 3_600_000;
const FORGET_AT_ONCE = 1_000;
const COUNTED: readonly Outcome['kind'][] = ['sent', 'refused', 'unavailable', 'unknown'];

/**
 * Sends what waits. An attempt is written down before it begins. If the process dies before the outcome is written, the outcome is unknown:
 * a mail is sent once more after the lease, and not again; a text message only where its provider recognizes the repetition.
 */
@Injectable()
export class MessageSender implements OnModuleInit, OnApplicationShutdown {
  private readonly log = logger('messages');
  private readonly attempts = counter(METRICS.messageAttempts, 'Attempts to send a message, by channel and outcome.');
  private readonly looking = new RepeatedTask(() => this.look());
  private readonly forgetting = periodicTask(FORGET_EVERY_MS, () => this.forget(), this.log);
  private readonly underWay = new Map<Promise<void>, string>();
  private readonly channels: readonly Channel[];

  constructor(
    private readonly database: Database,
    @Inject(CARRIERS) private readonly carriers: Carriers,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.channels = Object.keys(carriers) as Channel[];
  }

  onModuleInit(): void {
    // A counter that begins with the first failure would hide it: an increase needs a value before.
    for (const kind of this.channels)
      for (const outcome of COUNTED) this.attempts.add(0, { [ATTRIBUTES.kind]: kind, [ATTRIBUTES.outcome]: outcome });
    if (this.channels.length > 0) this.looking.start();
    this.forgetting.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.looking.stop(), this.forgetting.stop()]);
    await Promise.all(this.underWay.keys());
  }

  nudge(): void {
    this.looking.nudge();
  }

  private async look(): Promise<number> {
    const places = PLACES - this.underWay.size;
    if (places === 0) return LOOK_EVERY_MS;
    try {
      const claimed = await this.claim(places);
      for (const message of claimed) this.begin(message);
      return claimed.length === places ? 0 : LOOK_EVERY_MS;
    } catch (error) {
      this.log.warn({ err: error }, 'Messages that wait were not read. The next look retries it.');
      return LOOK_EVERY_MS;
    }
  }

  private claim(places: number): Promise<ClaimedMessage[]> {
    const now = this.clock.now();
    const busy = new Map<string, number>();
    for (const owner of this.underWay.values()) busy.set(owner, (busy.get(owner) ?? 0) + 1);
    return claimMessages(this.database, { now, places, busy, leaseUntil: new Date(now.getTime() + LEASE_MS), channels: this.channels });
  }

  private begin(message: ClaimedMessage): void {
    const sending = this.attempt(message)
      .catch((error: unknown) => this.log.warn({ err: error, message_id: message.messageId }, 'The outcome of a message was not written'))
      .finally(() => {
        this.underWay.delete(sending);
        this.nudge();
      });
    this.underWay.set(sending, message.owner);
  }

  private async attempt(message: ClaimedMessage): Promise<void> {
    const carrier = this.carriers[message.channel]!;
    const refusal = refusalToSend(message, carrier.retries, this.clock.now());
    const outcome: Outcome = refusal ? { kind: 'refused' } : await this.send(carrier, message);
    const now = this.clock.now();
    const step: Step = refusal ? { state: 'failed', failure: refusal } : afterAttempt(message, outcome, carrier.retries, now);
    this.attempts.add(1, { [ATTRIBUTES.kind]: message.channel, [ATTRIBUTES.outcome]: refusal ?? outcome.kind });
    if (step.state === 'failed')
      this.log.warn({ message_id: message.messageId, failure: step.failure, attempts: message.attempts }, 'A message was given up');
    await settle(this.database, message, step, outcome.kind === 'unknown', now);
  }

  private async send(carrier: Carrier, message: ClaimedMessage): Promise<Outcome> {
    try {
      return await carrier.send(openMessage(this.settings.sealingKeys, message));
    } catch (error) {
      // Nothing but the sealing throws, and it names no receiver. Another process may have the key.
      this.log.error({ err: error, message_id: message.messageId }, 'A message cannot be opened');
      return { kind: 'unavailable' };
    }
  }

  private async forget(): Promise<void> {
    const now = this.clock.now();
    const before = new Date(now.getTime() - KEPT_FOR_MS);
    while ((await endExpired(this.database, now, this.channels, FORGET_AT_ONCE)) === FORGET_AT_ONCE);
    while ((await forgetMessages(this.database, before, FORGET_AT_ONCE)) === FORGET_AT_ONCE);
  }
}
