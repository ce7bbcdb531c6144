import type { CreateReportResponse, Report, UploadTarget } from '@tire/contracts/api';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PartnerClient, type Send, upload } from '../client';
import { retryingClient, StillRefused } from '../neighbours/retrying-client';
import { SANDBOX_SCENARIO_TREADS } from '../restore/sandbox-images';
import { inTurns } from '../restore/verify';
import type { Sample } from '../samples';
import type { StackFile } from '../stack-file';
import { oneOf } from '../seeded';
import { rateOfDay } from './plan';
import type { Order } from './verdict';

/** Longer than every fault and what follows it. */
const LOST_AFTER_MS = 600_000;
const TICK_MS = 500;
const UPLOAD_PAUSE_MS = 2_000;
const VISIT_PAUSE_MS = 2_000;
const OPEN_WITHIN_MS = 120_000;

/** Well-known photographs by URL; photographs by URL from the partner's host; photographs by upload. */
type Way = 'sandbox' | 'url' | 'upload';
const REAL: readonly Way[] = ['url', 'upload'];

/** What partners do with a report that is ready. */
const ACTS = ['none', 'none', 'none', 'none', 'analyzed', 'analyzed', 'reissued', 'revoked'] as const;
const ONE_TREAD = { slots: [{ module_type: 'tire', slot: { position: 'front_left', image_type: 'tread' } }] };

interface Placed extends Order {
  readonly mode: 'test' | 'live';
  readonly reportIds: Set<string>;
  readonly analyses: { accepted: number; sent: number };
}

export interface TrafficOptions {
  readonly lengthMs: number;
  /** The most reports a second, at noon: of well-known photographs, and of real ones. */
  readonly cheapPerSecond: number;
  readonly realPerSecond: number;
  readonly random: () => number;
  /** One line for each report that was created, and for each that its partner saw ended. */
  readonly note: (line: object) => Promise<void>;
}

