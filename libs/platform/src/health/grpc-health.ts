import type { Server } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import type { HealthRegistry } from './health.registry';

const POLL_MS = 1_000;

/** grpc.health.v1 with the status of /health/ready. Polls it, because a client may watch the status. */
export class GrpcHealth {
  private readonly implementation = new HealthImplementation({ '': 'NOT_SERVING' });
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly registry: HealthRegistry,
    private readonly services: readonly string[],
  ) {}

  addTo(server: Server): void {
    this.implementation.addToServer(server);
    void this.poll();
  }

  async refresh(): Promise<void> {
    const status = (await this.registry.isReady()) ? 'SERVING' : 'NOT_SERVING';
    for (const service of ['', ...this.services]) this.implementation.setStatus(service, status);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async poll(): Promise<void> {
    this.timer = setTimeout(() => undefined, 0);
    await this.refresh();
    if (this.timer) this.timer = setTimeout(() => void this.poll(), POLL_MS).unref();
  }
}
