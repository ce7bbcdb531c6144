import { DomainError } from '@tire/kernel';
import { isError } from '../is-error';

/** Postgres is away, going or full: connection exceptions, operator intervention, insufficient resources. */
const AWAY_SQLSTATE = /^(08|57P|53)/;
const AWAY_NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
/** node-postgres gives these no code. */
const AWAY_TEXT =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;

function isAway(error: unknown): boolean {
  if (!isError(error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string' && (AWAY_SQLSTATE.test(code) || AWAY_NETWORK.has(code))) return true;
  const parts: unknown = Reflect.get(error, 'errors');
  if (Array.isArray(parts) && parts.some(isAway)) return true;
  return AWAY_TEXT.test(error.message);
}

/** A database that is away is a refusal the client may retry; any other failure is passed on as it is. */
export const asRefusal = (error: unknown): unknown =>
  error instanceof DomainError || !isAway(error) ? error : new DomainError('service_unavailable', { cause: error });
