import { isUuid } from '@tire/kernel';
import type { Tx } from '@tire/platform';
import { normalizedOwnId, normalizedPlate, normalizedVin, searchKey, type IdentifierKind } from '../domain/vehicle-identity';
import { findMembers, findRoot } from '../vehicles/vehicle.store';

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface Found {
  readonly id: string;
}

const idsOf = (rows: readonly Found[]): string[] => rows.map(({ id }) => id);

/** Reports that name the plate; those of before vehicles, and a text that is no plate, too. */
export async function reportsOfPlate(tx: Tx, projectId: string, written: string, limit: number): Promise<string[]> {
  const key = searchKey(written);
  const named = await tx.rows<Found>('SELECT report_id AS id FROM vehicle_reports WHERE project_id = $1 AND plate = $2 LIMIT $3', [
    projectId,
    normalizedPlate(written) ?? key,
    limit,
  ]);
  return [...new Set([...idsOf(named), ...(await reportsWrittenAlike(tx, projectId, written, limit))])];
}

const ALIKE_AT_ONCE = 1_000;

const SELECT_ALIKE = `
  SELECT report_id AS id, plate_number AS plate, created_at::text AS "createdAt" FROM reports
   WHERE project_id = $1 AND plate_end = $2 AND (created_at, report_id) < ($3::timestamptz, $4)
   ORDER BY created_at DESC, report_id DESC LIMIT ${ALIKE_AT_ONCE}`;

/** By the last four characters, which have an index. Each portion of those is compared whole, as plates are compared everywhere else. */
async function reportsWrittenAlike(tx: Tx, projectId: string, written: string, limit: number): Promise<string[]> {
  const key = searchKey(written);
  const end = [...written.toUpperCase().replaceAll(' ', '')].slice(-4).join('');
  const found: string[] = [];
  let [createdAt, id] = ['infinity', LAST_ID];
  for (let read = ALIKE_AT_ONCE; read === ALIKE_AT_ONCE && found.length < limit;) {
    const rows = await tx.rows<Found & { readonly plate: string; readonly createdAt: string }>(SELECT_ALIKE, [
      projectId,
      end,
      createdAt,
      id,
    ]);
    found.push(...idsOf(rows.filter(({ plate }) => searchKey(plate) === key)));
    ({ createdAt, id } = rows.at(-1) ?? { createdAt, id });
    read = rows.length;
  }
  return found.slice(0, limit);
}

/** Of the whole vehicle that the VIN names, with those that were merged with it. */
export async function reportsOfVin(tx: Tx, projectId: string, written: string, limit: number): Promise<string[]> {
  const vin = normalizedVin(written);
  return vin === null ? [] : reportsOfVehicles(tx, projectId, await vehiclesNamed(tx, projectId, 'vin', vin), limit);
}

/** By the id of the vehicle, or by the partner's own id of it. */
export async function reportsOfVehicle(tx: Tx, projectId: string, written: string, limit: number): Promise<string[]> {
  if (isUuid(written)) {
    const found = await reportsOfVehicles(tx, projectId, [written], limit);
    if (found.length > 0) return found;
  }
  const own = normalizedOwnId(written);
  if (own === null) return [];
  const ofVehicles = await reportsOfVehicles(tx, projectId, await vehiclesNamed(tx, projectId, 'own', own), limit);
  const named = await tx.rows<Found>('SELECT report_id AS id FROM reports WHERE project_id = $1 AND external_vehicle_id = $2 LIMIT $3', [
    projectId,
    written,
    limit,
  ]);
  return [...new Set([...ofVehicles, ...idsOf(named)])];
}

export const oneReport = async (tx: Tx, written: string): Promise<string[]> =>
  isUuid(written) ? idsOf(await tx.rows<Found>('SELECT report_id AS id FROM reports WHERE report_id = $1', [written])) : [];

const vehiclesNamed = async (tx: Tx, projectId: string, kind: IdentifierKind, value: string): Promise<string[]> =>
  idsOf(
    await tx.rows<Found>('SELECT vehicle_id AS id FROM vehicle_aliases WHERE project_id = $1 AND kind = $2 AND value = $3', [
      projectId,
      kind,
      value,
    ]),
  );

async function reportsOfVehicles(tx: Tx, projectId: string, vehicleIds: readonly string[], limit: number): Promise<string[]> {
  const members = new Set<string>();
  for (const vehicleId of vehicleIds) {
    const root = await findRoot(tx, vehicleId);
    if (root !== null) for (const member of await findMembers(tx, projectId, root)) members.add(member);
  }
  if (members.size === 0) return [];
  return idsOf(
    await tx.rows<Found>(
      `SELECT report_id AS id FROM vehicle_reports JOIN vehicle_aliases USING (alias_id)
        WHERE vehicle_aliases.project_id = $1 AND vehicle_id = ANY($2) LIMIT $3`,
      [projectId, [...members], limit],
    ),
  );
}

/** Names with this value. */
export const aliasesNamed = async (tx: Tx, projectId: string, kind: IdentifierKind, value: string): Promise<string[]> =>
  idsOf(
    await tx.rows<Found>('SELECT alias_id AS id FROM vehicle_aliases WHERE project_id = $1 AND kind = $2 AND value = $3', [
      projectId,
      kind,
      value,
    ]),
  );

export interface LedgerCounts {
  readonly reports: number;
  readonly photographs: number;
  readonly measurements: number;
  readonly revisions: number;
  readonly history: number;
  readonly idempotencyRecords: number;
  readonly vehicles: number;
  readonly published: number;
  readonly held: string[] | null;
}

const COUNT = `
  SELECT count(*)::int AS reports,
         (SELECT count(*)::int FROM slots WHERE report_id = ANY($1) AND phase <> 'empty') AS photographs,
         (SELECT count(*)::int FROM analyses WHERE report_id = ANY($1)) AS measurements,
         (SELECT count(*)::int FROM analysis_revisions WHERE report_id = ANY($1)) AS revisions,
         (SELECT count(*)::int FROM report_history WHERE report_id = ANY($1)) AS history,
         (SELECT count(*)::int FROM idempotency_records WHERE report_id = ANY($1)) AS "idempotencyRecords",
         (SELECT count(DISTINCT vehicle_id)::int FROM vehicle_reports JOIN vehicle_aliases USING (alias_id) WHERE report_id = ANY($1)) AS vehicles,
         count(*) FILTER (WHERE publication_status = 'published')::int AS published,
         array_agg(report_id) FILTER (WHERE legal_hold_at IS NOT NULL) AS held
    FROM reports WHERE report_id = ANY($1)`;

export async function countOf(tx: Tx, reportIds: readonly string[]): Promise<LedgerCounts> {
  const [row] = await tx.rows<LedgerCounts>(COUNT, [reportIds]);
  return row!;
}
