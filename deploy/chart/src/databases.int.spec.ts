import { freePort, type Postgres, startPostgres } from '@tire/test-harness';
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { parse } from 'yaml';
import { ofKind } from './manifests';
import { REPOSITORY_ROOT } from './paths';
import { callsOf, blocksWith } from './readme-commands';
import { renderAsInstalled } from './render';

interface Compose {
  readonly services: { readonly postgres: { readonly environment: Readonly<Record<string, string>> } };
}

const SERVICES = ['gateway', 'ledger', 'assets', 'content', 'share'];

/** The roles that run roles.sql in the recipes: the superuser of CloudNativePG, and the master user of RDS, which is not a superuser. */
const ADMINISTRATORS = [
  ['a superuser', 'SUPERUSER'],
  ['an administrator who is no superuser', 'CREATEROLE CREATEDB'],
] as const;

/** The Postgres images contain psql. Their scripts need it on this machine. */
const hasPsql = spawnSync('psql', ['--version']).status === 0;

describe('the databases', () => {
  let serverFolder: string;
  let postgres: Postgres;
  let folder: string;

  beforeAll(async () => {
    serverFolder = await mkdtemp(join(tmpdir(), 'tire-databases-'));
    postgres = await startPostgres({ dataDir: join(serverFolder, 'postgres'), port: await freePort(), durable: false, password: 'p' });
  });

  afterAll(async () => {
    await postgres?.stop();
    await rm(serverFolder, { recursive: true });
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tire-database-'));
  });

  /** Each test finds a server without our databases and roles. */
  afterEach(async () => {
    await rm(folder, { recursive: true });
    const databases = await asSuperuser<{ name: string }>(`SELECT datname AS name FROM pg_database WHERE datname LIKE 'tire\\_%'`);
    const drops = databases.map(({ name }) => `DROP DATABASE ${name} WITH (FORCE)`);
    const roles = await asSuperuser<{ name: string }>(`SELECT rolname AS name FROM pg_roles WHERE rolname ~ '^(tire_|administrator$)'`);
    // A role cannot be dropped while another one has it from this one.
    const owned = roles.map(({ name }) => `DROP OWNED BY ${name} CASCADE`);
    await asSuperuser(...drops, ...owned, ...roles.map(({ name }) => `DROP ROLE ${name}`));
  });

  async function queried<Row extends object>(
    who: { user: string; password: string; database: string },
    statements: string[],
  ): Promise<Row[]> {
    const client = new Client({ host: '127.0.0.1', port: postgres.port, ...who });
    await client.connect();
    try {
      let rows: Row[] = [];
      for (const statement of statements) ({ rows } = await client.query<Row>(statement));
      return rows;
    } finally {
      await client.end();
    }
  }
  const asSuperuser = <Row extends object>(...statements: string[]) =>
    queried<Row>({ user: 'postgres', password: 'p', database: 'postgres' }, statements);

  /** Only the owner changes the schema. No role has other privileges, and none connects to the database of another service. */
  async function expectRoles(passwordOf: (key: string) => string): Promise<void> {
    for (const service of SERVICES) {
      const as = (role: string, statement: string) =>
        queried({ user: `tire_${service}_${role}`, password: passwordOf(`${service}-${role}-password`), database: `tire_${service}` }, [
          statement,
        ]);
      await as('owner', 'CREATE TABLE kept (id int)');
      await expect(as('runtime', 'CREATE TABLE mine (id int)')).rejects.toThrow(/permission denied for schema public/);
      const others = SERVICES.filter((other) => other !== service).flatMap((other) => [`tire_${other}_runtime`, `tire_${other}_owner`]);
      const able = others.map((role) => `has_database_privilege('${role}', 'tire_${service}', 'CONNECT')`).join(' OR ');
      expect(await asSuperuser(`SELECT ${able} AS connects`)).toEqual([{ connects: false }]);
    }
    const stranger = { user: 'tire_share_runtime', password: passwordOf('share-runtime-password'), database: 'tire_ledger' };
    await expect(queried(stranger, ['SELECT 1'])).rejects.toThrow(/permission denied for database "tire_ledger"/);
    const powers = `SELECT rolname FROM pg_roles WHERE rolname LIKE 'tire\\_%' AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)`;
    expect(await asSuperuser(powers)).toEqual([]);
  }

  it.each(ADMINISTRATORS)('of the README are created by %s, which is then not a member of any owner role', async (_who, may) => {
    await callsOf(blocksWith('roles.sql; : > passwords')[0]!, 'none', folder);
    const linesOf = async (file: string) => (await readFile(join(folder, file), 'utf8')).split('\n').filter(Boolean);
    await asSuperuser(`CREATE ROLE administrator LOGIN ${may} PASSWORD 'a'`);
    await queried({ user: 'administrator', password: 'a', database: 'postgres' }, await linesOf('roles.sql'));
    const memberships = `SELECT roleid::regrole::text AS owner FROM pg_auth_members
      WHERE member = 'administrator'::regrole AND (set_option OR inherit_option)`;
    expect(await asSuperuser(memberships)).toEqual([]);
    const passwords = new Map((await linesOf('passwords')).map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
    await expectRoles((key) => passwords.get(key)!);
  });

  const byPsql = (script: string, variables: Record<string, string> = {}) =>
    promisify(execFile)('sh', ['-euc', script], {
      env: { ...process.env, PGHOST: '127.0.0.1', PGPORT: String(postgres.port), PGPASSWORD: 'p', ...variables },
    });

  (hasPsql ? it : it.skip)('of compose are made by its script', async () => {
    const { postgres: server } = (parse(await readFile(join(REPOSITORY_ROOT, 'deploy/compose.yaml'), 'utf8')) as Compose).services;
    const names = Object.keys(server.environment).filter((name) => /_(OWNER|RUNTIME)_PASSWORD$/.test(name));
    const variables = Object.fromEntries(names.map((name) => [name, `p-${name}`]));
    await byPsql(await readFile(join(REPOSITORY_ROOT, 'deploy/compose/databases.sh'), 'utf8'), variables);
    await expectRoles((key) => variables[key.replaceAll('-', '_').toUpperCase()]!);
  });

  (hasPsql ? it : it.skip)('of a trial are created by the script of its ConfigMap, with the passwords of the secret', async () => {
    const [secret] = await callsOf(blocksWith('devDependencies.enabled=true')[0]!, 'kubectl', folder).then((commands) =>
      commands.filter((words) => words.includes('tire-database')),
    );
    const passwords = new Map(
      secret!
        .filter((word) => word.startsWith('--from-literal='))
        .map((word) => word.split(/=([^=]+)=(.*)/s).slice(1, 3) as [string, string]),
    );
    await mkdir(join(folder, 'passwords'));
    for (const [key, value] of passwords) await writeFile(join(folder, 'passwords', key), value);
    const [install] = await callsOf(blocksWith('devDependencies.enabled=true')[0]!, 'helm');
    const scripts = ofKind(await renderAsInstalled(install!), 'ConfigMap').flatMap(({ data }) => data!['databases.sh'] ?? []);
    expect(scripts).toHaveLength(1);
    await byPsql(scripts[0]!.replaceAll('/passwords/', `${folder}/passwords/`));
    await expectRoles((key) => passwords.get(key)!);
  });
});
