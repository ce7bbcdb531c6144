import { VEHICLE_REPORTS_MAX } from '@tire/contracts/limits';
import type { Tx } from '@tire/platform';
import type { Judgement } from '../domain/vehicle-wear';
import type { IdentifierKind } from '../domain/vehicle-identity';
import { NOTHING_SORTED } from '../search/search.statements';
import { measuredTreads, type VehicleRow } from '../search/search.store';

/** $1 project, $2 vehicle: the vehicle and those that were merged into it. UNION ends where a circle would begin. */
export const MEMBERS = `
  WITH RECURSIVE members AS (
    SELECT vehicle_id FROM vehicles WHERE project_id = $1 AND vehicle_id = $2
    UNION SELECT merged.vehicle_id FROM vehicles merged JOIN members ON merged.merged_into = members.vehicle_id
  )`;

/** The newest reports of the vehicle: a bounded piece of the index of each alias. */
const NEWEST = `
  SELECT reports.report_id, reports.created_at, analysis_status, standing, warnings_json, creation_mode, plate_number, mileage_km
    FROM vehicle_aliases aliases CROSS JOIN LATERAL (
      SELECT report_id FROM vehicle_reports attached WHERE attached.alias_id = aliases.alias_id
       ORDER BY attached.created_at DESC, attached.report_id DESC LIMIT ${VEHICLE_REPORTS_MAX}
    ) attached JOIN reports USING (report_id)
   WHERE aliases.vehicle_id IN (SELECT vehicle_id FROM members) AND discarded_at IS NULL AND purge_at IS NULL
   ORDER BY reports.created_at DESC, reports.report_id DESC LIMIT ${VEHICLE_REPORTS_MAX}`;

export interface PassportRow extends VehicleRow {
  readonly plate_number: string | null;
  readonly mileage_km: number | null;
}

export const findInspections = (tx: Tx, projectId: string, vehicleId: string): Promise<PassportRow[]> =>
  tx.rows(`${MEMBERS} ${measuredTreads(NEWEST)}`, [projectId, vehicleId]);

export interface MadeRow {
  readonly reportId: string;
  readonly slotId: string;
  readonly week: number;
  readonly year: number;
}

/** The DOT codes that were read. */
export const findMade = (tx: Tx, reportIds: readonly string[]): Promise<MadeRow[]> =>
  tx.rows(
    `SELECT report_id AS "reportId", slot_id AS "slotId", (body->'result'->'manufactured'->>'week')::int AS week,
            (body->'result'->'manufactured'->>'year')::int AS year
       FROM slots JOIN analyses USING (report_id, slot_id, analysis_id)
      WHERE report_id = ANY($1) AND slot_id LIKE 'tire.sidewall.%' AND phase = 'succeeded' AND body->'result'->'manufactured' IS NOT NULL`,
    [reportIds],
  );

export const findJudgements = (tx: Tx, reportIds: readonly string[]): Promise<Judgement[]> =>
  tx.rows(
    `SELECT report_id AS "reportId", position, verdict, with_position AS "withPosition" FROM tire_judgements
      WHERE report_id = ANY($1) ORDER BY report_id, position`,
    [reportIds],
  );

export const saveJudgement = (tx: Tx, projectId: string, { reportId, position, verdict, withPosition }: Judgement): Promise<number> =>
  tx.execute(
    `INSERT INTO tire_judgements (project_id, report_id, position, verdict, with_position) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (report_id, position) DO UPDATE SET verdict = $4, with_position = $5`,
    [projectId, reportId, position, verdict, withPosition],
  );

export const withdrawJudgement = (tx: Tx, reportId: string, position: string): Promise<number> =>
  tx.execute('DELETE FROM tire_judgements WHERE report_id = $1 AND position = $2', [reportId, position]);

export interface VehicleRecord {
  readonly vehicleId: string;
  readonly mergedInto: string | null;
}

/** Null for a vehicle of another project too. */
export async function lockVehicle(tx: Tx, vehicleId: string): Promise<VehicleRecord | null> {
  const [vehicle] = await tx.rows<VehicleRecord>(
    `SELECT vehicle_id AS "vehicleId", merged_into AS "mergedInto" FROM vehicles WHERE vehicle_id = $1 FOR UPDATE`,
    [vehicleId],
  );
  return vehicle ?? null;
}

