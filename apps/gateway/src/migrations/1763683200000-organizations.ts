import { grantRuntime, projectTable } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Organizations1763683200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE organizations (
        organization_id uuid PRIMARY KEY,
        name text NOT NULL CHECK (name <> ''),
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await grantRuntime(queryRunner, 'organizations', 'SELECT, INSERT');

    await queryRunner.query(`
      CREATE TABLE members (
        member_id uuid PRIMARY KEY,
        organization_id uuid NOT NULL REFERENCES organizations,
        email text NOT NULL CHECK (email = lower(email)),
        password_hash text NOT NULL,
        role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (email)
      )`);
    await queryRunner.query('CREATE INDEX members_of_organization ON members (organization_id)');
    await grantRuntime(queryRunner, 'members', 'SELECT, INSERT');

    await queryRunner.query(`
      CREATE TABLE projects (
        project_id uuid PRIMARY KEY,
        organization_id uuid NOT NULL REFERENCES organizations,
        mode text NOT NULL CHECK (mode IN ('test', 'live')),
        name text NOT NULL CHECK (name <> ''),
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX one_test_project ON projects (organization_id) WHERE mode = 'test'`);
    await projectTable(queryRunner, 'projects', 'SELECT, INSERT');

    await queryRunner.query(`
      CREATE TABLE api_keys (
        key_id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects,
        digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
        prefix text NOT NULL,
        last4 text NOT NULL,
        name text NOT NULL CHECK (name <> ''),
        scopes text[] NOT NULL CHECK (
          cardinality(scopes) > 0
          AND scopes <@ ARRAY['report:read', 'report:write', 'report:publish', 'report:discard', 'report:*']
        ),
        created_at timestamptz NOT NULL DEFAULT now(),
        revoked_at timestamptz
      )`);
    await queryRunner.query('CREATE INDEX api_keys_of_project ON api_keys (project_id)');
    // A key is revoked and never changed otherwise.
    await projectTable(queryRunner, 'api_keys', 'SELECT, INSERT, UPDATE (revoked_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE api_keys, projects, members, organizations');
  }
}
