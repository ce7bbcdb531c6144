import { follow, WAIT_SECONDS, type FollowOptions } from './following.ts';
import { Http, type Answer, type ClientSettings } from './http.ts';
import { Reports } from './reports.ts';
import type { ListenedCallbacks, LoggedRequests, PollQuery, ReplayRequest, ReplayResponse, RequestOptions, Vehicle } from './types.ts';
import { poll } from './waiting.ts';

export class Vehicles {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** The depth of each tire over time. */
  get(externalVehicleId: string, options?: RequestOptions): Promise<Vehicle> {
    return this.#http.json({ method: 'GET', path: `/vehicles/${encodeURIComponent(externalVehicleId)}` }, options);
  }
}

/** The service waits, and answers before this client gives up. */
function polled<Part>(
  http: Http,
  path: string,
  { after, wait_s }: PollQuery,
  options: RequestOptions,
  maxRetries?: number,
): Promise<Answer<Part>> {
  return http.call<Part>({ method: 'GET', path, query: { after, wait_s }, waitMs: (wait_s ?? 0) * 1_000, maxRetries }, options);
}

export interface ReplayOptions extends RequestOptions {
  /** How long each part waits for room, in milliseconds. Five minutes by default. */
  readonly timeoutMs?: number;
}

/** So many that the time of the part ends first. */
const REPLAY_RETRIES = 1_000;

export class Webhooks {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Callbacks of a test project after the cursor, or none where nothing happens within `wait_s`. Without `after` it tells where to begin. */
  async poll(query: PollQuery = {}, options: RequestOptions = {}): Promise<ListenedCallbacks> {
    return (await polled<ListenedCallbacks>(this.#http, '/callbacks', query, options)).body;
  }

  /**
   * The callbacks of a test project as they are sent, part after part, until the iteration or the signal ends: what `callback_url` gets, of
   * every report and event. `after` goes on where an earlier iteration was.
   */
  listen(options: FollowOptions = {}): AsyncGenerator<ListenedCallbacks, void, undefined> {
    const read = (after: string | undefined, one: RequestOptions) =>
      polled<ListenedCallbacks>(this.#http, '/callbacks', { after, wait_s: WAIT_SECONDS }, one, 0);
    return follow(read, ({ callbacks }) => callbacks.length === 0, options);
  }

  /**
   * Sends the ended callbacks of a period again, the oldest first. Each part is sent when the iteration comes to it, and waits while the
   * service has no room for more (429). After a fault go on with `cursor`, the `next_cursor` of the part before.
   */
  async *replay(request: ReplayRequest, options: ReplayOptions = {}): AsyncGenerator<ReplayResponse, void, undefined> {
    for (let cursor = request.cursor ?? null; ;) {
      const body = cursor === null ? request : { ...request, cursor };
      // A callback that has ended between two attempts would be sent twice.
      const call = { method: 'POST', path: '/webhooks/replay', body, once: true, maxRetries: REPLAY_RETRIES } as const;
      const part = await poll(
        'Room for further callbacks',
        (one) => this.#http.call<ReplayResponse>(call, one),
        () => true,
        options,
      );
      yield part;
      if (part.next_cursor === null) return;
      cursor = part.next_cursor;
    }
  }
}

/** What the keys of the project requested. The key needs all scopes. */
export class RequestLog {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Requests after the cursor, or none where nothing happens within `wait_s`. Without `after` it tells where to begin. */
  async poll(query: PollQuery = {}, options: RequestOptions = {}): Promise<LoggedRequests> {
    return (await polled<LoggedRequests>(this.#http, '/requests', query, options)).body;
  }

  /** The requests of the project as they are logged, part after part, until the iteration or the signal ends. */
  tail(options: FollowOptions = {}): AsyncGenerator<LoggedRequests, void, undefined> {
    const read = (after: string | undefined, one: RequestOptions) =>
      polled<LoggedRequests>(this.#http, '/requests', { after, wait_s: WAIT_SECONDS }, one, 0);
    return follow(read, ({ requests }) => requests.length === 0, options);
  }
}

/** The partner API, for servers. */
export class TireInspection {
  readonly reports: Reports;
  readonly vehicles: Vehicles;
  readonly webhooks: Webhooks;
  readonly requests: RequestLog;

  constructor(settings: ClientSettings) {
    const http = new Http(settings);
    this.reports = new Reports(http);
    this.vehicles = new Vehicles(http);
    this.webhooks = new Webhooks(http);
    this.requests = new RequestLog(http);
  }
}
