import { DataSource } from 'typeorm';
import { logger } from '../logs/logger';
import { requestContext } from '../request-context';

const CONNECT_TIMEOUT_MS = 5_000;
/** Postgres ends a long statement. The limit of the client is longer: it is for a server that does not answer at all. */
const STATEMENT_TIMEOUT_MS = 15_000;
const ANSWER_TIMEOUT_MS = 20_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;

export interface DataSourceSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName: string;
}

export function createDataSource({ url, poolSize, applicationName }: DataSourceSettings): DataSource {
  const log = logger('database');
  return new DataSource({
    type: 'postgres',
    url,
    poolSize,
    applicationName,
    synchronize: false,
    migrationsRun: false,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    // Postgres closed an idle connection. The pool has removed it and opens another one when it needs one.
    // The request that opened the connection has nothing to do with it.
    poolErrorHandler: (error: Error) => requestContext.exit(() => log.warn({ err: error }, 'A connection to Postgres was lost')),
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
      // Queries are sent without waiting for earlier answers: a scoped read depends on it (scoped-read.ts).
      pipeline: true,
    },
  });
}
