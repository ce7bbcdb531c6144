import { countLossesOf, WatchedChild, type ChildEnd } from '../process/watched-child';
import type { Decoded, FromDecoder, ToDecoder } from './decode-protocol';
import { UnusableImage } from './unusable-image';

/** The process crashed while it decoded the image, or exceeded a limit. A process that never starts is a plain error. */
export class DecoderLost extends Error {
  override name = 'DecoderLost';
}

/** The process was killed from outside while it decoded the image: by an operator, or by the kernel for lack of memory, perhaps because of this image. */
export class DecoderKilled extends Error {
  override name = 'DecoderKilled';
}

export interface LaneOptions {
  /** The priority of the process: 0 is the priority of this process, 19 is last. */
  readonly niceness: number;
  /** The memory of the process, with the file and the result. */
  readonly residentMib: number;
  /** The process ends after this time without work. */
  readonly idleMs: number;
  /** The program of the process. Default: decode-process. */
  readonly entry?: string;
}

function lossOf(end: ChildEnd, text: string): Error {
  if (end === 'broken') return new DecoderLost(text);
  return end === 'killed' ? new DecoderKilled(text) : new Error(text);
}

type Decoder = WatchedChild<ToDecoder, FromDecoder>;

interface Running {
  readonly child: Decoder;
  resolve(decoded: Decoded): void;
  reject(error: Error): void;
}

/** CPU time in multiples of the warm-up, an image of one megapixel. The slowest image of 60 megapixels takes some 400 of it. */
const CPU_OF_WARM_UPS = 2_000;
const CPU_LEAST_MS = 20_000;
const CPU_MOST_MS = 120_000;
const WALL_FACTOR = 6;
const START = { cpuMs: 60_000, wallMs: 300_000 };
/** A process that keeps more of its memory than this share of the limit is replaced. */
export const KEPT_SHARE = 0.5;

/** Decodes one image after the other in a process of its own. */
export class DecodeLane {
  private child: Decoder | undefined;
  private ready: Promise<Decoder> | undefined;
  private running: Running | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private cpuLimitMs = CPU_LEAST_MS;
  private idle: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly options: LaneOptions) {
    countLossesOf(this.entry);
  }

  private get entry(): string {
    return this.options.entry ?? require.resolve('./decode-process');
  }

  async decode(work: ToDecoder, signal: AbortSignal): Promise<Decoded> {
    const turn = this.last.then(() => this.decodeNow(work, signal));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  stop(): void {
    this.stopped = true;
    this.end();
  }

  private async decodeNow(work: ToDecoder, signal: AbortSignal): Promise<Decoded> {
    signal.throwIfAborted();
    clearTimeout(this.idle);
    const child = await (this.ready ??= this.startOrForget());
    const { cpuLimitMs: cpuMs } = this;
    child.watch({ cpuMs, wallMs: WALL_FACTOR * cpuMs, residentMib: this.options.residentMib });
    // The process ends if the caller no longer waits for the work.
    const abandon = () => child.kill('no request waits for the image');
    signal.addEventListener('abort', abandon, { once: true });
    try {
      return await new Promise<Decoded>((resolve, reject) => {
        this.running = { child, resolve, reject };
        child.send(work);
      });
    } finally {
      signal.removeEventListener('abort', abandon);
      this.running = undefined;
      child.rest();
      this.afterWork(child);
    }
  }

  /** A start that throws, for example for lack of memory, must not fail every later image. */
  private startOrForget(): Promise<Decoder> {
    const ready = this.start();
    ready.catch(() => {
      if (this.ready === ready) this.ready = undefined;
    });
    return ready;
  }

  private start(): Promise<Decoder> {
    if (this.stopped) return Promise.reject(new Error('the decoder has stopped'));
    return new Promise((resolve, reject) => {
      const child: Decoder = new WatchedChild(this.entry, {
        args: [String(this.options.niceness)],
        // Hostile bytes are decoded here: the process gets no secret.
        env: { MALLOC_ARENA_MAX: '2' },
        onMessage: (message) => {
          if (message.kind !== 'ready') return this.settle(child, message);
          this.cpuLimitMs = Math.min(CPU_MOST_MS, Math.max(CPU_LEAST_MS, Math.round(CPU_OF_WARM_UPS * message.warmUpCpuMs)));
          child.rest();
          resolve(child);
        },
        onEnd: (reason, end) => {
          const text = `the process that decodes: ${reason}`;
          if (this.child === child) this.child = this.ready = undefined;
          reject(new Error(text));
          // A process that was replaced may end while the next one decodes.
          if (this.running?.child === child) this.running.reject(lossOf(end, text));
        },
      });
      child.watch(START);
      this.child = child;
    });
  }

  private settle(child: Decoder, message: Exclude<FromDecoder, { kind: 'ready' }>): void {
    if (this.running?.child !== child) return;
    if (message.kind === 'decoded') this.running.resolve(message.decoded);
    else this.running.reject(new UnusableImage(message.errorCode, message.reason));
  }

  private afterWork(child: Decoder): void {
    if (this.child !== child) return;
    if (child.isKilled || child.residentMib > KEPT_SHARE * this.options.residentMib) return this.end();
    this.idle = setTimeout(() => this.end(), this.options.idleMs).unref();
  }

  private end(): void {
    clearTimeout(this.idle);
    const { child } = this;
    this.child = this.ready = undefined;
    child?.kill('not needed');
  }
}
