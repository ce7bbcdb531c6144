import { newId } from '@tire/kernel';
import type { Tx } from '@tire/platform';
import type { ReportIdentity } from '../domain/report';
import {
  attachment,
  identifiersOf,
  searchKey,
  type AliasCounts,
  type Identifier,
  type IdentifierKind,
  type KnownAlias,
} from '../domain/vehicle-identity';
import { deleteIfEmpty, forgetPlates, insertVehicle } from './vehicle.store';

/**
 * For each identifier the alias of the vehicle that it named at $4. The lock keeps a removal from deleting the alias before this transaction
 * has attached its report; others may attach at the same time.
 */
const KNOWN = `
  SELECT alias_id AS "aliasId", vehicle_id AS "vehicleId", kind, value FROM vehicle_aliases WHERE alias_id IN (
    SELECT (SELECT alias_id FROM vehicle_aliases known
             WHERE known.project_id = $1 AND known.kind = asked.kind AND known.value = asked.value AND known.from_at <= $4
             ORDER BY known.from_at DESC LIMIT 1)
      FROM unnest($2::text[], $3::text[]) AS asked (kind, value))
  ORDER BY alias_id FOR KEY SHARE`;

/** Of the whole that each vehicle belongs to: its root, and what was merged into that. */
const COUNTS = `
  WITH RECURSIVE above AS (
    SELECT vehicle_id AS asked, vehicle_id, merged_into FROM vehicles WHERE vehicle_id = ANY($1)
    UNION SELECT asked, v.vehicle_id, v.merged_into FROM vehicles v JOIN above ON above.merged_into = v.vehicle_id
  ), members AS (
    SELECT asked, vehicle_id FROM above WHERE merged_into IS NULL
    UNION SELECT asked, merged.vehicle_id FROM vehicles merged JOIN members ON merged.merged_into = members.vehicle_id
  )
  SELECT asked AS "vehicleId", kind, count(*)::int AS count FROM members JOIN vehicle_aliases USING (vehicle_id) GROUP BY 1, 2`;

const ATTACH = `
  INSERT INTO vehicle_reports (report_id, project_id, alias_id, created_at, plate) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (report_id) DO NOTHING`;

type VehicleOfReport = Pick<ReportIdentity, 'projectId' | 'reportId' | 'vin' | 'externalVehicleId' | 'plateNumber' | 'createdAt'>;

/**
 * Attaches a new report to its vehicle, in the transaction that creates it. Most reports add no alias and wait for nobody. One that adds any
 * waits for others that add one of the same, and looks again, so that a vehicle is never made twice.
 */
export async function attachVehicle(tx: Tx, report: VehicleOfReport): Promise<void> {
  const identifiers = identifiersOf(report);
  if (identifiers.length === 0) return;
  const { projectId, reportId } = report;
  const at = new Date(report.createdAt);
  let known = await findKnown(tx, projectId, identifiers, at);
  if (known.length < identifiers.length) {
    await lockIdentifiers(tx, projectId, identifiers);
    known = await findKnown(tx, projectId, identifiers, at);
  }
  const decided = attachment(identifiers, known, await countsOf(tx, known));
  if (!decided) return;
  const vehicleId = decided.vehicleId ?? newId(at.getTime());
  if (decided.vehicleId === null) await insertVehicle(tx, projectId, vehicleId, at);
  const added = new Map<Identifier, string>();
  for (const identifier of decided.added) added.set(identifier, await addAlias(tx, projectId, vehicleId, identifier, '-infinity'));
  const { by } = decided;
  const aliasId = added.get(by) ?? known.find(({ kind, value }) => kind === by.kind && value === by.value)?.aliasId;
  if (aliasId === undefined) throw new Error('A report has no alias to be attached to');
  const plate = identifiers.find(({ kind }) => kind === 'plate')?.value ?? null;
  await tx.execute(ATTACH, [reportId, projectId, aliasId, at, plate]);
}

