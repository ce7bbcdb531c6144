import { ApiError, apiError, ConnectionError, type AnswerFacts } from './errors.ts';
import { readRetryAfter, withRetries, type RetryPolicy } from './retries.ts';
import type { RequestOptions } from './types.ts';

export interface ClientSettings {
  /** `svc_test_…` or `svc_live_…`. For servers only: a key in a browser or an app belongs to everybody. */
  readonly apiKey: string;
  /** With the prefix: `https://tires.example/api/v1`. */
  readonly baseUrl: string;
  /** How often a request is repeated that failed for now. 4 by default. */
  readonly maxRetries?: number;
  /** The longest pause before the first repetition, in milliseconds. 500 by default; each further one is twice as long. */
  readonly retryDelayMs?: number;
  /** The time for one attempt, in milliseconds. 30,000 by default; an upload has four times as long. */
  readonly timeoutMs?: number;
  /** Instead of the global one: for a proxy, or for tests. */
  readonly fetch?: typeof fetch;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A second execution would do something else than the first one: it is repeated only if the service has refused it unread (429). */
  readonly once?: boolean;
  /** Instead of that of the client. */
  readonly maxRetries?: number | undefined;
  /** So long the service may wait before it answers, beside the time of an attempt. */
  readonly waitMs?: number;
}

export interface Answer<T> extends AnswerFacts {
  readonly body: T;
  readonly headers: Headers;
}

/** What went wrong without an answer, from the code of the system only: messages of fetch may repeat an address or a header. */
export function connectionError(error: unknown, what: string): ConnectionError {
  const { cause, name } = error as { cause?: { code?: unknown }; name?: string };
  const code = name === 'TimeoutError' ? 'no answer in time' : cause?.code;
  return new ConnectionError(`${what}: ${typeof code === 'string' ? code : 'no connection'}`);
}

const isJson = (headers: Headers): boolean => /^application\/(.+\+)?json\b/i.test(headers.get('content-type') ?? '');

export class Http {
  readonly policy: RetryPolicy;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly #authorization: string;
  readonly #baseUrl: string;

  constructor({ apiKey, baseUrl, maxRetries = 4, retryDelayMs = 500, timeoutMs = 30_000, ...settings }: ClientSettings) {
    if ('document' in globalThis) throw new TypeError('An API key must not be used in a browser.');
    // Checked here, because fetch would quote a header that it does not take.
    if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
      throw new TypeError('apiKey must be the key as the console shows it.');
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) throw new TypeError('baseUrl must be an HTTP address.');
    this.#authorization = `Bearer ${apiKey}`;
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.policy = { maxRetries, retryDelayMs };
    this.timeoutMs = timeoutMs;
    this.fetch = settings.fetch ?? ((...args) => globalThis.fetch(...args));
  }

  call<T>(call: Call, { signal }: RequestOptions = {}): Promise<Answer<T>> {
    return withRetries(
      { ...this.policy, maxRetries: call.maxRetries ?? this.policy.maxRetries },
      signal,
      () => this.#attempt<T>(call, signal),
      (error) => {
        if (error instanceof ConnectionError) return { again: !call.once };
        if (!(error instanceof ApiError)) return { again: false };
        return { again: error.retryable && (!call.once || error.status === 429), retryAfterMs: error.retryAfterMs };
      },
    );
  }

  /** The body of the answer only. */
  async json<T>(call: Call, options?: RequestOptions): Promise<T> {
    return (await this.call<T>(call, options)).body;
  }

  async #attempt<T>({ method, path, query = {}, body, headers, waitMs = 0 }: Call, signal?: AbortSignal): Promise<Answer<T>> {
    const url = new URL(`${this.#baseUrl}${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
    const timeout = AbortSignal.timeout(this.timeoutMs + waitMs);
    let response: Response;
    let text: string;
    try {
      response = await this.fetch(url, {
        method,
        headers: {
          ...headers,
          accept: 'application/json',
          authorization: this.#authorization,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        // The service never redirects. Something else would get the body.
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      throw connectionError(error, `${method} ${path}`);
    }
    return this.#read<T>(response, text, `${method} ${path}`);
  }

  #read<T>({ status, ok, headers }: Response, text: string, what: string): Answer<T> {
    const facts = {
      status,
      requestId: headers.get('x-request-id'),
      retryAfterMs: readRetryAfter(headers.get('retry-after'), Date.now()),
    };
    let body: unknown = null;
    let parsed = text === '';
    if (isJson(headers) && text !== '') {
      try {
        body = JSON.parse(text);
        parsed = true;
      } catch {
        // Treated as an answer of something else.
      }
    }
    if (!ok && status !== 304) throw apiError(body, facts);
    if (!parsed) throw new ConnectionError(`${what}: the answer is not JSON`);
    return { ...facts, headers, body: body as T };
  }
}
