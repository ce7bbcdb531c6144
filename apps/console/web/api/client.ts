import type { ConsoleError } from '@tire/contracts';

const API = '/console/api';
/** Nothing spins for ever. */
const TIMEOUT_MS = 20_000;

type Failure = ConsoleError['error'];

/** An answer of the API that is no success, or none at all: then its code is `unreachable`. */
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

let csrfToken = '';
/** What the session said last; every call that changes something carries it. */
export const setCsrfToken = (token: string): void => void (csrfToken = token);

async function send(method: string, path: string, body: unknown): Promise<Response> {
  const headers: Record<string, string> = method === 'GET' ? {} : { 'x-csrf-token': csrfToken };
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    return await fetch(`${API}${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw new ApiError(0, 'unreachable', 'The service did not answer.');
  }
}

export async function call<Answer = undefined>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Answer> {
  const response = await send(method, path, body);
  if (response.status === 204) return undefined as Answer;
  const answer = (await response.json().catch(() => null)) as { error?: Failure } | null;
  if (response.ok && answer !== null) return answer as Answer;
  const error = answer?.error;
  if (!error) throw new ApiError(response.status, 'unreachable', 'The service did not answer.');
  throw new ApiError(response.status, error.code, error.message, error.param, response.headers.get('x-request-id'));
}