/** The vehicle that it was merged into, at last; itself if it was not. Null if there is none. */
export async function findRoot(tx: Tx, vehicleId: string): Promise<string | null> {
  const [root] = await tx.rows<{ vehicleId: string }>(
    `WITH RECURSIVE above AS (
       SELECT vehicle_id, merged_into FROM vehicles WHERE vehicle_id = $1
       UNION SELECT v.vehicle_id, v.merged_into FROM vehicles v JOIN above ON above.merged_into = v.vehicle_id
     ) SELECT vehicle_id AS "vehicleId" FROM above WHERE merged_into IS NULL LIMIT 1`,
    [vehicleId],
  );
  return root?.vehicleId ?? null;
}

/** The vehicle by whose name the report was attached. Null for a report of another project, and for one that is being removed. */
export async function findVehicleOf(tx: Tx, projectId: string, reportId: string): Promise<string | null> {
  const [row] = await tx.rows<{ vehicleId: string }>(
    `SELECT vehicle_id AS "vehicleId" FROM vehicle_reports attached JOIN vehicle_aliases USING (alias_id) JOIN reports USING (report_id)
      WHERE attached.report_id = $2 AND attached.project_id = $1 AND discarded_at IS NULL AND purge_at IS NULL`,
    [projectId, reportId],
  );
  return row?.vehicleId ?? null;
}

export async function countMembers(tx: Tx, projectId: string, vehicleId: string): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(`${MEMBERS} SELECT count(*)::int AS count FROM members`, [projectId, vehicleId]);
  return row!.count;
}

/** The vehicle and those that were merged into it. */
export const findMembers = async (tx: Tx, projectId: string, vehicleId: string): Promise<string[]> =>
  (await tx.rows<{ id: string }>(`${MEMBERS} SELECT vehicle_id AS id FROM members ORDER BY 1`, [projectId, vehicleId])).map(({ id }) => id);

export const setMerged = (tx: Tx, vehicleId: string, into: string | null): Promise<number> =>
  tx.execute('UPDATE vehicles SET merged_into = $2 WHERE vehicle_id = $1', [vehicleId, into]);

export const insertVehicle = (tx: Tx, projectId: string, vehicleId: string, now: Date): Promise<number> =>
  tx.execute('INSERT INTO vehicles (vehicle_id, project_id, created_at) VALUES ($1, $2, $3)', [vehicleId, projectId, now]);

export interface AliasRow {
  readonly aliasId: string;
  readonly vehicleId: string;
  readonly kind: IdentifierKind;
  readonly value: string;
  readonly shown: string;
  readonly fromAt: Date | number;
}

const ALIASES = `
  SELECT alias_id AS "aliasId", aliases.vehicle_id AS "vehicleId", kind, value, shown, from_at AS "fromAt" FROM vehicle_aliases aliases`;

/** The newest alias first. */
export const findAliases = (tx: Tx, projectId: string, vehicleId: string): Promise<AliasRow[]> =>
  tx.rows(`${MEMBERS} ${ALIASES} WHERE vehicle_id IN (SELECT vehicle_id FROM members) ORDER BY alias_id DESC`, [projectId, vehicleId]);

/** The alias that the plate has at the time, and the vehicle whose name it is. */
export async function findPlateAt(
  tx: Tx,
  projectId: string,
  plate: string,
  at: Date,
): Promise<Pick<AliasRow, 'aliasId' | 'vehicleId'> | undefined> {
  const [alias] = await tx.rows<Pick<AliasRow, 'aliasId' | 'vehicleId'>>(
    `SELECT alias_id AS "aliasId", vehicle_id AS "vehicleId" FROM vehicle_aliases
      WHERE project_id = $1 AND kind = 'plate' AND value = $2 AND from_at <= $3 ORDER BY from_at DESC LIMIT 1`,
    [projectId, plate, at],
  );
  return alias;
}

export const moveAlias = (tx: Tx, aliasId: string, toVehicle: string): Promise<number> =>
  tx.execute('UPDATE vehicle_aliases SET vehicle_id = $2 WHERE alias_id = $1', [aliasId, toVehicle]);

