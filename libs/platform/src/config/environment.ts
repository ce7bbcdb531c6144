import { z } from 'zod';

/** All errors of the environment at once, by variable. Never contains a value, because any value may be a secret. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly { variable: string; fault: string }[]) {
    super(`The environment is not valid: ${faults.map(({ variable, fault }) => `${variable}: ${fault}`).join('; ')}`);
    this.name = 'ConfigError';
  }
}

export type Environment = Record<string, string | undefined>;

export const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> =>
  schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};

/** Compose files and charts write an empty string for a value that is not set. */
export const withoutEmpty = (env: Environment): Environment => Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));

function refusedInProduction(schema: z.ZodType, env: Environment): { variable: string; fault: string }[] {
  const mode = shapeOf(schema)['NODE_ENV']?.safeParse(env['NODE_ENV']);
  if (mode && mode.data !== 'production') return [];
  return Object.entries(shapeOf(schema))
    .filter(([variable, field]) => env[variable] !== undefined && field.meta()?.['refusedInProduction'] === true)
    .map(([variable]) => ({ variable, fault: 'refused in production' }));
}

export function parseEnvironment<S extends z.ZodType>(schema: S, env: Environment = process.env): z.infer<S> {
  const given = withoutEmpty(env);
  const parsed = schema.safeParse(given);
  const faults = (parsed.error?.issues ?? []).map((issue) => {
    const variable = String(issue.path[0] ?? 'environment');
    return { variable, fault: issue.path.length > 0 && given[variable] === undefined ? 'required' : issue.message };
  });
  faults.push(...refusedInProduction(schema, given));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return parsed.data;
}

export interface EnvironmentRow {
  readonly name: string;
  readonly required: boolean;
  /** The default as the environment would contain it. Empty if there is none. */
  readonly default: string;
  readonly description: string;
}

/** One row for each variable, for the configuration reference. */
export function describeEnvironment(schema: z.ZodType): EnvironmentRow[] {
  return Object.entries(shapeOf(schema)).map(([name, field]) => {
    const absent = field.safeParse(undefined);
    const value: unknown = absent.success ? absent.data : undefined;
    return {
      name,
      required: !absent.success,
      default: value === undefined || value === null ? '' : Array.isArray(value) ? value.join(',') : String(value),
      description: field.meta()?.description ?? '',
    };
  });
}
