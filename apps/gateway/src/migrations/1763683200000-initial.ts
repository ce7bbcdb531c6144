import { forbidChange, grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ORGANIZATION_TABLES, REQUEST_LOG_TABLE, USER_TABLES } from './initial-tables';

export class Initial1763683200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const tables of [ORGANIZATION_TABLES, USER_TABLES, REQUEST_LOG_TABLE]) await queryRunner.query(tables);
    for (const [table, privileges] of Object.entries(RUNTIME_PRIVILEGES)) await grantRuntime(queryRunner, table, privileges);
    for (const [table, privileges] of Object.entries(PROJECT_TABLES)) await projectTable(queryRunner, table, privileges);
    for (let slot = 0; slot < FIRST_LOG_SLOTS; slot += 1) {
      await queryRunner.query(`CREATE TABLE request_log_${slot} PARTITION OF request_log FOR VALUES IN (${slot})`);
      await grantRuntime(queryRunner, `request_log_${slot}`, 'TRUNCATE');
    }
    await forbidChange(queryRunner, 'audit_log');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TABLE request_log, audit_log, sessions, invitations, openid_identities, recovery_codes, attempts, known_networks, memberships, users, ' +
        'api_keys, projects, organizations',
    );
    await queryRunner.query('DROP FUNCTION refuse_change()');
  }
}

const FIRST_LOG_SLOTS = 9;

const RUNTIME_PRIVILEGES = {
  organizations: 'SELECT, INSERT, UPDATE (name)',
  users: 'SELECT, INSERT, UPDATE',
  memberships: 'SELECT, INSERT, UPDATE (role), DELETE',
  sessions: 'SELECT, INSERT, UPDATE, DELETE',
  invitations: 'SELECT, INSERT, UPDATE (closed_at)',
  audit_log: 'SELECT, INSERT',
  recovery_codes: 'SELECT, INSERT, UPDATE (used_at), DELETE',
  attempts: 'SELECT, INSERT, UPDATE, DELETE',
  known_networks: 'SELECT, INSERT, UPDATE (at), DELETE',
  openid_identities: 'SELECT, INSERT, DELETE',
};

/** Row-level security limits these to one project. A key changes only when it is used or revoked. */
const PROJECT_TABLES = {
  projects: 'SELECT, INSERT, UPDATE (name)',
  api_keys: 'SELECT, INSERT, UPDATE (revoked_at), UPDATE (last_used_at)',
  request_log: 'SELECT, INSERT',
};
