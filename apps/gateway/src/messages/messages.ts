import { CLOCK, type Clock } from '@tire/kernel';
import { afterCommit, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { CARRIERS, type Carriers, type Channel } from './carrier';
import { MessageSender } from './message.sender';
import { insertMessage, type NewMessage } from './messages.store';

/** The outbox of messages to people: a message is written in the transaction that causes it, and sent afterwards. */
@Injectable()
export class Messages {
  constructor(
    private readonly sender: MessageSender,
    @Inject(CARRIERS) private readonly carriers: Carriers,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether the operator configured a provider. */
  has = (channel: Channel): boolean => this.carriers[channel] !== undefined;

  async add(tx: Tx, message: NewMessage): Promise<string> {
    const messageId = await insertMessage(tx, this.settings.sealingKeys, message, this.clock.now());
    afterCommit(tx, () => this.sender.nudge());
    return messageId;
  }
}
