import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, meter, METRICS } from '@tire/platform';
import { waitingCallbacks } from './callback.store';

@Injectable()
export class CallbackMetrics implements OnModuleInit {
  constructor(private readonly database: Database) {}

  onModuleInit(): void {
    const gauge = (name: string, description: string, unit?: string) => meter().createObservableGauge(name, { description, unit });
    const pending = gauge(METRICS.callbacksPending, 'Callbacks that are neither delivered nor given up');
    const oldest = gauge(METRICS.callbacksOldestAge, 'Age of the oldest of them', 's');
    const overdue = gauge(METRICS.callbacksOverdue, 'For how long an attempt is due that is not under way', 's');
    const ofReceiver = gauge(METRICS.callbacksReceiverPending, 'The most of them that wait for one receiver');
    const failing = gauge(METRICS.callbacksReceiversFailing, 'Receivers that did not take a callback that waits');
    meter().addBatchObservableCallback(
      async (result) => {
        if (!this.database.dataSource.isInitialized) return;
        const waiting = await waitingCallbacks(this.database);
        result.observe(pending, waiting.pending);
        result.observe(oldest, waiting.oldestS);
        result.observe(overdue, waiting.overdueS);
        result.observe(ofReceiver, waiting.ofReceiver);
        result.observe(failing, waiting.failingReceivers);
      },
      [pending, oldest, overdue, ofReceiver, failing],
    );
  }
}
