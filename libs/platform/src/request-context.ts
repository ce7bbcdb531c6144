import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

export interface RequestContext {
  readonly requestId: string;
  /** The caller as `kind:id`, after authentication. Calls to other services carry it. */
  actor?: string | undefined;
}

/** The context of the current request. It survives every await. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * The id that the client sent, if it is valid, so that its logs and ours can be joined. Logs print it, hence the narrow alphabet. Our own
 * id is not sortable by time: a sortable id costs 12 us of the 130 us of a read, this one 0.2.
 */
export const acceptRequestId = (given: unknown): string =>
  typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();

/** Sets the caller of the current request. */
export function setActor(actor: string): void {
  const context = requestContext.getStore();
  if (context) context.actor = actor;
}

/** Handles a message for the caller of the request that caused it in another service. */
export const onBehalfOf = <T>(actor: string | undefined, work: () => T): T =>
  requestContext.run({ requestId: requestContext.getStore()?.requestId ?? randomUUID(), actor }, work);

export const currentActor = (): string | undefined => requestContext.getStore()?.actor;

export const REQUEST_ID_HEADER = 'x-request-id';
