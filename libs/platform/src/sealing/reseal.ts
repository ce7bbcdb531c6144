import type { Database } from '../database/database';
import type { Tx } from '../database/tx';
import type { SealedColumn } from './sealed-column';
import { sealedHead, type SealingKeys } from './sealing';

interface Resealed {
  readonly resealed: number;
  /** No configured key opens these, or their row is not the one that they were sealed for. */
  readonly unopened: number;
  /** Another transaction held these rows. The next run finds them. */
  readonly left: number;
}

interface StoredRow {
  readonly key: readonly string[];
  readonly projectId: string | null;
  readonly sealed: Buffer;
}

interface RowInWindow {
  readonly key: readonly string[];
  /** Null if there is nothing sealed. */
  readonly byAnother: boolean | null;
}

const WINDOW_ROWS = 200;

/**
 * Seals again what an older key sealed. It walks along the primary key in windows of one transaction each, so no statement reads the whole
 * table. A run that was interrupted is simply repeated: what the newest key sealed is not touched. It waits for no lock, so it delays
 * services that run beside it by the time of a window at most.
 */
export async function reseal(database: Database, keys: SealingKeys, column: SealedColumn): Promise<Resealed> {
  const total = { resealed: 0, unopened: 0, left: 0 };
  let window: RowInWindow[] = [];
  do {
    const after = window.at(-1)?.key ?? null;
    window = await database.asSystem(async (tx) => {
      const rows = await nextWindow(tx, column, sealedHead(keys), after);
      const others = rows.filter(({ byAnother }) => byAnother).map(({ key }) => key);
      const { resealed, unopened, left } = await resealRows(tx, keys, column, others);
      total.resealed += resealed;
      total.unopened += unopened;
      total.left += left;
      return rows;
    });
  } while (window.length === WINDOW_ROWS);
  return total;
}

async function resealRows(tx: Tx, keys: SealingKeys, column: SealedColumn, others: readonly (readonly string[])[]): Promise<Resealed> {
  if (others.length === 0) return { resealed: 0, unopened: 0, left: 0 };
  const found = await lockOthers(tx, column, sealedHead(keys), others);
  let resealed = 0;
  for (const row of found) if (await resealRow(tx, keys, column, row)) resealed += 1;
  const unopened = found.length - resealed;
  // A row that is not found is locked, or it was changed or deleted meanwhile.
  const remaining = found.length < others.length ? await countOthers(tx, column, sealedHead(keys), others) : unopened;
  return { resealed, unopened, left: remaining - unopened };
}

/** The operator's command: the outcome of each column, and status 1 while something is sealed with another key. */
export async function resealAll(database: Database, keys: SealingKeys, columns: readonly SealedColumn[]) {
  const output: Record<string, Resealed> = {};
  for (const column of columns) output[`${column.table}.${column.column}`] = await reseal(database, keys, column);
  return { output, code: Object.values(output).some(({ unopened, left }) => unopened + left > 0) ? 1 : 0 };
}

const sealedByAnother = (column: string): string => `substring(${column} FROM 1 FOR length($1::bytea)) <> $1`;

const keyAsText = (key: readonly string[]): string => `ARRAY[${key.map((name) => `${name}::text`).join(', ')}]`;

function nextWindow(tx: Tx, { table, column, key }: SealedColumn, head: Buffer, after: readonly string[] | null): Promise<RowInWindow[]> {
  const following = after ? `WHERE (${key.join(', ')}) > ${placeholders([after])}` : '';
  return tx.rows<RowInWindow>(
    `SELECT ${keyAsText(key)} AS key, ${sealedByAnother(column)} AS "byAnother" FROM ${table} ${following}
     ORDER BY ${key.join(', ')} LIMIT ${WINDOW_ROWS}`,
    [head, ...(after ?? [])],
  );
}

/** A row that another transaction refers to is not locked by that, so it is found too. */
function lockOthers(tx: Tx, column: SealedColumn, head: Buffer, keys: readonly (readonly string[])[]): Promise<StoredRow[]> {
  const projectId = column.ofProject ? 'project_id' : 'NULL';
  const select = `SELECT ${keyAsText(column.key)} AS key, ${projectId} AS "projectId", ${column.column} AS sealed`;
  return tx.rows<StoredRow>(`${select} ${fromOthers(column, keys)} FOR NO KEY UPDATE SKIP LOCKED`, [head, ...keys.flat()]);
}

async function countOthers(tx: Tx, column: SealedColumn, head: Buffer, keys: readonly (readonly string[])[]): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(`SELECT count(*)::int AS count ${fromOthers(column, keys)}`, [head, ...keys.flat()]);
  return row?.count ?? 0;
}

const fromOthers = ({ table, column, key }: SealedColumn, keys: readonly (readonly string[])[]): string =>
  `FROM ${table} WHERE (${key.join(', ')}) IN (${placeholders(keys)}) AND ${sealedByAnother(column)}`;

/** The first parameter is the head. The columns of the keys follow. */
const placeholders = (keys: readonly (readonly string[])[]): string =>
  keys.map((key, row) => `(${key.map((_, index) => `$${row * key.length + index + 2}`).join(', ')})`).join(', ');

async function resealRow(tx: Tx, keys: SealingKeys, column: SealedColumn, { key, projectId, sealed }: StoredRow): Promise<boolean> {
  const row = { projectId, id: key.at(-1)! };
  const plain = opened(() => column.open(keys, row, sealed));
  if (!plain) return false;
  const isRow = column.key.map((name, index) => `${name} = $${index + 2}`).join(' AND ');
  await tx.execute(`UPDATE ${column.table} SET ${column.column} = $1 WHERE ${isRow}`, [column.seal(keys, row, plain), ...key]);
  return true;
}

function opened(open: () => Buffer): Buffer | null {
  try {
    return open();
  } catch {
    return null;
  }
}
