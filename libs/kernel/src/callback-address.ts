import { DomainError } from './errors';

/** Addresses without TLS (`plain`) are called in development only: whoever sends would refuse them at each try. */
export function requireCallable(url: string, param: string, plain: boolean): void {
  if (plain || new URL(url).protocol === 'https:') return;
  throw new DomainError('validation_error', { param, message: `${param}: must be an absolute HTTPS URL` });
}
