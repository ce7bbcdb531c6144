import { Http, type ClientSettings } from './http.ts';
import { Reports } from './reports.ts';
import type { RequestOptions, Vehicle } from './types.ts';

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

/** The partner API, for servers. */
export class TireInspection {
  readonly reports: Reports;
  readonly vehicles: Vehicles;

  constructor(settings: ClientSettings) {
    const http = new Http(settings);
    this.reports = new Reports(http);
    this.vehicles = new Vehicles(http);
  }
}
