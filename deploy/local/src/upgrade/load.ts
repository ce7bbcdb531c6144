import type { PartnerClient } from '../client';

const TICK_MS = 5;

/** A report with content and an open share page. */
export interface Published {
  readonly id: string;
  readonly page: string;
}

/** Ten requests: one creates a report, one reads content, one reads the page, and the others read a report. */
const CREATES = 0;
const READS_CONTENT = 3;
const READS_PAGE = 6;
const KINDS = 10;

/** Sends requests at an even rate without waiting for earlier responses. Most are reads. */
export class SteadyLoad {
  readonly failures: string[] = [];
  readonly created: string[] = [];
  sent = 0;
  private readonly inFlight = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: PartnerClient,
    private readonly published: Published,
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

  /** Created reports that cannot be read. There must be none. */
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
    const startedMs = performance.now();
    const [what, answered] = this.requestOf(this.sent % KINDS);
    const request = answered.then(
      () => undefined,
      (error: Error) => this.failed(error, `${what} after ${(performance.now() - startedMs).toFixed(0)} ms`),
    );
    this.inFlight.add(request);
    void request.then(() => this.inFlight.delete(request));
  }

  readonly failed = (error: Error, what: string): void =>
    void this.failures.push(`${new Date().toISOString()} ${what}: ${error.message} ${(error.cause as Error | undefined)?.message ?? ''}`);

  private requestOf(kind: number): readonly [what: string, answered: Promise<unknown>] {
    const known = this.created[Math.floor(Math.random() * this.created.length)];
    if (kind === CREATES || known === undefined) return ['a creation', this.create()];
    if (kind === READS_CONTENT) return ['content', this.client.content(this.published.id)];
    if (kind === READS_PAGE) return ['the page', this.readPage()];
    return ['a report', this.client.report(known)];
  }

  private async readPage(): Promise<void> {
    const answer = await fetch(this.published.page);
    await answer.text();
    if (!answer.ok) throw new Error(`The page of ${this.published.id} answered ${answer.status}`);
  }

  private async create(): Promise<void> {
    this.created.push((await this.client.create({ template: 'tire_4t_0s' })).report_id);
  }
}
