import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, cutOf, firstIdAt, type Clock } from '@tire/kernel';
import {
  Database,
  endingRows,
  firstIdSql,
  heldReports,
  LEDGER,
  logger,
  RetentionRules,
  RetentionSweep,
  type Ending,
  type PromiseClient,
} from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LOG_DAYS } from '../domain/log-slots';
import { RETENTION, type RetentionSettings } from '../tokens';

/** Whole days of the log are emptied after 30 days (log-slots), so that projects without a shorter time need no look. */
const REQUESTS = {
  kind: 'request_log',
  table: 'request_log',
  key: 'entry_id',
  since: 'at',
  order: 'entry_id',
  isBefore: (cut: string) => `entry_id < ${firstIdSql(cut)}`,
  remove: 'DELETE FROM request_log USING due WHERE request_log.project_id = due.project_id AND request_log.entry_id = due.entry_id',
} as const;
const CHOOSERS_OF_REQUESTS = `SELECT project_id FROM retention_days WHERE kind = 'request_log'`;

/** $6: reports under legal hold. */
const MESSAGES = {
  kind: 'messages',
  table: 'messages',
  key: 'message_id',
  since: 'ended_at',
  order: 'ended_at',
  indexed: 'project_id IS NOT NULL AND ended_at IS NOT NULL',
  where: '(report_id IS NULL OR report_id <> ALL($6::uuid[]))',
  remove: 'DELETE FROM messages USING due WHERE messages.message_id = due.message_id',
} as const;

const AUDIT_ENTRIES = {
  kind: 'audit_log',
  table: 'audit_log',
  key: 'entry_id',
  since: 'at',
  order: 'entry_id',
  isBefore: (cut: string) => `entry_id < ${firstIdSql(cut)}`,
  indexed: 'project_id IS NOT NULL',
  remove: 'DELETE FROM audit_log USING due WHERE audit_log.entry_id = due.entry_id',
} as const;

const ENTRIES_AT_ONCE = 1_000;
const OF_NO_PROJECT = 'FROM audit_log WHERE project_id IS NULL AND entry_id < $1';
const REMOVE_OF_NO_PROJECT = `
  DELETE FROM audit_log WHERE entry_id IN (SELECT entry_id ${OF_NO_PROJECT} ORDER BY entry_id LIMIT ${ENTRIES_AT_ONCE})`;
const LAG_OF_NO_PROJECT = `SELECT extract(epoch FROM $2::timestamptz - min(at))::float AS lag
  FROM (SELECT at ${OF_NO_PROJECT} ORDER BY entry_id LIMIT 1) oldest`;

/** Removes what the gateway stores and what has reached its age. */
@Injectable()
export class Retention implements OnModuleInit, OnApplicationShutdown {
  readonly rules: RetentionRules;
  private readonly turns: RetentionSweep;

  constructor(
    private readonly database: Database,
    @Inject(LEDGER) ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(RETENTION) private readonly settings: RetentionSettings,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.rules = new RetentionRules(database, settings.defaults, clock);
    const endings = [
      endingRows(
        database,
        this.rules,
        settings.defaults.request_log < LOG_DAYS ? REQUESTS : { ...REQUESTS, projects: CHOOSERS_OF_REQUESTS },
      ),
      endingRows(database, this.rules, { ...MESSAGES, more: async () => [await heldReports(ledger)] }),
      endingRows(database, this.rules, AUDIT_ENTRIES),
      this.entriesOfNoProject(),
    ];
    this.turns = new RetentionSweep(endings, settings.intervalMs, clock, logger('retention'));
  }

  onModuleInit(): void {
    this.turns.start(() => this.database.dataSource.isInitialized);
  }

  onApplicationShutdown(): Promise<void> {
    return this.turns.stop();
  }

  sweep(): Promise<void> {
    return this.turns.sweep();
  }

  lag(): ReturnType<RetentionSweep['lag']> {
    return this.turns.lag();
  }

  /** What members did to their account or the organization has the default of the installation. */
  private entriesOfNoProject(): Ending {
    const cut = (now: Date): Date => cutOf(this.settings.defaults.audit_log, now)!;
    return {
      kind: 'audit_log',
      removeSome: (now) => this.database.asSystem((tx) => tx.execute(REMOVE_OF_NO_PROJECT, [firstIdAt(cut(now).getTime())])),
      lagS: async (now) => {
        const before = cut(now);
        const [row] = await this.database.systemQuery<{ lag: number | null }>(LAG_OF_NO_PROJECT, [firstIdAt(before.getTime()), before]);
        return row?.lag ?? 0;
      },
    };
  }
}
