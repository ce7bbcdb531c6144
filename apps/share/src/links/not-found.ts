import { DomainError } from '@tire/kernel';

/** Handles calls to the ledger about a report that it may not return. */
export function nullWhenNotFound(error: unknown): null {
  if (error instanceof DomainError && error.code === 'not_found') return null;
  throw error;
}
