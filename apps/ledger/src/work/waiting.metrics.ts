import { CLOCK, type Clock } from '@tire/kernel';
import { ATTRIBUTES, Database, meter, METRICS } from '@tire/platform';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type PendingKind, SANDBOX_KIND, WORK_KINDS } from '../domain/work';
import { waitingSlots, type WaitingSlots } from './work.store';

/**
 * Slots that wait for a worker, or for the sandbox, whose answers may be late on purpose. A worker can only report how long an image waited when it takes it, and reports nothing while it is stopped.
 * Every process reports the same values, because all read one table.
 */
@Injectable()
export class WaitingMetrics implements OnModuleInit {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** One query each time metrics are read, over waiting slots only. */
  onModuleInit(): void {
    const gauge = (name: string, description: string, unit?: string) => meter().createObservableGauge(name, { description, unit });
    const count = gauge(METRICS.slotsWaiting, 'Slots whose image is not fetched or not measured yet');
    const oldest = gauge(METRICS.slotsWaitingOldestAge, 'For how long the oldest of them has waited', 's');
    meter().addBatchObservableCallback(
      async (result) => {
        if (!this.database.dataSource.isInitialized) return;
        for (const { kind, ...waiting } of await this.read()) {
          result.observe(count, waiting.count, { [ATTRIBUTES.kind]: kind });
          result.observe(oldest, waiting.oldestAgeS, { [ATTRIBUTES.kind]: kind });
        }
      },
      [count, oldest],
    );
  }

  /** Every kind, also one without a waiting slot. */
  async read(): Promise<WaitingSlots[]> {
    const found = await waitingSlots(this.database, this.clock.now());
    return [...WORK_KINDS, SANDBOX_KIND as PendingKind].map(
      (kind) => found.find((waiting) => waiting.kind === kind) ?? { kind, count: 0, oldestAgeS: 0 },
    );
  }
}
