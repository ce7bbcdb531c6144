import { STREAMS, type EventType } from '@tire/contracts/events';
import type { Consumers } from '@tire/eventing';
import { eventually } from '@tire/test-harness';

/** All messages of one subject, in the order of arrival. */
export class ReceivedMessages<T extends { reportId: string }> {
  private readonly messages: T[] = [];

  constructor(consumers: Consumers, type: EventType<T>) {
    const stream = STREAMS[type.stream];
    consumers.consume({
      type,
      // A queue of work has one consumer: the listener takes the place of the worker.
      durable: 'consumer' in stream ? stream.consumer : `listener-${type.subject.replaceAll('.', '-')}`,
      handle: async (message) => void this.messages.push(message),
    });
  }

  count(reportId: string): number {
    return this.about(reportId).length;
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
