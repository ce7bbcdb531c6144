import type { ledgerApi, shareApi } from '@tire/contracts/grpc';
import { CLOCK, type Clock } from '@tire/kernel';
import {
  cutsOf,
  Database,
  endingRows,
  firstIdSql,
  heldDiscarded,
  heldReports,
  LEDGER,
  logger,
  RetentionRules,
  RetentionSweep,
  type PromiseClient,
} from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { stopCallbacks } from '../callbacks/callback.store';
import type { Config } from '../config';
import { CONFIG } from '../tokens';

/**
 * Ended callbacks with their attempts, by the time inside their ids; those of reports under legal hold ($6) stay, and those that are being sent
 * again. Usage counts callbacks by day, also those that are gone.
 */
const CALLBACKS = {
  kind: 'callbacks',
  table: 'callbacks',
  key: 'id',
  since: 'queued_at',
  order: 'id',
  isBefore: (cut: string) => `id < ${firstIdSql(cut)}`,
  where: `state <> 'pending' AND (report_id IS NULL OR report_id <> ALL($6::uuid[]))`,
  atOnce: 500,
  remove: `, ended AS (
      SELECT callbacks.id FROM callbacks JOIN due ON due.id = callbacks.id WHERE callbacks.state <> 'pending' FOR UPDATE OF callbacks SKIP LOCKED),
    attempts AS (DELETE FROM callback_attempts USING ended WHERE callback_id = ended.id),
    gone AS (DELETE FROM callbacks USING ended WHERE callbacks.id = ended.id RETURNING callbacks.project_id, callbacks.queued_at, callbacks.state),
    counted AS (
      INSERT INTO callback_quarters (project_id, quarter, queued, delivered)
      SELECT project_id, date_bin('15 minutes', queued_at, 'epoch'), count(*), count(*) FILTER (WHERE state = 'delivered') FROM gone GROUP BY 1, 2
      ON CONFLICT (project_id, quarter) DO UPDATE
        SET queued = callback_quarters.queued + excluded.queued, delivered = callback_quarters.delivered + excluded.delivered)
    SELECT FROM gone`,
} as const;

/** The ledger has the choice, because usage is mostly counted there. */
const USAGE = {
  kind: 'usage',
  table: 'callback_quarters',
  key: 'quarter',
  since: 'quarter',
  order: 'quarter',
  remove: `DELETE FROM callback_quarters USING due
            WHERE callback_quarters.project_id = due.project_id AND callback_quarters.quarter = due.quarter`,
} as const;

/** Removes callbacks that have reached their age. */
@Injectable()
export class Retention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rules: RetentionRules;
  private readonly turns: RetentionSweep;

  constructor(
    private readonly database: Database,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CONFIG) config: Config,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.rules = new RetentionRules(database, { callbacks: config.CALLBACK_RETENTION_DAYS }, clock);
    const callbacks = endingRows(database, this.rules, { ...CALLBACKS, more: async () => [await heldReports(ledger)] });
    const usage: Pick<RetentionRules, 'cuts'> = { cuts: async (kind, now) => cutsOf(await ledger.listRetention({ kind }), now) };
    this.turns = new RetentionSweep(
      [callbacks, endingRows(database, usage, USAGE)],
      config.RETENTION_INTERVAL_MS,
      clock,
      logger('retention'),
      () => this.stopDiscarded(),
    );
  }

  onApplicationBootstrap(): void {
    this.turns.start(() => this.database.dataSource.isInitialized);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.turns.stop();
  }

  /** The ledger does not have the data of a held report removed when it is discarded, so nothing else ends its callbacks. */
  private async stopDiscarded(): Promise<void> {
    const discarded = await heldDiscarded(this.ledger);
    if (discarded.length > 0) await this.database.asSystem((tx) => stopCallbacks(tx, discarded));
  }

  sweep(): Promise<void> {
    return this.turns.sweep();
  }

  lag(): ReturnType<RetentionSweep['lag']> {
    return this.turns.lag();
  }

  async of({ projectId }: shareApi.GetRetentionRequest): Promise<shareApi.GetRetentionResponse> {
    return { rules: await this.rules.of(projectId) };
  }

  async choose({ projectId, kind, days }: shareApi.ChooseRetentionRequest): Promise<shareApi.ChooseRetentionResponse> {
    await this.rules.choose(projectId, kind, days);
    return {};
  }
}
