import type { CreateReportResponse, RegisterImagesResponse } from '@tire/contracts/api';
import { randomUUID } from 'node:crypto';
import { PartnerClient, type Send, upload } from '../client';
import { retryingClient } from '../neighbours/retrying-client';
import type { Sample } from '../samples';
import type { StackFile } from '../stack-file';

const READ_EVERY_MS = 100;
const CREATE_EVERY_MS = 500;
/** Longer than every deadline of the services, so that each read has an answer of the service. */
const READ_TIMEOUT_MS = 30_000;
const LOST_AFTER_MS = 180_000;

interface Read {
  readonly sentMs: number;
  readonly ms: number;
  /** 0: no answer. */
  readonly status: number;
}

/** Reads of a report and of its page, and creations, at an even rate, as partners and visitors send them. */
export class CutLoad {
  readonly reads: Read[] = [];
  /** The reports that each Idempotency-Key gave: one each. */
  readonly created = new Map<string, string>();
  private readonly running = new Set<Promise<unknown>>();
  private readonly timers: NodeJS.Timeout[] = [];
  private turn = 0;

  constructor(
    private readonly stack: StackFile,
    private readonly addresses: readonly [report: string, page: string],
  ) {}

  start(): void {
    this.timers.push(setInterval(() => this.run(this.read()), READ_EVERY_MS));
    this.timers.push(setInterval(() => this.run(this.create()), CREATE_EVERY_MS));
  }

  /** Resolves when every request has its answer. Rejects where a creation was refused for good. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running);
  }

  /** The share of reads of this time that were answered with what they asked for. */
  availability(fromMs: number, untilMs: number): number {
    const during = this.reads.filter(({ sentMs }) => sentMs >= fromMs && sentMs < untilMs);
    return during.filter(({ status }) => status === 200).length / Math.max(1, during.length);
  }

  private run(work: Promise<unknown>): void {
    this.running.add(work);
    // `stop` reports a failure.
    work.then(
      () => this.running.delete(work),
      () => undefined,
    );
  }

  private async read(): Promise<void> {
    const address = this.addresses[(this.turn += 1) % 2]!;
    const headers = { authorization: `Bearer ${this.stack.keys.live}` };
    const sentMs = performance.now();
    const status = await fetch(address, { headers, signal: AbortSignal.timeout(READ_TIMEOUT_MS) }).then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      () => 0,
    );
    this.reads.push({ sentMs, ms: performance.now() - sentMs, status });
  }

  private async create(): Promise<void> {
    const key = randomUUID();
    const { client } = partner(this.stack);
    const { report_id } = await client.create({ template: 'tire_4t_0s' }, { 'idempotency-key': key });
    this.created.set(key, report_id);
  }
}

/** Repeats what is refused for now, as the specification requires. */
function partner(stack: StackFile): { client: PartnerClient; send: Send } {
  const { fetch: send } = retryingClient({ lostAfterMs: LOST_AFTER_MS });
  return { client: new PartnerClient(stack, stack.keys.live, send), send };
}

/** A report of four treads by upload. Returns its id when the images are registered. */
export async function measuredReport(stack: StackFile, samples: readonly Sample[], inspection: string): Promise<string> {
  const { client, send } = partner(stack);
  const created: CreateReportResponse = await client.create(
    { template: 'tire_4t_0s', callback_url: `${stack.callback_origin}/ended` },
    { 'idempotency-key': inspection },
  );
  const targets = created.upload_targets ?? [];
  await Promise.all(targets.map((target) => upload(target, samples, send)));
  const images = targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot }));
  await client.json<RegisterImagesResponse>('POST', `/reports/${created.report_id}/images`, { images });
  return created.report_id;
}
