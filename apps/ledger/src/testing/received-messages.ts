import { STREAMS, type EventType } from '@tire/contracts/events';
import type { Consumers } from '@tire/eventing';
import { eventually } from '@tire/test-harness';

interface Options {
  /** How many messages are in hand until `release`. Default: a message is acknowledged at once. */
  readonly holds?: number;
}

/** All messages of one subject, in the order of arrival. */
export class ReceivedMessages<T extends { reportId: string }> {
  readonly messages: T[] = [];
  private readonly held: (() => void)[] = [];
  private holds: boolean;

  constructor(consumers: Consumers, type: EventType<T>, { holds }: Options = {}) {
    const stream = STREAMS[type.stream];
    this.holds = holds !== undefined;
    consumers.consume({
      type,
      // A queue of work has one consumer: the listener takes the place of the worker.
      durable: 'consumer' in stream ? stream.consumer : `listener-${type.subject.replaceAll('.', '-')}`,
      concurrency: holds,
      handle: async (message) => {
        this.messages.push(message);
        if (this.holds) await new Promise<void>((resolve) => this.held.push(resolve));
      },
    });
  }

  /** Acknowledges the message that has been in hand for the longest time. */
  release(): void {
    this.held.shift()!();
  }

  /** Releases the messages in hand and all later ones. */
  releaseAll(): void {
    this.holds = false;
    while (this.held.length > 0) this.release();
  }

  count(reportId: string): number {
    return this.about(reportId).length;
  }

  /** Waits until that many messages have arrived. */
  async arrived(count: number): Promise<T[]> {
    await eventually(() => this.messages.length >= count, { message: `fewer than ${count} messages` });
    return this.messages;
  }

  /** Waits until a report has that many messages. */
  of(reportId: string, count: number): Promise<T[]> {
    const message = `fewer than ${count} messages about the report`;
    return eventually(() => this.count(reportId) >= count && this.about(reportId), { message });
  }

  /** Waits for a message about a report that fits, and returns the newest. */
  last(reportId: string, fits: (message: T) => boolean): Promise<T> {
    return eventually(() => this.about(reportId).filter(fits).at(-1) ?? false, { message: 'no such message about the report' });
  }

  private about(reportId: string): T[] {
    return this.messages.filter((message) => message.reportId === reportId);
  }
}
