import { Client, escapeIdentifier, escapeLiteral } from 'pg';

/** The services that own data. Each has a database, an owner for migrations and a runtime role that row-level security binds. */
export const DATABASE_OWNERS = ['gateway', 'ledger', 'assets', 'content', 'share'] as const;

export interface DatabaseUrls {
  runtimeUrl: string;
  ownerUrl: string;
  runtimeRole: string;
}

const withCredentials = (superuserUrl: string, database: string, user: string, password: string): string => {
  const url = new URL(superuserUrl);
  url.username = user;
  url.password = password;
  url.pathname = `/${database}`;
  return url.toString();
};

async function ensureRole(client: Client, role: string, password: string): Promise<void> {
  const exists = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  const verb = exists.rowCount ? 'ALTER' : 'CREATE';
  await client.query(
    `${verb} ROLE ${escapeIdentifier(role)} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD ${escapeLiteral(password)}`,
  );
}

/** Postgres lets every role connect to a new database. Here only the two roles of a service connect to its database. */
async function ensureDatabase(client: Client, database: string, owner: string, runtimeRole: string): Promise<void> {
  const exists = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  const name = escapeIdentifier(database);
  if (!exists.rowCount) await client.query(`CREATE DATABASE ${name} OWNER ${escapeIdentifier(owner)}`);
  await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  await client.query(`GRANT CONNECT ON DATABASE ${name} TO ${escapeIdentifier(runtimeRole)}`);
}

/** Idempotent: a second start changes nothing. */
export async function ensureDatabases(superuserUrl: string, password: string): Promise<Record<string, DatabaseUrls>> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  const urls: Record<string, DatabaseUrls> = {};
  try {
    for (const name of DATABASE_OWNERS) {
      const database = `tire_${name}`;
      const owner = `${database}_owner`;
      const runtimeRole = `${database}_runtime`;
      await ensureRole(client, owner, password);
      await ensureRole(client, runtimeRole, password);
      await ensureDatabase(client, database, owner, runtimeRole);
      urls[name] = {
        runtimeRole,
        runtimeUrl: withCredentials(superuserUrl, database, runtimeRole, password),
        ownerUrl: withCredentials(superuserUrl, database, owner, password),
      };
    }
    return urls;
  } finally {
    await client.end();
  }
}
