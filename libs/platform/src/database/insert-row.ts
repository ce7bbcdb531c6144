import type { EntityManager, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';

/**
 * One row by a statement that always reads the same, for the hot path: TypeORM's builder makes it anew each time. Values go to the
 * driver as they are, so this is for columns without a transformer or json.
 */
export async function insertRow<T extends ObjectLiteral>(tx: EntityManager, entity: EntityTarget<T>, row: Partial<T>): Promise<void> {
  const metadata = tx.connection.getMetadata(entity);
  const values = metadata.columns.map(({ propertyName }) => row[propertyName] ?? null);
  await tx.query(statementOf(metadata), values);
}

const statements = new WeakMap<EntityMetadata, string>();

function statementOf(metadata: EntityMetadata): string {
  const known = statements.get(metadata);
  if (known) return known;
  const names = metadata.columns.map(({ databaseName }) => databaseName).join(', ');
  const places = metadata.columns.map((_, index) => `$${index + 1}`).join(', ');
  const statement = `INSERT INTO ${metadata.tablePath} (${names}) VALUES (${places})`;
  statements.set(metadata, statement);
  return statement;
}
