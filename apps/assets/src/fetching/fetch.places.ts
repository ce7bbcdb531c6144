import { Injectable } from '@nestjs/common';
import type { CallOutcome } from '@tire/kernel';
import { FetchQueue, type FetchRequest } from '../domain/fetch-queue';

/** The place of the project stays taken for so long. */
type Leave = (outcome: CallOutcome, keptMs?: number) => void;

interface QueuedFetch extends FetchRequest {
  readonly admit: () => void;
}

/** Lets fetches of this process wait for their place. */
@Injectable()
export class FetchPlaces {
  private readonly queue = new FetchQueue<QueuedFetch>();

  /** Undefined if there is neither a place nor room in the queue. Rejects when the signal is aborted while the fetch waits. */
  async enter({ projectId, host }: FetchRequest, signal: AbortSignal): Promise<Leave | undefined> {
    let admit: () => void = () => undefined;
    const admitted = new Promise<void>((resolve) => (admit = resolve));
    const request: QueuedFetch = { projectId, host, admit };
    const decision = this.queue.request(request);
    if (decision === 'rejected') return undefined;
    if (decision === 'queued') await this.wait(request, admitted, signal);
    return (outcome, keptMs = 0) => this.leave(request, outcome, keptMs);
  }

  private leave(request: QueuedFetch, outcome: CallOutcome, keptMs: number): void {
    const admit = (admitted: readonly QueuedFetch[]) => admitted.forEach((next) => next.admit());
    admit(this.queue.leave(request, outcome, keptMs > 0));
    // The process may end meanwhile.
    if (keptMs > 0) setTimeout(() => admit(this.queue.release(request.projectId, outcome)), keptMs).unref();
  }

  private wait(request: QueuedFetch, admitted: Promise<void>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.queue.cancel(request);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', stop, { once: true });
      void admitted.then(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
    });
  }
}
