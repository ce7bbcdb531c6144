import { grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export type MigrationClass = new () => MigrationInterface;

const TABLES = [
  // A row is deleted once the broker has it: what is here is what is still to be told.
  `CREATE TABLE outbox (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    stream text NOT NULL,
    subject text NOT NULL,
    payload bytea NOT NULL,
    headers jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    last_error text
  )`,
  `CREATE TABLE inbox (
    consumer text NOT NULL,
    message_id text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, message_id)
  )`,
  'CREATE INDEX inbox_received_at ON inbox (received_at)',
  // consumer is empty for a message that could not be published.
  `CREATE TABLE dead_letters (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    consumer text NOT NULL,
    message_id text NOT NULL,
    subject text NOT NULL,
    payload bytea NOT NULL,
    headers jsonb NOT NULL,
    attempts integer NOT NULL,
    cause text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (consumer, message_id)
  )`,
];

/** The tables of this library, as a migration of the service that owns the database. */
export function eventingMigration(timestampMs: number): MigrationClass {
  const name = `Eventing${timestampMs}`;
  return class implements MigrationInterface {
    readonly name = name;

    async up(queryRunner: QueryRunner): Promise<void> {
      for (const table of TABLES) await queryRunner.query(table);
      await grantRuntime(queryRunner, 'outbox', 'SELECT, INSERT, UPDATE, DELETE');
      await grantRuntime(queryRunner, 'inbox', 'SELECT, INSERT, DELETE');
      await grantRuntime(queryRunner, 'dead_letters', 'SELECT, INSERT, UPDATE, DELETE');
    }

    async down(queryRunner: QueryRunner): Promise<void> {
      await queryRunner.query('DROP TABLE outbox, inbox, dead_letters');
    }
  };
}
