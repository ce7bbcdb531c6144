export type Provider = 'cpu' | 'cuda';

/** What shall run a model, in order of preference, and whether the CPU may stand in where that cannot be had. */
export interface ExecutionOptions {
  readonly requested: readonly Provider[];
  readonly fallback: boolean;
}

/** Providers to try one after another: each is all of a session's providers, and what remains unnamed must not run. */
export const attempts = ({ requested, fallback }: ExecutionOptions): (readonly Provider[])[] =>
  fallback && requested[0] !== 'cpu' ? [requested, ['cpu']] : [requested];

/** Why a session on these providers would not be what was asked for; undefined where all of them are there. */
export function unavailable(providers: readonly Provider[], known: readonly string[]): string | undefined {
  const missing = providers.filter((provider) => !known.includes(provider));
  return missing.length === 0 ? undefined : `execution provider ${missing.join(', ')} was asked for, this machine has ${known.join(', ')}`;
}
