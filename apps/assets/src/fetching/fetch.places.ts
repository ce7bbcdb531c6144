import { Injectable } from '@nestjs/common';
import type { CallOutcome } from '@tire/kernel';
import { FetchQueue, type FetchRequest } from '../domain/fetch-queue';

type Leave = (outcome: CallOutcome) => void;

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
    return (outcome) => this.queue.leave(request, outcome).forEach((next) => next.admit());
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
