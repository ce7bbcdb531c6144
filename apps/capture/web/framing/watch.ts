import type { Sight } from './sight';

export type Answer = { readonly ready: true } | { readonly sight: Sight } | { readonly failed: true };

/** An older answer is about another picture. */
const FRESH_MS = 1_000;
/** A hint must last 500 ms before it replaces another one; more answers would only warm the phone. */
const ASK_EVERY_MS = 350;

/** In no types of TypeScript, because only some browsers tell. */
interface Connection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/** Three megabytes are nothing for somebody who saves data, or whose photographs hardly get through. */
function mayLoad(): boolean {
  const { saveData, effectiveType } = (navigator as { readonly connection?: Connection }).connection ?? {};
  const isSlow = effectiveType === 'slow-2g' || effectiveType === '2g';
  return typeof Worker !== 'undefined' && typeof WebAssembly !== 'undefined' && saveData !== true && !isSlow;
}

/** The network in a thread of its own, so that the page never waits for it. Without it (an old phone, no network) there are fewer hints. */
export class FramingWatch {
  private worker: Worker | null = null;
  private state: 'absent' | 'loading' | 'idle' | 'busy' | 'gone' = 'absent';
  private seen: { readonly sight: Sight; readonly atMs: number } | null = null;
  private askedAtMs = 0;
  private about = '';

  /** Begins to load the network. Called once the camera shows a picture. */
  load(): void {
    if (this.state !== 'absent') return;
    this.state = 'loading';
    if (!mayLoad()) return this.give();
    try {
      this.worker = new Worker(new URL('./network-worker.ts', import.meta.url), { type: 'module' });
      this.worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => this.answered(data));
      this.worker.addEventListener('error', () => this.give());
    } catch {
      this.give();
    }
  }

  /** Whether it is time for another picture. */
  wants(about: string, nowMs: number): boolean {
    return this.state === 'idle' && (about !== this.about || nowMs - this.askedAtMs >= ASK_EVERY_MS);
  }

  /** Hands a square over, whose bytes are gone then. */
  ask(about: string, { data }: ImageData, nowMs: number): void {
    if (this.state !== 'idle') return;
    [this.state, this.askedAtMs, this.about] = ['busy', nowMs, about];
    this.worker!.postMessage(data.buffer, [data.buffer]);
  }

  /** What was seen of this slot; null where that is not known, or too old. */
  latest(about: string, nowMs: number): Sight | null {
    return this.seen && this.about === about && nowMs - this.seen.atMs <= FRESH_MS ? this.seen.sight : null;
  }

  private answered(answer: Answer): void {
    if ('failed' in answer) return this.give();
    this.state = 'idle';
    if (!('sight' in answer)) return;
    this.seen = { sight: answer.sight, atMs: this.askedAtMs };
    performance.measure('capture.sight', { start: this.askedAtMs, end: performance.now() });
  }

  private give(): void {
    this.worker?.terminate();
    [this.worker, this.state, this.seen] = [null, 'gone', null];
  }
}
