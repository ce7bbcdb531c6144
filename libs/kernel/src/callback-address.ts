import { DomainError } from './errors';

/** Addresses without TLS (`plain`) are for development only. In production every attempt would be refused. */
export function requireCallable(url: string, param: string, plain: boolean): void {
  if (plain || new URL(url).protocol === 'https:') return;
  throw new DomainError('validation_error', { param, message: `${param}: must be an absolute HTTPS URL` });
}
