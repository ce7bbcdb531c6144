export const ORGANIZATION_TABLES = `
  CREATE TABLE organizations (
    organization_id uuid PRIMARY KEY,
    name text NOT NULL CHECK (name <> ''),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE projects (
    project_id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES organizations,
    mode text NOT NULL CHECK (mode IN ('test', 'live')),
    name text NOT NULL CHECK (name <> ''),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX one_test_project ON projects (organization_id) WHERE mode = 'test';
  CREATE INDEX projects_of_organization ON projects (organization_id);
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
    revoked_at timestamptz,
    last_used_at timestamptz
  );
  CREATE INDEX api_keys_of_project ON api_keys (project_id);
`;

/**
 * Users, their memberships, sessions and invitations. Tokens and recovery codes are stored as digests, secrets of one-time codes sealed.
 * A known network is one from which an account was signed in; only a digest of both is stored.
 * The table of attempts need not be durable: it is unlogged, so a crash empties it and no write waits for the disk.
 */
export const USER_TABLES = `
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
    user_agent text NOT NULL,
    invitation_id uuid REFERENCES invitations,
    first_with text
  );
  CREATE INDEX sessions_of_user ON sessions (user_id);
  CREATE INDEX sessions_expiry ON sessions (expires_at);
  CREATE TABLE recovery_codes (
    user_id uuid NOT NULL REFERENCES users,
    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
    used_at timestamptz,
    PRIMARY KEY (user_id, digest)
  );
  CREATE TABLE openid_identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (issuer, subject),
    UNIQUE (user_id, issuer)
  );
  CREATE UNLOGGED TABLE attempts (
    bucket bytea PRIMARY KEY,
    tokens double precision NOT NULL,
    at timestamptz NOT NULL
  ) WITH (fillfactor = 50);
  CREATE TABLE known_networks (
    digest bytea PRIMARY KEY,
    at timestamptz NOT NULL
  );
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
  CREATE INDEX audit_log_project ON audit_log (organization_id, project_id, entry_id DESC) WHERE project_id IS NOT NULL;
`;

/** A ring of daily partitions: old entries go when their partition is truncated, and no row is deleted. */
export const REQUEST_LOG_TABLE = `
  CREATE TABLE request_log (
    slot smallint NOT NULL,
    entry_id uuid NOT NULL,
    project_id uuid NOT NULL,
    key_id uuid NOT NULL,
    at timestamptz NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    status smallint NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL
  ) PARTITION BY LIST (slot);
  CREATE INDEX request_log_newest ON request_log (project_id, entry_id DESC);
  CREATE INDEX request_log_of_key ON request_log (key_id, entry_id DESC);
`;
