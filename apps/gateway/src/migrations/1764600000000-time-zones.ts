import { grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The zone of each project, and which version of it the share service has noted. Projects that exist have none until a member chooses one. */
export class TimeZones1764600000000 implements MigrationInterface {
  name = 'TimeZones1764600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE projects
        ADD COLUMN time_zone text,
        ADD COLUMN time_zone_version integer NOT NULL DEFAULT 0,
        ADD COLUMN time_zone_noted integer NOT NULL DEFAULT 0;
      CREATE INDEX projects_time_zone_to_note ON projects (project_id) WHERE time_zone_noted < time_zone_version`);
    await grantRuntime(queryRunner, 'projects', 'UPDATE (time_zone, time_zone_version, time_zone_noted)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE projects DROP COLUMN time_zone, DROP COLUMN time_zone_version, DROP COLUMN time_zone_noted');
  }
}
