import { DomainError } from '@tire/kernel';
import { isError } from '../is-error';

/**
 * Connection exceptions, operator intervention (shutdown), insufficient resources, and a server that accepts no writes: while an address
 * moves it may lead to a standby. The connection is closed, because a server that was the primary keeps it open.
 */
const AWAY_SQLSTATE = /^(08|57P|53|25006$)/;
const AWAY_NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Errors of node-postgres without a code. */
const AWAY_TEXT =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;

/** A migration changed the type of a column that a prepared statement of this connection selects. A new connection prepares it anew. */
const isOutdatedPlan = (error: Error): boolean => Reflect.get(error, 'routine') === 'RevalidateCachedQuery';

/** Another transaction held a lock for longer than LOCK_TIMEOUT_MS. The connection is in order. */
const LOCKED_SQLSTATE = '55P03';

const isLocked = (error: unknown): boolean => isError(error) && Reflect.get(error, 'code') === LOCKED_SQLSTATE;

/** The connection is not used again. */
export function isAway(error: unknown): boolean {
  if (!isError(error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string' && (AWAY_SQLSTATE.test(code) || AWAY_NETWORK.has(code))) return true;
  const parts: unknown = Reflect.get(error, 'errors');
  if (Array.isArray(parts) && parts.some(isAway)) return true;
  return AWAY_TEXT.test(error.message) || isOutdatedPlan(error);
}

/** An unavailable database and a lock that does not come become an error that the client may retry. Any other error stays as it is. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof DomainError || !(isAway(error) || isLocked(error))) return error;
  return new DomainError('service_unavailable', { cause: error });
}
