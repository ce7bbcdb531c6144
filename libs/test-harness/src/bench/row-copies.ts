import { queryDatabase, type StackUnderLoad } from './stack-under-load';

/** The SQL expression of each column in which a copy differs from its original. */
type Changes = Readonly<Record<string, string>>;

/** An INSERT that copies rows. `from` is what stands after FROM; the row to copy is called `original` there. */
type CopyStatement = (changes: Changes, from: string) => string;

/** Makes statements that copy rows of one table. A copy keeps each column that is not changed, and Postgres computes generated columns anew. */
export async function rowCopies(stack: StackUnderLoad, database: string, table: string): Promise<CopyStatement> {
  const columns = await storedColumns(stack, database, table);
  return (changes, from) => {
    const unknown = Object.keys(changes).filter((name) => !columns.includes(name));
    if (unknown.length > 0) throw new Error(`${table} has no column ${unknown.join(', ')}`);
    const names = columns.map((name) => `"${name}"`);
    return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${columns.map((name) => changes[name] ?? `original."${name}"`).join(', ')} FROM ${from}`;
  };
}

/** Names of the columns that an INSERT may set, without generated columns. */
async function storedColumns(stack: StackUnderLoad, database: string, table: string): Promise<string[]> {
  const rows = await queryDatabase<{ name: string }>(
    stack,
    database,
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_name = $1 AND is_generated = 'NEVER' AND is_identity = 'NO' ORDER BY ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}
