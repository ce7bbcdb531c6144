import type { Tx } from '@tire/platform';
import { deleteIfEmpty, forgetPlates } from './vehicle.store';

export const FIRST_PLACE = '00000000-0000-0000-0000-000000000000';

interface Portion {
  readonly ids: readonly string[];
  /** Where the next one begins: the first place again after the last portion. */
  readonly next: string;
}

/** Keys of an index that one turn reads of each table. The bound is a literal: with a parameter, the planner expects a tenth of the table. */
const PORTION = 10_000;

/** $1 the key before the portion. `next` is null after the last portion. */
const portionOf = (keys: string, found: string): string => `
  WITH portion AS MATERIALIZED (${keys} LIMIT ${PORTION})
  SELECT (SELECT array_agg(id) FROM portion WHERE ${found}) AS ids,
         (SELECT (array_agg(id ORDER BY id DESC))[1] FROM portion HAVING count(*) = ${PORTION}) AS next`;

/** Each key of the portion is looked up. A hash or a merge would read the whole of the other table. */
export const ONE_BY_ONE = 'SET LOCAL enable_hashjoin TO off; SET LOCAL enable_mergejoin TO off';

async function portion(tx: Tx, sql: string, after: string): Promise<Portion> {
  await tx.execute(ONE_BY_ONE);
  const [row] = await tx.rows<{ ids: string[] | null; next: string | null }>(sql, [after]);
  return { ids: row?.ids ?? [], next: row?.next ?? FIRST_PLACE };
}

/** A report that is not being removed. */
const STAYS = 'reports.purge_at IS NULL AND (reports.discarded_at IS NULL OR reports.legal_hold_at IS NOT NULL)';

export const REMOVED = portionOf(
  'SELECT report_id AS id FROM vehicle_reports WHERE report_id > $1 ORDER BY report_id',
  `NOT EXISTS (SELECT FROM reports WHERE report_id = id AND ${STAYS})`,
);

export const removedAfter = (tx: Tx, after: string): Promise<Portion> => portion(tx, REMOVED, after);

/** No report was attached by the plate, and none of the project has it. */
const isUnused = (alias: string): string => `
  NOT EXISTS (SELECT FROM vehicle_reports attached WHERE attached.alias_id = ${alias}.alias_id)
  AND NOT EXISTS (SELECT FROM vehicle_reports named WHERE named.project_id = ${alias}.project_id AND named.plate = ${alias}.value)`;

export const UNUSED = portionOf(
  'SELECT alias_id AS id, alias_id, project_id, kind, value FROM vehicle_aliases WHERE alias_id > $1 ORDER BY alias_id',
  `kind = 'plate' AND ${isUnused('portion')}`,
);

export const unusedPlatesAfter = (tx: Tx, after: string): Promise<Portion> => portion(tx, UNUSED, after);

/** A report with a VIN too is attached by that. */
const IS_OWN_ID_UNUSED = `
  (kind <> 'own' OR NOT EXISTS (
    SELECT FROM reports WHERE reports.project_id = aliases.project_id AND external_vehicle_id IN (aliases.value, aliases.shown) AND ${STAYS}))`;

/** The lock waits for a report that is being attached and has the name, which keeps it then. */
export async function forgetAlias(tx: Tx, aliasId: string): Promise<void> {
  await tx.execute('SELECT FROM vehicle_aliases WHERE alias_id = $1 FOR UPDATE', [aliasId]);
  const [gone] = await tx.rows<{ vehicleId: string }>(
    `DELETE FROM vehicle_aliases aliases WHERE alias_id = $1 AND ${isUnused('aliases')} AND ${IS_OWN_ID_UNUSED}
     RETURNING vehicle_id AS "vehicleId"`,
    [aliasId],
  );
  if (!gone) return;
  await deleteIfEmpty(tx, gone.vehicleId);
  await forgetPlates(tx, gone.vehicleId);
}
