import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { settingsOfProcess } from '../config/settings';
import { isError } from '../is-error';
import { logger } from '../logs/logger';
import { metricsText } from '../telemetry/metrics';
import { HealthRegistry } from './health.registry';
import { Readiness } from './readiness';

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const json = (status: number, value: unknown): Answer => ({ status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) });

/** Longer than readiness and metrics take at most. */
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Health, metrics and settings, on a port of their own. The public port serves nothing of this, so no proxy and no caller of the API reaches it.
 * Closes last, so that the process is alive for its orchestrator until its work is finished.
 */
@Injectable()
export class OperationsServer implements OnApplicationShutdown {
  private readonly log = logger('operations');
  private server: Server | undefined;

  constructor(
    private readonly registry: HealthRegistry,
    private readonly readiness: Readiness,
  ) {}

  private readonly routes: Readonly<Record<string, () => Promise<Answer>>> = {
    '/health/live': async () => {
      const fault = await this.registry.assertAlive().then(
        () => undefined,
        (error: unknown) => (isError(error) ? error.message : String(error)),
      );
      return fault === undefined ? json(200, { status: 'ok' }) : json(503, { status: 'error', message: fault });
    },
    '/health/ready': async () => {
      const result = await this.readiness.read();
      return json(result.status === 'ok' ? 200 : 503, result);
    },
    '/settings': async () => json(200, settingsOfProcess()),
    '/metrics': async () => ({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: await metricsText() }),
  };

  /** Undefined if it does not listen. */
  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  async listen(port: number, host: string): Promise<void> {
    const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
      const path = (request.url ?? '').split('?', 1)[0]!;
      void this.answer(request.method ?? '', path).then(({ status, type, body }) =>
        response
          .writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' })
          .end(request.method === 'HEAD' ? '' : body),
      );
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
    this.server = server;
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  private async answer(method: string, path: string): Promise<Answer> {
    const route = method === 'GET' || method === 'HEAD' ? this.routes[path] : undefined;
    if (!route) return json(404, { status: 'error' });
    try {
      return await route();
    } catch (error) {
      this.log.error({ err: error, path }, 'Health or metrics cannot be read');
      return json(500, { status: 'error' });
    }
  }
}
