import { Injectable } from '@nestjs/common';
import { ATTRIBUTES, logger, type Database } from '@tire/platform';
import type { EntityManager } from 'typeorm';
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
}

export const causeText = (cause: unknown): string =>
  (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).slice(0, 2_000);

/** Messages that were given up, kept where an operator finds them. A service without a database counts and logs them only. */
@Injectable()
export class DeadLetters {
  private readonly log = logger('eventing');

  constructor(private readonly database: Database | undefined) {}

  async add(letter: DeadLetter, tx: Pick<EntityManager, 'query'> | undefined = this.database?.dataSource): Promise<void> {
    const { consumer, id, subject, payload, headers, attempts, cause } = letter;
    // Giving up is repeated when its own acknowledgement is lost: one row remains.
    await tx?.query(
      `INSERT INTO dead_letters (consumer, message_id, subject, payload, headers, attempts, cause) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (consumer, message_id) DO UPDATE SET attempts = excluded.attempts, cause = excluded.cause, created_at = now()`,
      [consumer ?? '', id, subject, Buffer.from(payload), JSON.stringify(headers), attempts, causeText(cause)],
    );
    dead.add(1, { [ATTRIBUTES.subject]: subject, ...(consumer ? { [ATTRIBUTES.consumer]: consumer } : {}) });
    this.log.error({ err: cause, subject, consumer, message_id: id, attempts }, 'message given up');
  }
}
