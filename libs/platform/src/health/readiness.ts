import { isError } from '../is-error';
import type { HealthCheck, HealthRegistry } from './health.registry';

const CHECK_TIMEOUT_MS = 2_000;

type Part = { readonly status: 'up' } | { readonly status: 'down'; readonly message: string };
type Parts = Record<string, Part>;

export interface Readiness {
  readonly status: 'ok' | 'error';
  readonly info: Parts;
  readonly error: Parts;
  /** Every part, also those that do not decide readiness. */
  readonly details: Parts;
}

async function within(check: HealthCheck): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  await Promise.race([check(), late]).finally(() => clearTimeout(timer));
}

const stateOf = ([name, check]: [string, HealthCheck]): Promise<[string, Part]> =>
  within(check).then(
    () => [name, { status: 'up' }],
    (error: unknown) => [name, { status: 'down', message: isError(error) ? error.message : String(error) }],
  );

export async function readinessOf(registry: HealthRegistry): Promise<Readiness> {
  const [deciding, informational] = await Promise.all(
    [registry.parts(), registry.information()].map((checks) => Promise.all(checks.map(stateOf))),
  );
  const having = (status: Part['status']): Parts => Object.fromEntries(deciding!.filter(([, part]) => part.status === status));
  const error = having('down');
  return {
    status: Object.keys(error).length === 0 ? 'ok' : 'error',
    info: having('up'),
    error,
    details: Object.fromEntries([...deciding!, ...informational!]),
  };
}
