import type { StackUnderLoad } from '@tire/test-harness/bench';
import { Client } from 'pg';
import { TABLES } from './large-ledger';

/** As many rows of each table as a day of an installation changes that makes a hundredth of its reports on one day. */
const CHANGED = 'WHERE ctid = ANY (ARRAY(SELECT ctid FROM slots TABLESAMPLE SYSTEM (1)))';
/** The pauses of autovacuum, which a vacuum by hand does not make. */
const AS_AUTOVACUUM = '-c vacuum_cost_delay=2ms -c vacuum_cost_limit=200';
const CANCELED = '57014';

/** Vacuums the tables one after the other, whole and with their indexes, until it is stopped. A hundredth of the slots is dead before. */
export async function startVacuuming(stack: StackUnderLoad): Promise<() => Promise<string>> {
  const url = new URL(stack.postgres_url);
  url.pathname = '/tire_ledger';
  const client = new Client({ connectionString: url.toString(), options: AS_AUTOVACUUM });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const { rowCount } = await client.query(`UPDATE slots SET handover_attempts = handover_attempts ${CHANGED}`);
  let isStopped = false;
  const ended: string[] = [];
  const vacuum = async (table: string): Promise<void> => {
    const beganMs = performance.now();
    await client.query(`VACUUM (DISABLE_PAGE_SKIPPING, INDEX_CLEANUP ON) ${table}`);
    ended.push(`${table} ${((performance.now() - beganMs) / 1_000).toFixed(0)} s`);
  };
  const running = (async () => {
    for (let turn = 0; !isStopped; turn += 1) await vacuum(TABLES[turn % TABLES.length]!);
  })().catch((error: Error & { code?: string }) => {
    if (error.code !== CANCELED) throw error;
  });
  return async () => {
    isStopped = true;
    const other = new Client({ connectionString: url.toString() });
    await other.connect();
    await other.query('SELECT pg_cancel_backend($1)', [rows[0]!.pid]);
    await running;
    await Promise.all([client.end(), other.end()]);
    return `vacuum ran all the time, after ${rowCount} changed slots; ended: ${ended.join(', ') || 'none'}`;
  };
}
