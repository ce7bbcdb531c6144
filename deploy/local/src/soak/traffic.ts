import { appendFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { PartnerClient, upload } from '../client';
import { retryingClient } from '../neighbours/retrying-client';
import { SANDBOX_SCENARIO_TREADS } from '../restore/sandbox-images';
import type { Sample } from '../samples';
import type { StackFile } from '../stack-file';
import { rateOfDay } from './random';

/** Longer than every fault and what follows it. A partner that gives up earlier creates its report again with the same key. */
const LOST_AFTER_MS = 600_000;
const TICK_MS = 1_000;

type Mode = 'test' | 'live';

export interface TrafficOptions {
  readonly minutes: number;
  /** The most reports a second, at noon: of the sandbox, and of real photographs. */
  readonly cheapPerSecond: number;
  readonly realPerSecond: number;
  /** One line for each report that was created. */
  readonly journal: string;
}

/** A day of partners and visitors in the given minutes. What is refused for now is sent again, as the specification requires. */
export class Traffic {
  readonly created = new Map<string, Set<string>>();
  readonly modes = new Map<string, Mode>();
  readonly faults: string[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly owed = { test: 0, live: 0 };
  private timer: NodeJS.Timeout | undefined;
  private beganMs = 0;

  constructor(
    private readonly stack: StackFile,
    private readonly samples: readonly Sample[],
    private readonly options: TrafficOptions,
  ) {}

  start(): void {
    this.beganMs = Date.now();
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  /** Begins nothing new. Resolves when everything that began has ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    while (this.running.size > 0) await Promise.all(this.running);
  }

  clientOf(mode: Mode): PartnerClient {
    return new PartnerClient(this.stack, this.stack.keys[mode], retryingClient({ lostAfterMs: LOST_AFTER_MS }).fetch);
  }

  private tick(): void {
    const rate = rateOfDay(Math.min(1, (Date.now() - this.beganMs) / (this.options.minutes * 60_000)));
    this.owed.test += rate * this.options.cheapPerSecond;
    this.owed.live += rate * this.options.realPerSecond;
    for (const mode of ['test', 'live'] as const) for (; this.owed[mode] >= 1; this.owed[mode] -= 1) this.run(this.one(mode));
  }

  private run(work: Promise<void>): void {
    const running = work.catch((error: Error) => void this.faults.push(error.message));
    this.running.add(running);
    void running.then(() => this.running.delete(running));
  }

  /** A report from its creation to two visits of its page. Each creation is sent a second time, as after a lost answer. */
  private async one(mode: Mode): Promise<void> {
    const client = this.clientOf(mode);
    const key = randomUUID();
    const body = {
      template: 'tire_4t_0s',
      callback_url: `${this.stack.callback_origin}/ended`,
      ...(mode === 'test' ? { images: SANDBOX_SCENARIO_TREADS } : {}),
    };
    const create = async () => {
      const { report_id, upload_targets = [] } = await client.create(body, { 'idempotency-key': key });
      this.created.set(key, (this.created.get(key) ?? new Set()).add(report_id));
      this.modes.set(report_id, mode);
      return { report_id, upload_targets };
    };
    const { report_id: id, upload_targets: targets } = await create();
    await appendFile(this.options.journal, `${JSON.stringify({ at: new Date().toISOString(), key, mode, report_id: id })}\n`);
    await create();
    if (mode === 'live') {
      const { fetch: send } = retryingClient({ lostAfterMs: LOST_AFTER_MS });
      await Promise.all(targets.map((target) => upload(target, this.samples, send)));
      const images = targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot }));
      await client.json('POST', `/reports/${id}/images`, { images });
    }
    const report = await client.finished(id).catch(() => client.finished(id));
    const { fetch: visit } = retryingClient({ lostAfterMs: LOST_AFTER_MS });
    for (let visits = 0; visits < 2 && report.links.share; visits += 1) await (await visit(report.links.share)).arrayBuffer();
  }
}
