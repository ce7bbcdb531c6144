import { newId } from '@tire/kernel';
import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestContext {
  readonly requestId: string;
}

/** What belongs to the request that is being answered, across every await of it. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's id where it is one, so that his log and ours can be joined; it is printed, hence the narrow alphabet. */
export const acceptRequestId = (given: unknown): string => (typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : newId());

export const REQUEST_ID_HEADER = 'x-request-id';
