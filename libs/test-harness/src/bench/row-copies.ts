import { queryDatabase, type StackUnderLoad } from './stack-under-load';

/** The SQL expression of each column in which a copy differs from its original. */
type Changes = Readonly<Record<string, string>>;

/** An INSERT that copies rows. `from` is what stands after FROM; the row to copy is called `original` there. */
type CopyStatement = (changes: Changes, from: string) => string;

/** Makes statements that copy rows of one table. A copy keeps each column that is not changed, and Postgres computes generated columns anew. */
export async function rowCopies(stack: StackUnderLoad, database: string, table: string): Promise<CopyStatement> {
  const columns = await storedColumns(stack, database, table);
  return (changes, from) => {
    const changed = Object.entries(changes).flatMap(([column, sql]) => [`'${column}'`, sql]);
    return `
      INSERT INTO ${table} (${columns}) SELECT ${columns} FROM (
        SELECT (jsonb_populate_record(original, jsonb_build_object(${changed.join(', ')}))).* FROM ${from}) copies`;
  };
}

/** Names of the columns that an INSERT may set, without generated columns. */
async function storedColumns(stack: StackUnderLoad, database: string, table: string): Promise<string> {
  const [row] = await queryDatabase<{ names: string }>(
    stack,
    database,
    `SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS names
     FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  );
  return row!.names;
}
