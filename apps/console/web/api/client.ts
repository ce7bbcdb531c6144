import type { ConsoleError, CurrentSession } from '@tire/contracts/console';
import { leaseOf, soonEnd, type SessionEnd } from './session-end';

const API = '/console/api';
const TIMEOUT_MS = 20_000;
/** The param of the error for a wrong CSRF token. */
const CSRF_PARAM = 'X-CSRF-Token';

type Failure = ConsoleError['error'];

/** An error response of the API, or no response (code `unreachable`). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: Failure['code'] | 'unreachable',
    message: string,
    readonly param: string | null = null,
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

interface Held {
  readonly userId: string;
  readonly csrfToken: string;
  readonly lease: ReturnType<typeof leaseOf>;
}

let held: Held | null = null;
/** The offset of the service's clock, and the time of its last response. */
let clock = { aheadMs: 0, respondedAtMs: 0 };

const serviceNowMs = (): number => Date.now() + clock.aheadMs;

/** Every request extends the session, so the client can compute its end. */
function readClock({ headers }: Response): void {
  const atMs = Date.parse(headers.get('date') ?? '');
  clock = Number.isNaN(atMs) ? { ...clock, respondedAtMs: serviceNowMs() } : { aheadMs: atMs - Date.now(), respondedAtMs: atMs };
}

/** Null: no session, or the end is not near. */
export const sessionEnd = (): SessionEnd | null => held && soonEnd(held.lease, clock.respondedAtMs, serviceNowMs());

/**
 * Stores the current session; every mutation carries its CSRF token. Returns false if another user signed in in another tab. The page then
 * reloads and drops pending work.
 */
export function holdSession(session: CurrentSession | null): boolean {
  const userId = session?.user.user_id;
  const isAnother = held !== null && userId !== undefined && held.userId !== userId;
  if (isAnother) location.reload();
  else held = session && { userId: session.user.user_id, csrfToken: session.csrf_token, lease: leaseOf(session, serviceNowMs()) };
  return !isAnother;
}

interface Options {
  /** The idempotency key of the form. A retry uses the same key. */
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
}

async function send(method: string, path: string, body: unknown, { idempotencyKey, timeoutMs = TIMEOUT_MS }: Options): Promise<Response> {
  const headers: Record<string, string> = method === 'GET' ? {} : { 'x-csrf-token': held?.csrfToken ?? '' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  try {
    return await fetch(`${API}${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
      // A sign-out is sent completely even if the page closes right after it.
      keepalive: method === 'DELETE',
    });
  } catch {
    throw new ApiError(0, 'unreachable', 'The service did not answer.');
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

async function request<Answer>(method: Method, path: string, body: object | undefined, options: Options): Promise<Answer> {
  const response = await send(method, path, body, options);
  if (response.status !== 401) readClock(response);
  if (response.status === 204) return undefined as Answer;
  const answer = (await response.json().catch(() => null)) as { error?: Failure } | null;
  if (response.ok && answer !== null) return answer as Answer;
  throw failureOf(response, answer);
}

function failureOf({ status, headers }: Response, answer: { error?: Failure } | null): ApiError {
  const error = answer?.error;
  if (!error) return new ApiError(status, 'unreachable', 'The service did not answer.');
  return new ApiError(status, error.code, error.message, error.param, headers.get('x-request-id'));
}

/** A file that the service writes while it reads. One that is cut gives an error, and no part of a file. */
export const readFile = (path: string, timeoutMs: number, body?: object): Promise<Blob> =>
  withCurrentToken(() => requestFile(path, timeoutMs, body));

async function requestFile(path: string, timeoutMs: number, body: object | undefined): Promise<Blob> {
  const response = await send(body ? 'POST' : 'GET', path, body, { timeoutMs });
  if (!response.ok) throw failureOf(response, (await response.json().catch(() => null)) as { error?: Failure } | null);
  readClock(response);
  return response.blob().catch(() => {
    throw new ApiError(0, 'unreachable', 'The file was cut.');
  });
}

export const call = <Answer = undefined>(method: Method, path: string, body?: object, options: Options = {}): Promise<Answer> =>
  withCurrentToken(() => request<Answer>(method, path, body, options));

/** If the same user signed in again in another tab, the call is retried with the token of the current session. */
async function withCurrentToken<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError && error.param === CSRF_PARAM)) throw error;
    if (!holdSession(await request<CurrentSession>('GET', '/session', undefined, {}))) throw error;
    return work();
  }
}
