import { isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { DataSource, type EntityManager } from 'typeorm';
import { GRANTABLE_SCOPES } from './domain/scopes';
import {
  createKey,
  createMember,
  createOrganization,
  createProject,
  GATEWAY_ENTITIES,
  listKeys,
  revokeKey,
  type ApiKeyRow,
} from './organization.store';
import { hashPassword } from './password';

export const USAGE = `usage: admin COMMAND [--json]
  create-organization --name NAME
  create-project --organization ID --mode test|live --name NAME
  create-key --project ID --scopes SCOPE,… --name NAME
  list-keys --project ID
  revoke-key --key ID
  create-owner --organization ID --email ADDRESS --password-stdin
scopes: ${GRANTABLE_SCOPES.join(' ')}`;

const PASSWORD_MIN_LENGTH = 12;

export class UsageError extends Error {}

type Options = Readonly<Record<string, string | boolean | undefined>>;
/** One thing, or a list of things. */
type Printed = Record<string, string | string[] | null>;
type Answer = Printed | Printed[];
type Command = (options: Options, input: Readable) => Promise<(tx: EntityManager) => Promise<Answer>>;

function required(options: Options, name: string): string {
  const value = options[name];
  if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`--${name} is missing`);
  return value;
}

function id(options: Options, name: string): string {
  const value = required(options, name);
  if (!isUuid(value)) throw new UsageError(`--${name} is no id`);
  return value;
}

/** Which key it is, and whether anybody misses it; not the key. */
const shownKey = ({ keyId, name, prefix, last4, scopes, createdAt, lastUsedAt, revokedAt }: ApiKeyRow): Printed => ({
  id: keyId,
  name,
  key: `${prefix}…${last4}`,
  scopes,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  revoked_at: revokedAt?.toISOString() ?? null,
});

/** Each command reads its input first, then works in one transaction. */
const COMMANDS: Readonly<Record<string, Command>> = {
  'create-organization': async (options) => {
    const name = required(options, 'name');
    return async (tx) => ({ id: await createOrganization(tx, name), name });
  },
  'create-project': async (options) => {
    const organizationId = id(options, 'organization');
    const mode = required(options, 'mode');
    if (mode !== 'test' && mode !== 'live') throw new UsageError('--mode is test or live');
    const name = required(options, 'name');
    return async (tx) => ({ id: await createProject(tx, { organizationId, mode, name }), organization: organizationId, mode, name });
  },
  'create-key': async (options) => {
    const projectId = id(options, 'project');
    const scopes = required(options, 'scopes').split(',');
    const unknown = scopes.find((scope) => !GRANTABLE_SCOPES.includes(scope));
    if (unknown !== undefined) throw new UsageError(`there is no scope ${JSON.stringify(unknown)}`);
    const name = required(options, 'name');
    return async (tx) => {
      const { keyId, key, prefix, last4 } = await createKey(tx, { projectId, name, scopes });
      return { id: keyId, key, prefix, last4, project: projectId, name, scopes };
    };
  },
  'list-keys': async (options) => {
    const projectId = id(options, 'project');
    return async (tx) => (await listKeys(tx, projectId)).map(shownKey);
  },
  'revoke-key': async (options) => {
    const keyId = id(options, 'key');
    return async (tx) => ({ id: keyId, revoked_at: (await revokeKey(tx, keyId, new Date())).toISOString() });
  },
  'create-owner': async (options, input) => {
    const organizationId = id(options, 'organization');
    const email = required(options, 'email').toLowerCase();
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError('--email is no address');
    if (options['password-stdin'] !== true) throw new UsageError('--password-stdin is missing: the password is read from the input');
    const password = (await text(input)).replace(/\r?\n$/, '');
    if (password.length < PASSWORD_MIN_LENGTH) throw new UsageError(`the password has fewer than ${PASSWORD_MIN_LENGTH} characters`);
    const passwordHash = await hashPassword(password);
    return async (tx) => ({
      id: await createMember(tx, { organizationId, email, passwordHash, role: 'owner' }),
      organization: organizationId,
      email,
    });
  },
};

async function inTransaction<T>(databaseUrl: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
  const source = new DataSource({
    type: 'postgres',
    url: databaseUrl,
    applicationName: 'gateway-admin',
    entities: GATEWAY_ENTITIES,
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
  });
  await source.initialize();
  try {
    return await new Database(source).asSystem(work);
  } finally {
    await source.destroy();
  }
}

const lines = (thing: Printed): string =>
  Object.entries(thing)
    .map(([name, value]) => `${name}: ${value === null ? 'never' : String(value)}`)
    .join('\n');

const printed = (answer: Answer, asJson: boolean): string => {
  if (asJson) return JSON.stringify(answer);
  return Array.isArray(answer) ? answer.map(lines).join('\n\n') : lines(answer);
};

const flag = { type: 'string' } as const;

const OPTIONS = {
  name: flag,
  organization: flag,
  mode: flag,
  project: flag,
  scopes: flag,
  key: flag,
  email: flag,
  'password-stdin': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

function parsedArguments(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function parsed(args: string[]): { command: Command; options: Options } {
  const { positionals, values } = parsedArguments(args);
  const [name = '', ...more] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command || more.length > 0) throw new UsageError('which command?');
  return { command, options: values };
}

/** What an operator does before there is a console, and what the local stack does on its first start. Returns what is printed. */
export async function administer(args: string[], input: Readable, databaseUrl: () => string): Promise<string> {
  const { command, options } = parsed(args);
  const work = await command(options, input);
  return printed(await inTransaction(databaseUrl(), work), options['json'] === true);
}
