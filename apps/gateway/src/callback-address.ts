import { DomainError } from '@tire/kernel';

/** Whether addresses without TLS may be called: in development only. Whoever sends would refuse them at each try. */
export const PLAIN_CALLBACKS = Symbol('PlainCallbacks');

export function requireCallable(url: string, param: string, plainCallbacks: boolean): void {
  if (plainCallbacks || new URL(url).protocol === 'https:') return;
  throw new DomainError('validation_error', { param, message: `${param}: must be an absolute HTTPS URL` });
}
