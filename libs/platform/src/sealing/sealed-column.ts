import { seal, type SealingKeys, unseal } from './sealing';

interface ColumnOptions {
  readonly table: string;
  readonly column: string;
  /** The primary key. Its last column names the row within the project. */
  readonly key: readonly string[];
  /** The name of the column in the purpose. Columns between which values move share it. Default: `table.column`. */
  readonly place?: string;
  /** False for a table without `project_id`. */
  readonly ofProject?: boolean;
}

/** Which row of the column. */
export interface SealedRow {
  /** Null in a table without projects. */
  readonly projectId: string | null;
  /** The last column of the primary key. */
  readonly id: string;
}

/** A column of sealed values. A value opens in its column, project and row only. */
export interface SealedColumn extends Required<ColumnOptions> {
  seal(keys: SealingKeys, row: SealedRow, plain: Buffer | string): Buffer;
  open(keys: SealingKeys, row: SealedRow, sealed: Buffer): Buffer;
}

export function sealedColumn(options: ColumnOptions): SealedColumn {
  const { table, column, key, place = `${table}.${column}`, ofProject = true } = options;
  const purposeOf = ({ projectId, id }: SealedRow): string => {
    if ((projectId !== null) !== ofProject) throw new Error(`A row of ${table} has ${ofProject ? 'a' : 'no'} project`);
    return ofProject ? `${place} ${projectId} ${id}` : `${place} ${id}`;
  };
  return {
    table,
    column,
    key,
    place,
    ofProject,
    seal: (keys, row, plain) => seal(keys, Buffer.from(plain), purposeOf(row)),
    open: (keys, row, sealed) => unseal(keys, sealed, purposeOf(row)),
  };
}
