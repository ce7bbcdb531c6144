export const PROVIDERS = ['cpu', 'cuda'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Execution providers in order of preference, and whether the CPU may replace them where they are missing. */
export interface ExecutionOptions {
  readonly requested: readonly Provider[];
  readonly fallback: boolean;
}

/** Sets of providers to try in turn. A session must not use a provider outside its set. */
export const attempts = ({ requested, fallback }: ExecutionOptions): (readonly Provider[])[] =>
  fallback && requested[0] !== 'cpu' ? [requested, ['cpu']] : [requested];

/** Why a session cannot use these providers; undefined where all are available. */
export function unavailable(providers: readonly Provider[], known: readonly string[]): string | undefined {
  const missing = providers.filter((provider) => !known.includes(provider));
  return missing.length === 0 ? undefined : `execution provider ${missing.join(', ')} is missing; this machine has ${known.join(', ')}`;
}