/** Reports that were attached by the alias at or after the time. Returns how many. */
export const moveReports = (tx: Tx, fromAlias: string, toAlias: string, from: Date): Promise<number> =>
  tx.execute('UPDATE vehicle_reports SET alias_id = $2 WHERE alias_id = $1 AND created_at >= $3', [fromAlias, toAlias, from]);

export async function hasMoreReports(tx: Tx, aliasId: string, from: Date, most: number): Promise<boolean> {
  const rows = await tx.rows(
    'SELECT FROM vehicle_reports WHERE alias_id = $1 AND created_at >= $2 ORDER BY created_at DESC OFFSET $3 LIMIT 1',
    [aliasId, from, most],
  );
  return rows.length > 0;
}

export interface ChangeRow {
  readonly changeId: string;
  readonly kind: 'merged' | 'split';
  readonly vehicleId: string;
  readonly otherVehicleId: string;
  readonly plate: string | null;
  readonly fromAt: Date | null;
  readonly at: Date;
  readonly undoneAt: Date | null;
}

const CHANGE = `
  SELECT change_id AS "changeId", kind, vehicle_id AS "vehicleId", other_vehicle_id AS "otherVehicleId", plate, from_at AS "fromAt", at,
         undone_at AS "undoneAt" FROM vehicle_changes`;

const CHANGES_MAX = 50;

export const findChanges = (tx: Tx, projectId: string, vehicleId: string): Promise<ChangeRow[]> =>
  tx.rows(`${MEMBERS} ${CHANGE} WHERE vehicle_id IN (SELECT vehicle_id FROM members) ORDER BY change_id DESC LIMIT ${CHANGES_MAX}`, [
    projectId,
    vehicleId,
  ]);

export async function lockChange(tx: Tx, changeId: string): Promise<ChangeRow | null> {
  const [change] = await tx.rows<ChangeRow>(`${CHANGE} WHERE change_id = $1 FOR UPDATE`, [changeId]);
  return change ?? null;
}

