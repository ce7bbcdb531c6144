import { eventually } from '@tire/test-harness';
import { Client } from 'pg';
import { rawBytes } from './raw-http';
import { stackUnderTest } from '../stack-under-test';
import { apiWith, UNKNOWN_ID } from '../world';

type Work = () => Promise<void>;

/** Stops a process: its connections stay open and it sends nothing. */
export async function whileHanging(service: string, work: Work): Promise<void> {
  const pid = stackUnderTest().pids[service]!;
  process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

async function inDatabase(name: string, work: (database: Client) => Promise<void>): Promise<void> {
  const address = new URL(stackUnderTest().postgres_url);
  address.pathname = `/${name}`;
  const database = new Client({ connectionString: address.toString() });
  await database.connect();
  try {
    await work(database);
  } finally {
    await database.end();
  }
}

const inDatabaseOf = (service: 'gateway' | 'ledger', work: (database: Client) => Promise<void>): Promise<void> =>
  inDatabase(`tire_${service}`, work);

/** The gateway loses its database, and cannot connect to it again. */
export const whileGatewayDatabaseIsAway = (work: Work): Promise<void> =>
  inDatabase('postgres', async (database) => {
    await database.query('ALTER DATABASE tire_gateway CONNECTION LIMIT 0');
    try {
      await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'tire_gateway'`);
      await work();
    } finally {
      await database.query('ALTER DATABASE tire_gateway CONNECTION LIMIT -1');
    }
  });

/** An unexpected fault: the gateway may not read its own keys. */
export const whileKeysCannotBeRead = (work: Work): Promise<void> =>
  inDatabaseOf('gateway', async (database) => {
    await database.query('REVOKE SELECT ON api_keys FROM tire_gateway_runtime');
    try {
      await work();
    } finally {
      await database.query('GRANT SELECT ON api_keys TO tire_gateway_runtime');
    }
  });

/** Creations with an Idempotency-Key wait at the end of their transaction until the work has ended. */
export const whileAnswersCannotBeStored = (work: Work): Promise<void> =>
  inDatabaseOf('ledger', async (database) => {
    await database.query('BEGIN');
    await database.query('LOCK TABLE idempotency_records IN SHARE MODE');
    // The lock also ends with the connection.
    await work().finally(() => database.query('ROLLBACK'));
  });

/** More requests than the gateway admits at the same time by default. */
const FLOOD = 2_400;

/** The ledger hangs, and more requests wait for it than the gateway admits. They are pipelined on one connection, which is cheap to send. */
export async function whileFlooded(key: string, work: Work): Promise<void> {
  const { pathname } = new URL(stackUnderTest().base_url);
  const head = ['Host: a', `Authorization: Bearer ${key}`, 'Content-Length: 0'].join('\r\n');
  const request = `POST ${pathname}/reports/${UNKNOWN_ID}/analyze HTTP/1.1\r\n${head}\r\n\r\n`;
  const waiting: Promise<unknown>[] = [];
  let refused = false;
  const probe = async () => {
    refused ||= (await apiWith(key).call('getReport', { report: UNKNOWN_ID })).status === 429;
  };
  await whileHanging('ledger', async () => {
    // A request waits for five seconds. On a busy machine a flood may be over before the gateway has read all of it.
    const flooded = () => {
      waiting.push(rawBytes(request.repeat(FLOOD)));
      return eventually(() => waiting.push(probe()) && refused, { timeoutMs: 4_000 });
    };
    await eventually(flooded, { message: 'The gateway admits everything' });
    await work();
  });
  await Promise.all(waiting);
  // Requests of the flood hold their places until the ledger has answered them, also those whose client is gone.
  await eventually(async () => (await apiWith(key).call('getReport', { report: UNKNOWN_ID })).status !== 429);
}
