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

const COUNTS = `SELECT vehicle_id AS "vehicleId", kind, count(*)::int AS count FROM vehicle_aliases WHERE vehicle_id = ANY($1) GROUP BY 1, 2`;

const ATTACH = `
  INSERT INTO vehicle_reports (report_id, project_id, alias_id, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (report_id) DO NOTHING`;

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
  if (decided.vehicleId === null)
    await tx.execute('INSERT INTO vehicles (vehicle_id, project_id, created_at) VALUES ($1, $2, $3)', [vehicleId, projectId, at]);
  const added = new Map<Identifier, string>();
  for (const identifier of decided.added) added.set(identifier, await addAlias(tx, projectId, vehicleId, identifier, '-infinity'));
  const { by } = decided;
  const aliasId = added.get(by) ?? known.find(({ kind, value }) => kind === by.kind && value === by.value)?.aliasId;
  if (aliasId === undefined) throw new Error('A report has no alias to be attached to');
  await tx.execute(ATTACH, [reportId, projectId, aliasId, at]);
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

/**
 * Of a removed report. A plate is data about a person: with the last report of a vehicle its aliases go too. The lock waits for reports that are
 * being attached, and makes others look again.
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
  const [left] = await tx.rows('SELECT FROM vehicle_reports WHERE alias_id = ANY($1) LIMIT 1', [ids]);
  const vehicleId = aliases[0]?.vehicleId;
  if (left || vehicleId === undefined) return;
  await tx.execute('DELETE FROM vehicle_aliases WHERE alias_id = ANY($1)', [ids]);
  // A vehicle that others were merged into is still the name of theirs.
  await tx.execute('DELETE FROM vehicles WHERE vehicle_id = $1 AND NOT EXISTS (SELECT FROM vehicles WHERE merged_into = $1)', [vehicleId]);
}
