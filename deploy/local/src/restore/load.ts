import { SANDBOX_SCENARIO_TREADS } from './sandbox-images';
import { randomUUID } from 'node:crypto';
import { PartnerClient, upload } from '../client';
import { retryingClient } from '../neighbours/retrying-client';
import type { Sample } from '../samples';
import type { StackFile } from '../stack-file';

const ONE_TREAD = { slots: [{ module_type: 'tire', slot: { position: 'front_left', image_type: 'tread' } }] };
/** Longer than a report of real photographs takes beside the others. */
const LOST_AFTER_MS = 60_000;

/** `erased`: after the load, by an operator. */
export type Act = 'revoked' | 'reissued' | 'discarded' | 'analyzed' | 'erased';
const ACTS: readonly (Act | null)[] = [null, 'revoked', null, 'reissued', null, 'discarded', null, 'analyzed'];

export interface Sent {
  readonly reportId: string;
  readonly mode: 'test' | 'live';
  readonly idempotencyKey: string;
  /** When the answer of the creation was there. */
  readonly createdMs: number;
  readonly isReal: boolean;
  /** When its client saw it published. */
  completedMs?: number;
  /** The address of its page, before the act. */
  page?: string;
  act?: Act;
  /** The answer of the act was there. */
  actedMs?: number;
}

/** Partners at a modest rate: cheap reports of the sandbox, some of real photographs, and what partners do with a report that is ready. */
export class DrillLoad {
  readonly sent: Sent[] = [];
  private readonly running = new Set<Promise<unknown>>();
  private readonly timers: NodeJS.Timeout[] = [];
  private turn = 0;
  private stopped = false;

  constructor(
    private readonly stack: StackFile,
    private readonly samples: readonly Sample[],
    private readonly everyMs: { readonly cheap: number; readonly real: number },
  ) {}

  start(): void {
    this.timers.push(setInterval(() => this.run(this.one('test')), this.everyMs.cheap));
    this.timers.push(setInterval(() => this.run(this.one('live')), this.everyMs.real));
  }

  /** Nothing is sent any more; what has no answer is given up, as clients of a system that is gone do. */
  stop(): void {
    this.stopped = true;
    for (const timer of this.timers) clearInterval(timer);
  }

  private run(work: Promise<unknown>): void {
    this.running.add(work);
    // A request that fails was not accepted: it is not counted.
    work.then(
      () => this.running.delete(work),
      () => this.running.delete(work),
    );
  }

  private clientOf(mode: Sent['mode']): PartnerClient {
    return new PartnerClient(this.stack, this.stack.keys[mode], retryingClient({ lostAfterMs: LOST_AFTER_MS }).fetch);
  }

  /** Creates a report and returns it when it is registered. */
  async create(mode: Sent['mode'], idempotencyKey: string = randomUUID()): Promise<Sent> {
    const client = this.clientOf(mode);
    const body = { template: 'tire_4t_0s', callback_url: `${this.stack.callback_origin}/ended` };
    const images = mode === 'test' ? { images: SANDBOX_SCENARIO_TREADS } : {};
    const created = await client.create({ ...body, ...images }, { 'idempotency-key': idempotencyKey });
    const sent: Sent = { reportId: created.report_id, mode, idempotencyKey, createdMs: Date.now(), isReal: mode === 'live' };
    this.sent.push(sent);
    const targets = created.upload_targets ?? [];
    if (mode === 'live') {
      await Promise.all(targets.map((target) => upload(target, this.samples)));
      const registered = targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot }));
      await client.json('POST', `/reports/${sent.reportId}/images`, { images: registered });
    }
    return sent;
  }

  private async one(mode: Sent['mode']): Promise<void> {
    const sent = await this.create(mode);
    const client = this.clientOf(mode);
    const report = await client.finished(sent.reportId);
    if (this.stopped) return;
    sent.completedMs = Date.now();
    sent.page = report.links.share ?? undefined;
    const act = ACTS[(this.turn += 1) % ACTS.length];
    if (act) await this.act(client, sent, act);
  }

  private async act(client: PartnerClient, sent: Sent, act: Act): Promise<void> {
    const path = `/reports/${sent.reportId}`;
    sent.act = act;
    if (act === 'revoked') await client.json('DELETE', `${path}/share`);
    if (act === 'discarded') await client.json('DELETE', path);
    if (act === 'reissued') sent.page = (await client.json<{ share_url: string }>('POST', `${path}/share`)).share_url;
    if (act === 'analyzed') await client.json('POST', `${path}/analyze`, ONE_TREAD);
    sent.actedMs = Date.now();
  }
}
