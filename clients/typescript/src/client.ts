import { Http, type ClientSettings } from './http.ts';
import { Reports } from './reports.ts';
import type { ReplayRequest, ReplayResponse, RequestOptions, Vehicle } from './types.ts';
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

/** The partner API, for servers. */
export class TireInspection {
  readonly reports: Reports;
  readonly vehicles: Vehicles;
  readonly webhooks: Webhooks;

  constructor(settings: ClientSettings) {
    const http = new Http(settings);
    this.reports = new Reports(http);
    this.vehicles = new Vehicles(http);
    this.webhooks = new Webhooks(http);
  }
}
