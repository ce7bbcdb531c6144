import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Drawn, Job, Outcome } from './protocol';

interface Pending {
  resolve(pdf: Buffer): void;
  reject(error: Error): void;
}

// A report takes a tenth of a second. If one takes longer than this, including its wait, the thread is broken.
const TIME_LIMIT_MS = 15_000;
const HEAP_LIMIT_MIB = 128;

// In the source tree (tests) the thread compiles TypeScript at load time. Built code needs nothing.
const isSource = extname(__filename) === '.ts';
const entry = isSource ? join(__dirname, '../../../../deploy/typescript-hook.cjs') : join(__dirname, 'thread.js');
const entryArguments = isSource ? [join(__dirname, 'thread.ts')] : [];

/** Drawing takes a tenth of a second of CPU, and pages must not wait for it. So a thread draws. It starts with the first report and is replaced if it dies. */
export class PdfThread {
  private thread: Worker | undefined;
  private lastId = 0;
  private readonly pending = new Map<number, Pending>();

  draw(drawn: Drawn): Promise<Buffer> {
    const job: Job = { id: ++this.lastId, ...drawn };
    const thread = (this.thread ??= this.start());
    const timer = setTimeout(() => void thread.terminate(), TIME_LIMIT_MS);
    return new Promise<Buffer>((resolve, reject) => {
      this.pending.set(job.id, { resolve, reject });
      thread.postMessage(job);
    }).finally(() => clearTimeout(timer));
  }

  async stop(): Promise<void> {
    await this.thread?.terminate();
  }

  private start(): Worker {
    const thread = new Worker(entry, { argv: entryArguments, name: 'pdf', resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MIB } });
    let reason = 'ended';
    thread.on('message', (outcome: Outcome) => this.settle(outcome));
    thread.on('error', (error) => (reason = error.message));
    thread.on('exit', () => this.lost(thread, reason));
    return thread;
  }

  private settle(outcome: Outcome): void {
    const job = this.pending.get(outcome.id);
    this.pending.delete(outcome.id);
    if (outcome.kind === 'done') job?.resolve(Buffer.from(outcome.pdf.buffer, outcome.pdf.byteOffset, outcome.pdf.byteLength));
    else job?.reject(new Error(outcome.reason));
  }

  private lost(thread: Worker, reason: string): void {
    if (this.thread === thread) this.thread = undefined;
    const jobs = [...this.pending.values()];
    this.pending.clear();
    jobs.forEach(({ reject }) => reject(new Error(`The thread that draws went away: ${reason}`)));
  }
}
