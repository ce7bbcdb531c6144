import { forbidChange, grantRuntime } from '@tire/platform';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People, what they belong to, and where they are signed in. No secret but that of one-time codes is kept: all others as digests. */
export class ConsoleIdentity1763770000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(USERS);
    await queryRunner.query(SESSIONS);
    await queryRunner.query(INVITATIONS);
    await queryRunner.query(AUDIT_LOG);
    await grantRuntime(queryRunner, 'users', 'SELECT, INSERT, UPDATE');
    await grantRuntime(queryRunner, 'memberships', 'SELECT, INSERT, UPDATE (role), DELETE');
    await grantRuntime(queryRunner, 'sessions', 'SELECT, INSERT, UPDATE, DELETE');
    await grantRuntime(queryRunner, 'invitations', 'SELECT, INSERT, UPDATE (closed_at)');
    await grantRuntime(queryRunner, 'audit_log', 'SELECT, INSERT');
    await grantRuntime(queryRunner, 'organizations', 'UPDATE (name)');
    await grantRuntime(queryRunner, 'projects', 'UPDATE (name)');
    await forbidChange(queryRunner, 'audit_log');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE audit_log, invitations, sessions, memberships, users');
  }
}

// Nothing read the members before: what the command line wrote of them is taken over. A hash of the old kind opens nothing any more;
// admin set-password sets another.
const USERS = `
  CREATE TABLE users (
    user_id uuid PRIMARY KEY,
    email text NOT NULL UNIQUE CHECK (email = lower(email)),
    name text NOT NULL,
    password_hash text,
    totp_secret bytea,
    totp_pending bytea,
    totp_last_step bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE memberships (
    organization_id uuid NOT NULL REFERENCES organizations,
    user_id uuid NOT NULL REFERENCES users,
    role text NOT NULL CHECK (role IN ('owner', 'administrator', 'developer', 'support')),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, user_id)
  );
  CREATE INDEX memberships_of_user ON memberships (user_id);
  CREATE INDEX projects_of_organization ON projects (organization_id);
  INSERT INTO users (user_id, email, name, password_hash, created_at)
    SELECT member_id, email, split_part(email, '@', 1), password_hash, created_at FROM members;
  INSERT INTO memberships (organization_id, user_id, role, created_at)
    SELECT organization_id, member_id,
      CASE role WHEN 'owner' THEN 'owner' WHEN 'admin' THEN 'administrator' ELSE 'support' END, created_at FROM members;
  DROP TABLE members;
`;

const SESSIONS = `
  CREATE TABLE sessions (
    session_id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    stage text NOT NULL CHECK (stage IN ('code', 'full')),
    digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
    previous_digest bytea UNIQUE,
    csrf_token text NOT NULL,
    failed_codes integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    rotated_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    address text NOT NULL,
    user_agent text NOT NULL
  );
  CREATE INDEX sessions_of_user ON sessions (user_id);
  CREATE INDEX sessions_expiry ON sessions (expires_at);
`;

const INVITATIONS = `
  CREATE TABLE invitations (
    invitation_id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES organizations,
    email text NOT NULL CHECK (email = lower(email)),
    role text NOT NULL CHECK (role IN ('owner', 'administrator', 'developer', 'support')),
    digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
    invited_by uuid NOT NULL REFERENCES users,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    closed_at timestamptz
  );
  CREATE UNIQUE INDEX one_open_invitation ON invitations (organization_id, email) WHERE closed_at IS NULL;
`;

const AUDIT_LOG = `
  CREATE TABLE audit_log (
    entry_id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES organizations,
    at timestamptz NOT NULL,
    actor_id uuid,
    actor_email text,
    action text NOT NULL,
    project_id uuid,
    subject text,
    details json NOT NULL,
    address text NOT NULL
  );
  CREATE INDEX audit_log_newest ON audit_log (organization_id, entry_id DESC);
`;
