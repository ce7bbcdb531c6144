import { grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export type MigrationClass = new () => MigrationInterface;

const STATEMENTS = [
  // A row is deleted after the broker has stored its message.
  `CREATE TABLE outbox (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    project_id uuid NOT NULL,
    stream text NOT NULL,
    subject text NOT NULL,
    payload bytea NOT NULL,
    headers jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    last_error text
  )`,
  // The relay takes the first messages of each project while there is a backlog.
  'CREATE INDEX outbox_of_project ON outbox (project_id, position)',
  // consumer is empty if the message could not be published.
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

/** Creates the tables of this library. The service that owns the database lists it among its migrations. */
export function eventingMigration(timestampMs: number): MigrationClass {
  const name = `Eventing${timestampMs}`;
  return class implements MigrationInterface {
    readonly name = name;

    async up(queryRunner: QueryRunner): Promise<void> {
      for (const statement of STATEMENTS) await queryRunner.query(statement);
      await grantRuntime(queryRunner, 'outbox', 'SELECT, INSERT, UPDATE, DELETE');
      await grantRuntime(queryRunner, 'dead_letters', 'SELECT, INSERT, UPDATE, DELETE');
    }

    async down(queryRunner: QueryRunner): Promise<void> {
      await queryRunner.query('DROP TABLE outbox, dead_letters');
    }
  };
}
