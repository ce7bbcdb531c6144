import { KEY_SCOPES } from '@tire/contracts/api';
import { EmailAddress, NewPassword } from '@tire/contracts/console';
import { DomainError, isForAll, isProjectRule, isUuid, isValueOf, PROJECT_RULES, systemClock } from '@tire/kernel';
import { createDataSource, Database, type Tx } from '@tire/platform';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { recordByOperator, recordChange, type AuditedChange } from '../audit/audit.store';
import { deleteIdentities } from '../identity/openid/openid.store';
import { deleteRecoveryCodes } from '../identity/one-time-codes/recovery-codes.store';
import { deletePasskeys } from '../identity/passkeys/passkeys.store';
import { endOtherSessions } from '../identity/sessions/sessions.store';
import { addMember, createUser, disableTotp, findUserByEmail, setPasswordHash, type User } from '../identity/accounts/users.store';
import { createKey, listKeys, revokeKey, type KeyRow } from '../keys/key.store';
import { createOrganization, organizationIds, requireOrganization } from '../organizations/organization.store';
import { createProject, findProject } from '../projects/project.store';
import { chooseRule, isStored, listedRules } from '../projects/rules.store';
import { hashPassword } from '../identity/accounts/password';

export const USAGE = `usage: admin COMMAND [--json]
  create-organization --name NAME [--owner-email ADDRESS --password-stdin]
  create-project --organization ID --mode test|live --name NAME
  create-key --project ID --scopes SCOPE,… --name NAME
  list-keys --project ID
  revoke-key --key ID
  create-owner --organization ID --email ADDRESS --password-stdin
  set-password --email ADDRESS --password-stdin
  disable-codes --email ADDRESS
  list-rules [--project ID]
  set-rule --rule RULE --value VALUE|usual [--project ID]   (without a project: for all that have no value of their own)
  report explain ID
  erasure request --project ID --plate|--vin|--vehicle|--report|--phone|--email|--name VALUE
  erasure show|cancel --erasure ID
  erasure confirm --erasure ID --reason TEXT
  erasure index [--since DAY]
  erasure replay < INDEX
  erasure export --project ID --plate|… VALUE --out FILE
scopes: ${KEY_SCOPES.join(' ')}
rules: ${Object.entries(PROJECT_RULES)
  .map(([rule, { values }]) => `${rule} (${values.join(' | ')})`)
  .join(', ')}
content_rules 1.1 turns off rules of safety (bald zones, unseen parts, error ranges, photographs in two slots), and needs --project`;

export class UsageError extends Error {}

type Options = Readonly<Record<string, string | boolean | undefined>>;
/** One record or a list of records. */
type Printed = Record<string, string | string[] | null>;
type Output = Printed | Printed[];
type Work = (tx: Tx, now: Date) => Promise<Output>;
type Command = (options: Options, input: Readable) => Promise<Work>;

function required(options: Options, name: string): string {
  const value = options[name];
  if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`--${name} is missing`);
  return value;
}

function id(options: Options, name: string): string {
  const value = required(options, name);
  if (!isUuid(value)) throw new UsageError(`--${name} is not a valid id`);
  return value;
}

interface Owner {
  readonly email: string;
  readonly passwordHash: string;
}

function address(options: Options, name: string): string {
  const { data, error } = EmailAddress.safeParse(required(options, name));
  if (error) throw new UsageError(`--${name} is not a valid e-mail address`);
  return data;
}

async function ownerOf(options: Options, emailOption: string, input: Readable): Promise<Owner> {
  const email = address(options, emailOption);
  if (options['password-stdin'] !== true) throw new UsageError('--password-stdin is missing: the password is read from standard input');
  const { data, error } = NewPassword.safeParse((await text(input)).replace(/\r?\n$/, ''));
  if (error) throw new UsageError(`the password ${error.issues[0]?.message}`);
  return { email, passwordHash: await hashPassword(data) };
}

async function createOwner(tx: Tx, organizationId: string, { email, passwordHash }: Owner, now: Date): Promise<string> {
  await requireOrganization(tx, organizationId);
  const userId = await createUser(tx, { email, name: email.split('@', 1)[0]!, passwordHash });
  await addMember(tx, organizationId, userId, 'owner');
  await recordChange(tx, organizationId, null, { action: 'member.joined', subject: email, details: { role: 'owner' } }, now);
  return userId;
}