export const insertChange = (tx: Tx, projectId: string, change: Omit<ChangeRow, 'undoneAt'>): Promise<number> =>
  tx.execute(
    `INSERT INTO vehicle_changes (change_id, project_id, kind, vehicle_id, other_vehicle_id, plate, from_at, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [change.changeId, projectId, change.kind, change.vehicleId, change.otherVehicleId, change.plate, change.fromAt, change.at],
  );

export const markUndone = (tx: Tx, changeId: string, now: Date): Promise<number> =>
  tx.execute('UPDATE vehicle_changes SET undone_at = $2 WHERE change_id = $1', [changeId, now]);

const DELETE_EMPTY = `
  DELETE FROM vehicles v WHERE vehicle_id = $1 AND NOT EXISTS (SELECT FROM vehicle_aliases WHERE vehicle_id = $1)
     AND NOT EXISTS (SELECT FROM vehicles WHERE merged_into = $1) RETURNING merged_into AS "mergedInto"`;

/** A vehicle without names, and then what it was merged into. One that others were merged into is still the name of theirs. */
export async function deleteIfEmpty(tx: Tx, vehicleId: string): Promise<void> {
  for (let next: string | null = vehicleId; next !== null;) {
    const [gone]: Pick<VehicleRecord, 'mergedInto'>[] = await tx.rows(DELETE_EMPTY, [next]);
    if (gone) await tx.execute('DELETE FROM vehicle_changes WHERE vehicle_id = $1', [next]);
    next = gone?.mergedInto ?? null;
  }
}

/** Changes of the vehicle go with the plate that they name. */
export const forgetPlates = (tx: Tx, vehicleId: string): Promise<number> =>
  tx.execute(
    `DELETE FROM vehicle_changes changes WHERE (vehicle_id = $1 OR other_vehicle_id = $1) AND plate IS NOT NULL AND NOT EXISTS (
       SELECT FROM vehicle_aliases WHERE vehicle_id IN (changes.vehicle_id, changes.other_vehicle_id) AND shown = changes.plate)`,
    [vehicleId],
  );

export const PAGE_MAX = 100;

/** The bound is a literal: with a parameter, the planner expects a tenth of the table. A page of the newest vehicles, from one piece of an index. */
export const NEWEST_VEHICLES = `
  SELECT vehicle_id AS "vehicleId" FROM vehicles
   WHERE project_id = $1 AND merged_into IS NULL AND vehicle_id < $2 ORDER BY project_id, vehicle_id DESC LIMIT ${PAGE_MAX + 1}`;

/** A page of aliases in the order of their text, from one piece of an index: $2 and $3 the alias before it, $4 greater than all. */
export const SEARCHED_ALIASES = `
  SELECT alias_id AS "aliasId", vehicle_id AS "vehicleId", search_key AS "searchKey" FROM vehicle_aliases
   WHERE project_id = $1 AND (search_key, alias_id) > ($2, $3) AND search_key < $4 ORDER BY project_id, search_key, alias_id LIMIT ${PAGE_MAX + 1}`;

interface FoundAlias {
  readonly aliasId: string;
  readonly vehicleId: string;
  readonly searchKey: string;
}

/** With the statistics of one project, the planner would sort all of it. */
async function inOrder<Row extends object>(tx: Tx, sql: string, params: unknown[]): Promise<Row[]> {
  await tx.execute(NOTHING_SORTED);
  const rows = await tx.rows<Row>(sql, params);
  await tx.execute('SET LOCAL enable_sort TO on');
  return rows;
}

export const listVehicles = (tx: Tx, projectId: string, before: string): Promise<{ vehicleId: string }[]> =>
  inOrder(tx, NEWEST_VEHICLES, [projectId, before]);

type AliasPlace = readonly [searchKey: string, aliasId: string];

export const searchAliases = (tx: Tx, projectId: string, after: AliasPlace, end: string): Promise<FoundAlias[]> =>
  inOrder(tx, SEARCHED_ALIASES, [projectId, ...after, end]);

interface InspectedRow {
  readonly count: number;
  readonly last: Date | null;
}

/** Not more than a passport shows are counted. */
export async function countInspections(tx: Tx, projectId: string, vehicleId: string): Promise<InspectedRow> {
  const [row] = await tx.rows<InspectedRow>(`${MEMBERS} SELECT count(*)::int AS count, max(created_at) AS last FROM (${NEWEST}) newest`, [
    projectId,
    vehicleId,
  ]);
  return row!;
}

interface BackfillState {
  readonly afterId: string;
  readonly startedAt: Date;
}

/** Null where it is done. */
export async function findBackfill(tx: Tx): Promise<BackfillState | null> {
  const [state] = await tx.rows<BackfillState>(
    'SELECT after_id AS "afterId", started_at AS "startedAt" FROM vehicle_backfill WHERE NOT done',
  );
  return state ?? null;
}

/** Nothing where another process has moved it. */
export const saveBackfill = (tx: Tx, from: string, next: { readonly afterId: string; readonly done: boolean }): Promise<number> =>
  tx.execute('UPDATE vehicle_backfill SET after_id = $2, done = $3 WHERE after_id = $1', [from, next.afterId, next.done]);

interface UnattachedReport {
  readonly reportId: string;
  readonly projectId: string;
  readonly plateNumber: string | null;
  readonly externalVehicleId: string | null;
  readonly vin: string | null;
  readonly createdAt: Date;
}

export const reportsBetween = (tx: Tx, afterId: string, beforeId: string, limit: number): Promise<UnattachedReport[]> =>
  tx.rows(
    `SELECT report_id AS "reportId", project_id AS "projectId", plate_number AS "plateNumber", external_vehicle_id AS "externalVehicleId", vin,
            created_at AS "createdAt" FROM reports WHERE report_id > $1 AND report_id < $2 ORDER BY report_id LIMIT $3`,
    [afterId, beforeId, limit],
  );

/** False for a removed report, and one that has its vehicle. A removal that comes now waits, and finds what is attached. */
export async function lockUnattached(tx: Tx, reportId: string): Promise<boolean> {
  const rows = await tx.rows(
    `SELECT FROM reports WHERE report_id = $1 AND discarded_at IS NULL AND purge_at IS NULL
        AND NOT EXISTS (SELECT FROM vehicle_reports attached WHERE attached.report_id = $1) FOR SHARE OF reports`,
    [reportId],
  );
  return rows.length > 0;
}
