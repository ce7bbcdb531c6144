import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

@Injectable()
export class Inbox {
  /** Whether this consumer sees this message for the first time: true once per committed transaction, however often it is delivered. */
  async firstTime(tx: EntityManager, consumer: string, messageId: string): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      'INSERT INTO inbox (consumer, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING message_id',
      [consumer, messageId],
    );
    return rows.length > 0;
  }
}