/** Members see in the audit log what the operator did to their project. */
async function recordInProject(tx: Tx, projectId: string, change: AuditedChange, now: Date): Promise<void> {
  const { organizationId } = (await findProject(tx, projectId))!;
  await recordChange(tx, organizationId, null, { ...change, projectId }, now);
}

const USUAL = 'usual';

/** Null: what is usual in this release; then the rule may also be one that has left the list. */
function ruleChoice(options: Options): { rule: string; value: string | null } {
  const [rule, value] = [required(options, 'rule'), required(options, 'value')];
  if (value === USUAL) return { rule, value: null };
  if (!isProjectRule(rule)) throw new UsageError(`unknown rule ${JSON.stringify(rule)}`);
  if (!isValueOf(rule, value)) throw new UsageError(`unknown value ${JSON.stringify(value)} of ${rule}`);
  if (options['project'] === undefined && !isForAll(rule, value))
    throw new UsageError(`${rule} ${value} turns off rules of safety: --project is missing`);
  return { rule, value };
}

/** A change for all concerns the reports of every organization. */
async function recordRule(tx: Tx, projectId: string | null, rule: string, details: Record<string, string>, now: Date): Promise<void> {
  const change: AuditedChange = { action: 'project.rule_changed', subject: rule, details: { rule, ...details } };
  if (projectId !== null) return recordInProject(tx, projectId, change, now);
  for (const organizationId of await organizationIds(tx)) await recordChange(tx, organizationId, null, change, now);
}

async function userOf(tx: Tx, email: string): Promise<User> {
  const user = await findUserByEmail(tx, email);
  if (!user) throw new DomainError('not_found', { message: 'There is no such user.' });
  return user;
}

/** Identifies a key and shows its last use; not the key itself. */
const shownKey = ({ keyId, name, prefix, last4, scopes, createdAt, lastUsedAt, revokedAt }: KeyRow): Printed => ({
  id: keyId,
  name,
  key: `${prefix}…${last4}`,
  scopes: [...scopes],
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  revoked_at: revokedAt?.toISOString() ?? null,
});