/** Partners and visitors in a part of a day. What is refused for now is sent again, as the specification requires. */
export class Traffic {
  readonly orders: Placed[] = [];
  /** What a partner would complain about. */
  readonly complaints: string[] = [];
  readonly seconds: number[] = [];
  /** Answers that the specification lets a partner repeat although they are no refusal: 500 and the like. */
  readonly serverErrors: string[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly owed = { sandbox: 0, real: 0 };
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

  async discardAll(): Promise<void> {
    await inTurns(this.orders, async ({ mode, reportIds }) => {
      const { client } = this.partner(mode);
      for (const id of reportIds)
        await client.json('DELETE', `/reports/${id}`).catch((error: Error) => void this.complaints.push(error.message));
    });
  }

  private tick(): void {
    const rate = (rateOfDay(Math.min(1, (Date.now() - this.beganMs) / this.options.lengthMs)) * TICK_MS) / 1_000;
    this.owed.sandbox += rate * this.options.cheapPerSecond;
    this.owed.real += rate * this.options.realPerSecond;
    for (; this.owed.sandbox >= 1; this.owed.sandbox -= 1) this.run(this.one('sandbox'));
    for (; this.owed.real >= 1; this.owed.real -= 1) this.run(this.one(oneOf(REAL, this.options.random)));
  }

  private run(work: Promise<void>): void {
    const running = work.catch((error: Error) => void this.complaints.push(error.message));
    this.running.add(running);
    void running.then(() => this.running.delete(running));
  }

  /** A client whose requests count as lost after a time from now on. */
  private partner(mode: Placed['mode']): { client: PartnerClient; send: Send; refused: () => number } {
    const retrying = retryingClient({ lostAfterMs: LOST_AFTER_MS, send: (url, init) => this.send(url, init) });
    return {
      client: new PartnerClient(this.stack, this.stack.keys[mode], retrying.fetch),
      send: retrying.fetch,
      refused: () => retrying.refused,
    };
  }

  /** Every 5xx may be sent again (specification, errors). */
  private async send(url: string, init?: RequestInit): Promise<Response> {
    const answer = await fetch(url, init);
    if (answer.status < 500 || answer.status === 503) return answer;
    const { pathname } = new URL(url);
    this.serverErrors.push(
      `${init?.method ?? 'GET'} ${pathname}: ${answer.status} ${(await answer.text()).replaceAll(/\s+/g, ' ').slice(0, 200)}`,
    );
    return new Response(null, { status: 503 });
  }

  /** A report from its creation to the visits of its page. The creation is sent a second time, as after a lost answer. */
  private async one(way: Way): Promise<void> {
    const mode = way === 'sandbox' ? 'test' : 'live';
    const order: Placed = { key: randomUUID(), mode, reportIds: new Set(), analyses: { accepted: 0, sent: 0 } };
    const { client, send } = this.partner(mode);
    const beganMs = Date.now();
    const { report_id: id, upload_targets: targets } = await this.create(client, way, order);
    if (way === 'upload') await this.uploadAll(client, id, targets ?? []);
    let report = await client.finished(id);
    this.seconds.push((Date.now() - beganMs) / 1_000);
    await client.content(id);
    const act = oneOf(ACTS, this.options.random);
    if (act === 'analyzed') report = await this.analyzeAgain(order, id);
    if (act === 'reissued') report.links.share = (await client.json<{ share_url: string }>('POST', `/reports/${id}/share`)).share_url;
    if (act === 'revoked') await client.json('DELETE', `/reports/${id}/share`);
    await client.json('GET', '/reports?limit=20');
    if (act !== 'revoked') await this.visit(send, report.links.share!);
    await this.options.note({ ended: id, act, seconds: (Date.now() - beganMs) / 1_000 });
  }

  /** A page is closed until the new revision of its report is published. The report does not say when that is. */
  private async visit(send: Send, page: string): Promise<void> {
    for (const untilMs = Date.now() + OPEN_WITHIN_MS; ;) {
      const answer = await send(page);
      await answer.arrayBuffer();
      if (answer.status === 200) return;
      if (Date.now() > untilMs) throw new Error(`the page of a published report answered ${answer.status}`);
      await pause(VISIT_PAUSE_MS);
    }
  }

  private async create(client: PartnerClient, way: Way, order: Placed): Promise<CreateReportResponse> {
    const images = {
      sandbox: SANDBOX_SCENARIO_TREADS,
      url: this.treads.map(({ slot, path }) => ({ module_type: 'tire', slot, source: { url: `${this.stack.images_origin}${path}` } })),
      upload: undefined,
    }[way];
    const body = { template: 'tire_4t_0s', callback_url: `${this.stack.callback_origin}/ended`, images };
    const create = async () => {
      const created = await client.create(body, { 'idempotency-key': order.key });
      order.reportIds.add(created.report_id);
      return created;
    };
    const created = await create();
    this.orders.push(order);
    await this.options.note({ created: created.report_id, key: order.key, way });
    await create();
    return created;
  }

  private get treads(): Sample[] {
    return this.samples.filter(({ slot }) => slot.image_type === 'tread');
  }

  /** An upload or a registration that is refused is made again with new targets. */
  private async uploadAll(client: PartnerClient, id: string, first: readonly UploadTarget[]): Promise<void> {
    for (let targets = first; ;) {
      try {
        await Promise.all(targets.map((target) => upload(target, this.samples, this.partner('live').send)));
        const images = targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot }));
        await client.json('POST', `/reports/${id}/images`, { images });
        return;
      } catch (error) {
        if (error instanceof StillRefused) throw error;
        await this.options.note({ uploadedAgain: id, why: (error as Error).message });
        await pause(UPLOAD_PAUSE_MS);
        const slots = targets.map(({ module_type, slot }) => ({ module_type, slot }));
        const issued = await client.json<{ upload_targets: UploadTarget[] }>('POST', `/reports/${id}/upload-targets`, { slots });
        targets = issued.upload_targets;
      }
    }
  }

  private async analyzeAgain({ mode, analyses }: Placed, id: string): Promise<Report> {
    const { client, refused } = this.partner(mode);
    try {
      await client.json('POST', `/reports/${id}/analyze`, ONE_TREAD);
      analyses.accepted += 1;
    } finally {
      analyses.sent += 1 + refused();
    }
    return client.finished(id);
  }
}