const findKnown = (tx: Tx, projectId: string, identifiers: readonly Identifier[], at: Date): Promise<KnownAlias[]> =>
  tx.rows(KNOWN, [projectId, identifiers.map(({ kind }) => kind), identifiers.map(({ value }) => value), at]);

async function countsOf(tx: Tx, known: readonly KnownAlias[]): Promise<AliasCounts> {
  if (known.length === 0) return new Map();
  const ids = [...new Set(known.map(({ vehicleId }) => vehicleId))];
  const counts = new Map<string, Partial<Record<IdentifierKind, number>>>();
  for (const { vehicleId, kind, count } of await tx.rows<{ vehicleId: string; kind: IdentifierKind; count: number }>(COUNTS, [ids]))
    counts.set(vehicleId, { ...counts.get(vehicleId), [kind]: count });
  return counts;
}

/** In a fixed order, so that two transactions never wait for each other in a circle. */
async function lockIdentifiers(tx: Tx, projectId: string, identifiers: readonly Identifier[]): Promise<void> {
  for (const name of identifiers.map(({ kind, value }) => `vehicle ${projectId} ${kind} ${value}`).sort())
    await tx.execute('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

export async function addAlias(tx: Tx, projectId: string, vehicleId: string, of: Identifier, fromAt: Date | '-infinity'): Promise<string> {
  const aliasId = newId();
  await tx.execute(
    `INSERT INTO vehicle_aliases (alias_id, project_id, vehicle_id, kind, value, shown, search_key, from_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [aliasId, projectId, vehicleId, of.kind, of.value, of.shown, searchKey(of.value), fromAt],
  );
  return aliasId;
}

/** Each report with a VIN is attached by it, so a VIN that no report is attached by is that of none. */
const DELETE_UNUSED = `
  DELETE FROM vehicle_aliases aliases WHERE alias_id = ANY($1) AND kind IN ('vin', 'plate')
     AND NOT EXISTS (SELECT FROM vehicle_reports WHERE alias_id = aliases.alias_id)
     AND NOT EXISTS (SELECT FROM vehicle_reports used
                      WHERE aliases.kind = 'plate' AND used.project_id = aliases.project_id AND used.plate = aliases.value
                        AND used.alias_id = ANY($1))`;

/**
 * Of a removed report. A plate and a VIN are data about a person: they go with the last report of the vehicle that has them, and all aliases
 * with its last report. The lock waits for reports that are being attached, and makes others look again.
 */
export async function detachVehicle(tx: Tx, reportId: string): Promise<void> {
  await tx.execute('DELETE FROM tire_judgements WHERE report_id = $1', [reportId]);
  const [gone] = await tx.rows<{ aliasId: string }>('DELETE FROM vehicle_reports WHERE report_id = $1 RETURNING alias_id AS "aliasId"', [
    reportId,
  ]);
  if (!gone) return;
  const aliases = await tx.rows<{ aliasId: string; vehicleId: string }>(
    `SELECT alias_id AS "aliasId", vehicle_id AS "vehicleId" FROM vehicle_aliases
      WHERE vehicle_id = (SELECT vehicle_id FROM vehicle_aliases WHERE alias_id = $1) ORDER BY alias_id FOR UPDATE`,
    [gone.aliasId],
  );
  const ids = aliases.map(({ aliasId }) => aliasId);
  const vehicleId = aliases[0]?.vehicleId;
  if (vehicleId === undefined) return;
  const [left] = await tx.rows('SELECT FROM vehicle_reports WHERE alias_id = ANY($1) LIMIT 1', [ids]);
  if (left) await tx.execute(DELETE_UNUSED, [ids]);
  else await tx.execute('DELETE FROM vehicle_aliases WHERE alias_id = ANY($1)', [ids]);
  await deleteIfEmpty(tx, vehicleId);
  await forgetPlates(tx, vehicleId);
}
