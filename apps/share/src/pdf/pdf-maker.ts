import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { CLOCK, FairTurns, TooManyWaiting, WaitedTooLong, type Clock } from '@tire/kernel';
import type { Config } from '../config';
import { REPORT_HEADERS } from '../page/document/layout';
import { RenderCache, type Rendered } from '../page/render-cache';
import { CONFIG } from '../tokens';
import { PdfThread } from './pdf-thread';
import type { Drawn } from './protocol';

export interface PdfAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
}

/** What is drawn, and under which name a browser saves it. */
export interface Prepared {
  readonly drawn: Drawn;
  /** Of letters of ASCII. */
  readonly plainName: string;
  readonly name: string;
  /** Without an image that could not be read now, and may be readable next time. */
  readonly isComplete: boolean;
}

/** About two hundred reports. */
const CACHE_BYTES_MAX = 48 * 1_024 * 1_024;
// The bytes of a discarded report leave this process soon. They are never served, because each request checks the link first.
const TTL_MS = 10 * 60_000;

// The cache time of a PDF without one of its images. It prevents that a visitor repeats the work all the time.
const INCOMPLETE_TTL_MS = 10_000;

/** One project makes a quarter of the PDFs at most: drawing takes most of the time, and two threads draw. */
const OF_PROJECT_DIVISOR = 4;
/** PDFs of one project that wait for a turn. The next visitor of this project gets 503, and visitors of others do not. */
const WAITING_OF_PROJECT = 8;
/** A visitor does not wait longer for the first byte. */
const WAIT_MS_MAX = 10_000;

/** Nothing is broken: the visitor may try again. */
export const isBusy = (error: unknown): boolean => error instanceof TooManyWaiting || error instanceof WaitedTooLong;

/** Makes PDFs of reports and of vehicles in turns by project, in threads, and keeps them for a while. */
@Injectable()
export class PdfMaker implements OnModuleDestroy {
  /** The threads without work. The second one starts when two projects need one at once. */
  private readonly idle = [new PdfThread(), new PdfThread()];
  private readonly threads = [...this.idle];
  private readonly nowMs = (): number => this.clock.now().getTime();
  private readonly answers: RenderCache<PdfAnswer>;
  private readonly turns: FairTurns;
  /** A project draws one PDF at a time, so that another one need not wait for it. */
  private readonly drawing: FairTurns;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.answers = new RenderCache(CACHE_BYTES_MAX, this.nowMs);
    const atOnce = config.SHARE_PDFS_AT_ONCE;
    this.turns = new FairTurns({ capacity: atOnce, ofKey: Math.ceil(atOnce / OF_PROJECT_DIVISOR), waitingOfKey: WAITING_OF_PROJECT });
    this.drawing = new FairTurns({ capacity: this.threads.length, ofKey: 1, waitingOfKey: atOnce });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.stop()));
  }

  /** The key holds all that the PDF depends on. */
  get(key: string, projectId: string, prepare: () => Promise<Prepared>): Promise<PdfAnswer> {
    const make = () => this.make(projectId, prepare);
    return this.answers.get(key, () => this.turns.run(projectId, make, { untilMs: performance.now() + WAIT_MS_MAX }));
  }

  private async make(projectId: string, prepare: () => Promise<Prepared>): Promise<Rendered<PdfAnswer>> {
    const prepared = await prepare();
    const body = await this.drawing.run(projectId, () => this.draw(prepared.drawn));
    const untilMs = this.nowMs() + (prepared.isComplete ? TTL_MS : INCOMPLETE_TTL_MS);
    return { value: { status: 200, headers: headersOf(prepared), body }, bytes: body.length, untilMs };
  }

  private async draw(drawn: Drawn): Promise<Buffer> {
    const thread = this.idle.pop()!;
    try {
      return await thread.draw(drawn);
    } finally {
      this.idle.push(thread);
    }
  }
}

const headersOf = ({ plainName, name }: Prepared): Record<string, string> => ({
  ...REPORT_HEADERS,
  'content-type': 'application/pdf',
  'content-security-policy': `frame-ancestors 'none'`,
  'content-disposition': `inline; filename="${plainName}"; filename*=UTF-8''${encodeURIComponent(name)}`,
});
