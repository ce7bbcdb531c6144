import type { PartnerClient } from '../client';

const CREATIONS_PART = 0.1;
const TICK_MS = 5;

/** Requests that come evenly, whether or not the former ones were answered: mostly readings, one in ten a creation. */
export class SteadyLoad {
  readonly failures: string[] = [];
  readonly created: string[] = [];
  sent = 0;
  private readonly inFlight = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: PartnerClient,
    private readonly perSecond: number,
  ) {}

  start(): void {
    const startedMs = performance.now();
    this.timer = setInterval(() => {
      const due = ((performance.now() - startedMs) / 1000) * this.perSecond;
      while (this.sent < due) this.send();
    }, TICK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.inFlight);
  }

  /** Reports that were created and are not there: none may be. */
  async lost(): Promise<string[]> {
    const missing: string[] = [];
    for (const id of this.created) {
      const { status } = await this.client.call('GET', `/reports/${id}`);
      if (status !== 200) missing.push(id);
    }
    return missing;
  }

  private send(): void {
    this.sent += 1;
    const known = this.created[Math.floor(Math.random() * this.created.length)];
    const creates = known === undefined || this.sent % (1 / CREATIONS_PART) === 0;
    const request = (creates ? this.create() : this.client.json('GET', `/reports/${known}`)).then(() => undefined, this.failed);
    this.inFlight.add(request);
    void request.then(() => this.inFlight.delete(request));
  }

  readonly failed = (error: Error): void =>
    void this.failures.push(`${new Date().toISOString()} ${error.message} ${(error.cause as Error | undefined)?.message ?? ''}`);

  private async create(): Promise<void> {
    this.created.push((await this.client.create({ template: 'tire_4t_0s' })).report_id);
  }
}