/** Each command reads its input first, then works in one transaction. */
const COMMANDS: Readonly<Record<string, Command>> = {
  'create-organization': async (options, input) => {
    const name = required(options, 'name');
    const owner = options['owner-email'] === undefined ? null : await ownerOf(options, 'owner-email', input);
    return async (tx, now): Promise<Output> => {
      const organizationId = await createOrganization(tx, name);
      if (!owner) return { id: organizationId, name };
      return { id: organizationId, name, owner: await createOwner(tx, organizationId, owner, now), email: owner.email };
    };
  },
  'create-project': async (options) => {
    const organizationId = id(options, 'organization');
    const mode = required(options, 'mode');
    if (mode !== 'test' && mode !== 'live') throw new UsageError('--mode must be test or live');
    const name = required(options, 'name');
    return async (tx, now) => {
      const projectId = await createProject(tx, { organizationId, mode, name });
      await recordInProject(tx, projectId, { action: 'project.created', subject: projectId, details: { name, mode } }, now);
      return { id: projectId, organization: organizationId, mode, name };
    };
  },
  'create-key': async (options) => {
    const projectId = id(options, 'project');
    const scopes = required(options, 'scopes').split(',');
    const unknown = scopes.find((scope) => !(KEY_SCOPES as readonly string[]).includes(scope));
    if (unknown !== undefined) throw new UsageError(`unknown scope ${JSON.stringify(unknown)}`);
    const name = required(options, 'name');
    return async (tx, now) => {
      const { keyId, key, prefix, last4 } = await createKey(tx, { projectId, name, scopes });
      await recordInProject(tx, projectId, { action: 'key.issued', subject: keyId, details: { name, scopes: scopes.join(' ') } }, now);
      return { id: keyId, key, prefix, last4, project: projectId, name, scopes };
    };
  },
  'list-keys': async (options) => {
    const projectId = id(options, 'project');
    return async (tx) => (await listKeys(tx, projectId)).map(shownKey);
  },
  'revoke-key': async (options) => {
    const keyId = id(options, 'key');
    return async (tx, now) => {
      const { projectId, name, revokedAt, isFirst } = await revokeKey(tx, keyId, now);
      if (isFirst) await recordInProject(tx, projectId, { action: 'key.revoked', subject: keyId, details: { name } }, now);
      return { id: keyId, revoked_at: revokedAt.toISOString() };
    };
  },
  'list-rules': async (options) => {
    const of = options['project'] === undefined ? null : id(options, 'project');
    return async (tx): Promise<Output> => {
      const { rows, isWhole } = await listedRules(tx, of);
      const shown = rows.map(({ projectId, rule, value, changedAt }) => ({
        project: projectId ?? 'all',
        rule,
        // The row of a rule or a value that this release does not have is ignored.
        applies: isProjectRule(rule) && isValueOf(rule, value) ? 'yes' : 'no',
        value,
        changed_at: changedAt.toISOString(),
      }));
      return isWhole ? shown : [...shown, { more: `only ${shown.length} are listed; --project lists those of a project` }];
    };
  },
  'set-rule': async (options) => {
    const { rule, value } = ruleChoice(options);
    const projectId = options['project'] === undefined ? null : id(options, 'project');
    return async (tx, now) => {
      if (projectId !== null && !(await findProject(tx, projectId)))
        throw new DomainError('not_found', { message: 'There is no such project.' });
      if (!isProjectRule(rule) && !(await isStored(tx, rule))) throw new DomainError('not_found', { message: 'There is no such rule.' });
      const before = await chooseRule(tx, projectId, rule, value, now);
      const details = { from: before ?? USUAL, to: value ?? USUAL };
      if (before !== value) await recordRule(tx, projectId, rule, details, now);
      return { project: projectId ?? 'all', rule, ...details };
    };
  },
  'create-owner': async (options, input) => {
    const organizationId = id(options, 'organization');
    const owner = await ownerOf(options, 'email', input);
    return async (tx, now) => ({ id: await createOwner(tx, organizationId, owner, now), organization: organizationId, email: owner.email });
  },
  'set-password': async (options, input) => {
    const { email, passwordHash } = await ownerOf(options, 'email', input);
    return async (tx, now) => {
      const { userId } = await userOf(tx, email);
      await setPasswordHash(tx, userId, passwordHash);
      await deletePasskeys(tx, userId);
      await endOtherSessions(tx, userId, null);
      await deleteIdentities(tx, userId);
      await recordByOperator(tx, { userId, email }, 'password.changed', now);
      return { id: userId, email };
    };
  },
  'disable-codes': async (options) => {
    const email = address(options, 'email');
    return async (tx, now) => {
      const { userId } = await userOf(tx, email);
      const hadCodes = await disableTotp(tx, userId);
      await deleteRecoveryCodes(tx, userId);
      if (hadCodes) await recordByOperator(tx, { userId, email }, 'totp.disabled', now);
      return { id: userId, email };
    };
  },
};

async function inTransaction(databaseUrl: string, work: (tx: Tx) => Promise<Output>): Promise<Output> {
  const source = createDataSource({ url: databaseUrl, poolSize: 1, applicationName: 'gateway-admin' });
  await source.initialize();
  try {
    return await new Database(source).asSystem(work);
  } finally {
    await source.destroy();
  }
}

const lines = (record: Printed): string =>
  Object.entries(record)
    .map(([name, value]) => `${name}: ${value === null ? 'never' : String(value)}`)
    .join('\n');

const printed = (output: Output, asJson: boolean): string => {
  if (asJson) return JSON.stringify(output);
  return Array.isArray(output) ? output.map(lines).join('\n\n') : lines(output);
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
  rule: flag,
  value: flag,
  'owner-email': flag,
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
  if (!command || more.length > 0) throw new UsageError('a known command is required');
  return { command, options: values };
}

/** The command line of operators and of the local stack. Returns what is printed. */
export async function administer(args: string[], input: Readable, databaseUrl: () => string): Promise<string> {
  const { command, options } = parsed(args);
  const work = await command(options, input);
  const output = await inTransaction(databaseUrl(), (tx) => work(tx, systemClock.now()));
  return printed(output, options['json'] === true);
}
