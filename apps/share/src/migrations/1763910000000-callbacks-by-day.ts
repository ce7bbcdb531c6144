import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many were sent is counted from an index alone: a callback itself has a body of kilobytes, and the project had a million of them. */
export class CallbacksByDay1763910000000 implements MigrationInterface {
  name = 'CallbacksByDay1763910000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX callbacks_by_day ON callbacks (project_id, id) INCLUDE (state)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX callbacks_by_day');
  }
}
