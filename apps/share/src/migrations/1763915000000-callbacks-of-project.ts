import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What callbacks_by_day holds, too. In a transaction of its own: one that has built an index and then waits to drop another is waited for
 * by who reads before he writes.
 */
export class CallbacksOfProject1763915000000 implements MigrationInterface {
  name = 'CallbacksOfProject1763915000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX callbacks_of_project');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX callbacks_of_project ON callbacks (project_id, id)');
  }
}
