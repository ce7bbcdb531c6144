import { PROVIDERS, type Provider } from '../src/models/providers';

/** What runs the models in a bench. */
export function benchProvider(): Provider {
  const name = process.env['EXECUTION_PROVIDERS'] ?? 'cpu';
  const provider = PROVIDERS.find((one) => one === name);
  if (!provider) throw new Error(`EXECUTION_PROVIDERS is ${name}, and a bench takes one of ${PROVIDERS.join(', ')}`);
  return provider;
}
