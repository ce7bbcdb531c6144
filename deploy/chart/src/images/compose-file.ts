import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { REPOSITORY_ROOT } from '../paths';

export interface ComposeService {
  readonly image: string;
  readonly build?: { dockerfile: string; args: { APP: string } };
  readonly user?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly volumes?: readonly string[];
  readonly networks?: Readonly<Record<string, { aliases: readonly string[] }>>;
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
}

const VARIABLE = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;

/** Replaces `${A}`, `${A:-default}` and `${A:?error}` as compose does. */
function filled(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (_all, name: string, kind?: string, rest = '') => {
    const value = variables[name];
    if (value) return value;
    if (kind === '-') return rest as string;
    throw new Error(`compose.yaml: ${name}: ${rest || 'is not set'}`);
  });
}

/** The services of this product in compose.yaml, with these variables instead of deploy/.env. */
export function composeServices(variables: Readonly<Record<string, string>>): Map<string, ComposeService> {
  const text = readFileSync(join(REPOSITORY_ROOT, 'deploy/compose.yaml'), 'utf8');
  const fill = (_key: string, value: unknown): unknown => (typeof value === 'string' ? filled(value, variables) : value);
  const { services } = JSON.parse(JSON.stringify(parse(text, { merge: true })), fill) as { services: Record<string, ComposeService> };
  return new Map(Object.entries(services).filter(([, { build }]) => build !== undefined));
}
