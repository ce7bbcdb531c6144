import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

/**
 * One row by a statement that always reads the same, for the hot path: TypeORM's builder makes it anew each time. Values go to the
 * driver as they are, so this is for columns without a transformer or json.
 */
export async function insertRow<T extends ObjectLiteral>(tx: EntityManager, entity: EntityTarget<T>, row: Partial<T>): Promise<void> {
  const { tablePath, columns } = tx.connection.getMetadata(entity);
  const names = columns.map(({ databaseName }) => databaseName).join(', ');
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  const values = columns.map(({ propertyName }) => row[propertyName] ?? null);
  await tx.query(`INSERT INTO ${tablePath} (${names}) VALUES (${places})`, values);
}
