import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DomainError } from '@tire/kernel';
import { logger } from '@tire/platform';
import { CallbackDelivery } from './callback.delivery';
import { CallbackQueue } from './callback.queue';
import { CallbackStore, type ClaimedCallback } from './callback.store';
import { SETTINGS, type Settings } from './settings';

// Longer than an attempt of 15 s with its transactions can take: only a dead process loses its claim.
const CLAIM_MS = 60_000;
// What the nudge after a commit misses: callbacks whose time has come, and those of other processes.
const POLL_MS = 1_000;
const IN_FLIGHT_MAX = 256;

@Injectable()
export class CallbackWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = logger('callbacks');
  private readonly inFlight = new Set<Promise<void>>();
  private stopped = false;
  private nudged = false;
  private wake: () => void = () => undefined;
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: CallbackStore,
    private readonly delivery: CallbackDelivery,
    private readonly queue: CallbackQueue,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.queue.onQueued(() => this.nudge());
    this.loop = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.nudge();
    await this.loop;
    await Promise.all(this.inFlight);
  }

  private nudge(): void {
    this.nudged = true;
    this.wake();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      this.nudged = false;
      const free = IN_FLIGHT_MAX - this.inFlight.size;
      const claimed = free > 0 ? await this.claim(free) : [];
      for (const callback of claimed) this.start(callback);
      if (claimed.length < free || free === 0) await this.rest();
    }
  }

  private async claim(limit: number): Promise<ClaimedCallback[]> {
    const now = this.settings.clock.now();
    try {
      return await this.store.claim(limit, now, new Date(now.getTime() + CLAIM_MS));
    } catch (error) {
      // A database that is away is told of once, by what connects to it.
      if (!(error instanceof DomainError)) this.log.warn({ err: error }, 'Due callbacks cannot be read; trying again');
      return [];
    }
  }

  private start(callback: ClaimedCallback): void {
    const running = this.delivery
      .attempt(callback)
      .catch((error: unknown) =>
        this.log.error({ err: error, report_id: callback.reportId }, 'A callback attempt was not recorded; its claim will expire'),
      )
      .finally(() => this.inFlight.delete(running));
    this.inFlight.add(running);
  }

  private rest(): Promise<void> {
    if (this.nudged || this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
