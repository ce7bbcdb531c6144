import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages kept the receiver after the customer got another number or address; an erasure by the former one did not find it. The audit log
 * says when one was recorded. The index finds customers that a release before `Retention` left without a next check.
 */
export class ForgottenReceivers1765600000000 implements MigrationInterface {
  name = 'ForgottenReceivers1765600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      SELECT set_config('app.scope', 'system', true);
      UPDATE messages SET receiver = NULL
        FROM (SELECT project_id, subject, channel, max(at) AS at
                FROM audit_log CROSS JOIN (VALUES ('sms', 'phone'), ('email', 'email')) AS recorded (channel, field)
               WHERE action = 'visit.changed' AND field = ANY(string_to_array(details->>'fields', ' ')) GROUP BY project_id, subject, channel) AS changes
       WHERE messages.project_id = changes.project_id AND messages.report_id::text = changes.subject AND messages.channel = changes.channel
         AND messages.created_at < changes.at AND messages.state <> 'queued' AND messages.receiver IS NOT NULL;
      CREATE INDEX visits_unchecked ON visits (project_id, report_id) WHERE check_at IS NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX visits_unchecked');
  }
}
