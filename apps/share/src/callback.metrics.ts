import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, meter, METRICS } from '@tire/platform';

const WAITING = `
  SELECT count(*)::int AS pending, coalesce(extract(epoch FROM now() - min(queued_at)), 0)::float AS "oldestS",
    greatest(coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0), 0)::float AS "overdueS"
  FROM callbacks WHERE state = 'pending'`;

/** The oldest one may be that of a receiver which is down for days; what is overdue is this service's own delay. */
@Injectable()
export class CallbackMetrics implements OnModuleInit {
  constructor(private readonly database: Database) {}

  onModuleInit(): void {
    const gauge = (name: string, description: string, unit?: string) => meter().createObservableGauge(name, { description, unit });
    const pending = gauge(METRICS.callbacksPending, 'Callbacks that are neither delivered nor given up');
    const oldest = gauge(METRICS.callbacksOldestAge, 'Age of the oldest of them', 's');
    const overdue = gauge(METRICS.callbacksOverdue, 'For how long an attempt is due that is not under way', 's');
    meter().addBatchObservableCallback(
      async (result) => {
        if (!this.database.dataSource.isInitialized) return;
        const [waiting] = await this.database.asSystem((tx) => tx.query<{ pending: number; oldestS: number; overdueS: number }[]>(WAITING));
        result.observe(pending, waiting!.pending);
        result.observe(oldest, waiting!.oldestS);
        result.observe(overdue, waiting!.overdueS);
      },
      [pending, oldest, overdue],
    );
  }
}
