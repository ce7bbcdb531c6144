import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import { describeEnvironment, type Environment, shapeOf, withoutEmpty } from './environment';

/** A variable that this service does not read, although its name resembles settings of this service. */
interface Unread {
  readonly variable: string;
  /** The settings that may be meant, the most similar first. */
  readonly near: readonly string[];
}

/** Names of others that resemble settings of services: libpq, OpenTelemetry, Node, npm, Kubernetes. */
const FOREIGN = /^(PG|OTEL_|NODE_|npm_|UV_|KUBERNETES_|JEST_|NX_)/;
const NEAR_MAX = 3;
const SHOWN_MAX = 200;
const SIMILARITY_MIN = 0.6;

/** The edits between two words; a swap of neighbours is one edit (optimal string alignment). */
export function editsBetween(left: string, right: string): number {
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        above[column]! + 1,
        current[column - 1]! + 1,
        above[column - 1]! + (isSame ? 0 : 1),
        swapped ? before[column - 2]! + 1 : Infinity,
      );
    }
    before = above;
    above = current;
  }
  return above[right.length]!;
}

/** One edit in four letters, or an abbreviation: PASS, PASSWORD. */
const isSameWord = (left: string, right: string): boolean =>
  editsBetween(left, right) <= Math.floor(Math.min(left.length, right.length) / 4) ||
  (Math.min(left.length, right.length) >= 3 && (left.startsWith(right) || right.startsWith(left)));

/** From 0 to 1: the share of words that both names have, or 1 for two names that differ in a letter. One common word says nothing. */
function similarity(name: string, known: string): number {
  const [left, right] = [name.toUpperCase().replaceAll('_', ''), known.replaceAll('_', '')];
  if (editsBetween(left, right) <= Math.floor(right.length / 8)) return 1;
  const words = name.toUpperCase().split('_').filter(Boolean);
  const rest = known.split('_');
  const count = words.length + rest.length;
  let common = 0;
  for (const word of words) {
    const at = rest.findIndex((candidate) => isSameWord(word, candidate));
    if (at < 0) continue;
    rest.splice(at, 1);
    common += 1;
  }
  return common < 2 ? 0 : (2 * common) / count;
}

/** The variables that look as if they were meant for a service with these settings, and that it does not read. */
export function unreadVariables(settings: readonly string[], variables: readonly string[]): Unread[] {
  return variables
    .filter((variable) => !settings.includes(variable) && !FOREIGN.test(variable))
    .map((variable) => {
      const rated = settings.map((name) => ({ name, value: similarity(variable, name) })).filter(({ value }) => value >= SIMILARITY_MIN);
      const near = rated.sort((a, b) => b.value - a.value).map(({ name }) => name);
      return { variable, near: near.slice(0, NEAR_MAX) };
    })
    .filter(({ near }) => near.length > 0);
}

/**
 * The settings whose value is not the default, as the environment has them. Settings without a default are left out: each installation
 * has its own, and only they hold secrets (the configuration reference refuses a secret with a default).
 */
export function changedDefaults(schema: z.ZodType, env: Environment): Record<string, string> {
  const given = withoutEmpty(env);
  const changed = describeEnvironment(schema)
    .filter(({ name, default: value }) => hasDefault(schema, name) && given[name] !== undefined && given[name] !== value)
    .map(({ name }) => [name, given[name]!.slice(0, SHOWN_MAX)] as const);
  return Object.fromEntries(changed);
}

/** False for a required setting and for an optional one without a value of its own. */
export const hasDefault = (schema: z.ZodType, name: string): boolean => shapeOf(schema)[name]?.safeParse(undefined).data !== undefined;

/** Settings that a pod may have of its own. */
const OF_ONE_PROCESS = ['HTTP_HOST', 'HTTP_PORT', 'OPERATIONS_PORT', 'GRPC_HOST', 'GRPC_PORT'];

/**
 * Settings that several services have and that must be the same in all of them: each service builds the same addresses from them, believes
 * the same proxies, or keeps the same exceptions. None is a secret.
 */
export const SHARED_SETTINGS: readonly string[] = [
  'NODE_ENV',
  'PUBLIC_API_URL',
  'SHARE_BASE_URL',
  'OBJECT_STORE_PUBLIC_ORIGIN',
  'TRUSTED_PROXIES',
  'OUTBOUND_FORBIDDEN_RANGES',
  'GRPC_AUTH',
];

/** 48 bits: exact as the value of a metric. */
const FINGERPRINT_BYTES = 6;

const fingerprintOf = (text: string, key: string): string =>
  createHmac('sha256', key).update(text).digest().subarray(0, FINGERPRINT_BYTES).toString('hex');

/** Lists may come in any order; an address may end in a slash. */
const normalized = (value: string): string =>
  value
    .split(',')
    .map((part) => part.trim().replace(/\/+$/, ''))
    .filter(Boolean)
    .sort()
    .join();

/** What a process tells of its settings: its operations port has all of it, and the services that it calls get the shared part. */
export interface OwnSettings {
  readonly changed: Readonly<Record<string, string>>;
  /** Fingerprints of the settings without a default, by name. Keyed, because some are secrets; none without a private key. */
  readonly given: Readonly<Record<string, string>>;
  /** Fingerprints of the settings that all services share, by name. Without a key, because the services have no common secret. */
  readonly shared: Readonly<Record<string, string>>;
  /** Of everything in which the replicas of a service must agree. */
  readonly replicas: string;
}

/** The private key of the service is the same in all its replicas, and only they have it. So a fingerprint cannot be used to check guesses of a secret. */
export function ownSettings(schema: z.ZodType, env: Environment): OwnSettings {
  const values = withoutEmpty(env);
  const key = values['SERVICE_PRIVATE_KEY'];
  const rows = describeEnvironment(schema).map((row) => ({ name: row.name, value: values[row.name], default: row.default }));
  const keyed = rows.flatMap(({ name, value }) =>
    key === undefined || value === undefined || hasDefault(schema, name) ? [] : [[name, fingerprintOf(`${name}=${value}`, key)]],
  );
  const shared = rows.flatMap(({ name, value, default: usual }) =>
    SHARED_SETTINGS.includes(name) && (value !== undefined || hasDefault(schema, name))
      ? [[name, fingerprintOf(normalized(value ?? usual), name)]]
      : [],
  );
  const common = rows
    .filter(({ name }) => hasDefault(schema, name) && !OF_ONE_PROCESS.includes(name))
    .map(({ name, value, default: usual }) => [name, value ?? usual]);
  return {
    changed: changedDefaults(schema, env),
    given: Object.fromEntries(keyed) as Record<string, string>,
    shared: Object.fromEntries(shared) as Record<string, string>,
    replicas: fingerprintOf(JSON.stringify([common, keyed]), key ?? ''),
  };
}

/** The settings that both have, with different values. */
export const disagreements = (ours: OwnSettings['shared'], theirs: OwnSettings['shared']): string[] =>
  Object.keys(ours).filter((name) => theirs[name] !== undefined && theirs[name] !== ours[name]);
