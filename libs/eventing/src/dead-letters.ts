import { Injectable } from '@nestjs/common';
import { ATTRIBUTES, logger, type Database, type Tx } from '@tire/platform';
import { dead } from './metrics';

export interface DeadLetter {
  /** Undefined: the message could not be published. */
  readonly consumer?: string;
  readonly id: string;
  readonly subject: string;
  readonly payload: Uint8Array;
  readonly headers: Record<string, string>;
  readonly attempts: number;
  readonly cause: unknown;
  readonly reason: GivenUp;
}

/** unreadable: its bytes are no message of its type. failing: its deliveries are used up. unpublished: the broker refuses it. */
export type GivenUp = 'unreadable' | 'failing' | 'unpublished';

/** A counter that begins with the first dead letter would hide it: an increase needs a value before. */
export function countDead(reason: GivenUp, of: { subject: string; consumer: string } | undefined, by: 0 | 1): void {
  dead.add(by, { [ATTRIBUTES.reason]: reason, ...(of && { [ATTRIBUTES.subject]: of.subject, [ATTRIBUTES.consumer]: of.consumer }) });
}

// If the acknowledgement of a delivery is lost, the message is given up a second time, which changes the row of the first time.
const INSERT = `
  INSERT INTO dead_letters (consumer, message_id, subject, payload, headers, attempts, cause) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (consumer, message_id) DO UPDATE SET attempts = excluded.attempts, cause = excluded.cause, created_at = now()`;

export const causeText = (cause: unknown): string =>
  (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).slice(0, 2_000);

/** Stores messages that are given up, for an operator to read. A service without a database only counts and logs them. */
@Injectable()
export class DeadLetters {
  private readonly log = logger('eventing');

  constructor(private readonly database: Database | undefined) {}

  async add(letter: DeadLetter, tx?: Tx): Promise<void> {
    const { consumer, id, subject, payload, headers, attempts, cause, reason } = letter;
    const params = [consumer ?? '', id, subject, Buffer.from(payload), JSON.stringify(headers), attempts, causeText(cause)];
    await (tx ? tx.execute(INSERT, params) : this.database?.systemQuery(INSERT, params));
    countDead(reason, consumer ? { subject, consumer } : undefined, 1);
    this.log.error({ err: cause, reason, subject, consumer, message_id: id, attempts }, 'A message is given up');
  }
}
