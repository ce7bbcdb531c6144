import { CLOCK, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask, type RepeatedTask } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { recordKeyUse } from './key.store';
import { KEY_USE_FLUSH_SECONDS } from '../tokens';

/** When each key was used last: collected in memory, and written for all keys together at intervals. */
@Injectable()
export class KeyUse implements OnModuleInit, OnApplicationShutdown {
  private readonly log = logger('key-use');
  private usedAtMs = new Map<string, number>();
  private flushing: Promise<void> = Promise.resolve();
  private readonly turns: RepeatedTask;

  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(KEY_USE_FLUSH_SECONDS) flushSeconds: number,
  ) {
    this.turns = periodicTask(flushSeconds * 1_000, () => this.flush(), this.log);
  }

  onModuleInit(): void {
    this.turns.start();
  }

  /** After the last response, before the database closes. */
  async onApplicationShutdown(): Promise<void> {
    await this.turns.stop();
    await this.flush();
  }

  note(keyId: string): void {
    this.usedAtMs.set(keyId, this.clock.now().getTime());
  }

  /** One write at a time. A failed write is repeated at the next interval. */
  flush(): Promise<void> {
    this.flushing = this.flushing.then(() => this.write());
    return this.flushing;
  }

  private async write(): Promise<void> {
    const written = this.usedAtMs;
    if (written.size === 0) return;
    this.usedAtMs = new Map();
    try {
      await this.database.asSystem((tx) => recordKeyUse(tx, written));
    } catch (error) {
      this.usedAtMs = new Map([...written, ...this.usedAtMs]);
      this.log.warn({ err: error }, 'The last use of keys was not written; the next flush retries');
    }
  }
}
