import type { Database, Tx } from '@tire/platform';

export interface StoredVehicleLink {
  readonly linkId: string;
  readonly projectId: string;
  readonly vehicleId: string;
  readonly showsPlate: boolean;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

/** More are not listed. */
const LISTED_MAX = 50;

const COLUMNS = `
  l.link_id AS "linkId", l.project_id AS "projectId", l.vehicle_id AS "vehicleId", l.shows_plate AS "showsPlate", l.created_at AS "createdAt",
  l.created_by AS "createdBy", l.expires_at AS "expiresAt", l.revoked_at AS "revokedAt"`;

export const insertVehicleLink = (tx: Tx, link: StoredVehicleLink, tokenDigest: Buffer): Promise<number> =>
  tx.execute(
    `INSERT INTO vehicle_links (link_id, project_id, vehicle_id, token_digest, shows_plate, created_at, created_by, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [link.linkId, link.projectId, link.vehicleId, tokenDigest, link.showsPlate, link.createdAt, link.createdBy, link.expiresAt],
  );

/** Those that are open first: they can be revoked. */
export const listVehicleLinks = (tx: Tx, vehicleIds: readonly string[], now: Date): Promise<StoredVehicleLink[]> =>
  tx.rows(
    `SELECT ${COLUMNS} FROM vehicle_links l WHERE vehicle_id = ANY($1)
      ORDER BY revoked_at IS NULL AND expires_at > $2 DESC, link_id DESC LIMIT ${LISTED_MAX}`,
    [vehicleIds, now],
  );

export async function countOpenLinks(tx: Tx, vehicleIds: readonly string[], now: Date): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(
    'SELECT count(*)::int AS count FROM vehicle_links WHERE vehicle_id = ANY($1) AND revoked_at IS NULL AND expires_at > $2',
    [vehicleIds, now],
  );
  return row!.count;
}

/** What was revoked before stays as it is. Undefined for a link of none of these vehicles. */
export async function revokeVehicleLink(
  tx: Tx,
  vehicleIds: readonly string[],
  linkId: string,
  now: Date,
): Promise<StoredVehicleLink | undefined> {
  await tx.execute('UPDATE vehicle_links SET revoked_at = $3 WHERE link_id = $2 AND vehicle_id = ANY($1) AND revoked_at IS NULL', [
    vehicleIds,
    linkId,
    now,
  ]);
  const [link] = await tx.rows<StoredVehicleLink>(`SELECT ${COLUMNS} FROM vehicle_links l WHERE link_id = $2 AND vehicle_id = ANY($1)`, [
    vehicleIds,
    linkId,
  ]);
  return link;
}

/** Not more are removed at once. */
const REMOVED_MAX = 5_000;

/** Those that ended before the time, of all projects. */
export const deleteEnded = (tx: Tx, before: Date): Promise<number> =>
  tx.execute(
    `DELETE FROM vehicle_links WHERE link_id IN (
       SELECT link_id FROM vehicle_links WHERE least(expires_at, revoked_at) < $1
        ORDER BY least(expires_at, revoked_at) LIMIT ${REMOVED_MAX} FOR UPDATE SKIP LOCKED)`,
    [before],
  );

const BY_DIGEST = `
  SELECT encode(l.token_digest, 'hex') AS digest, ${COLUMNS} FROM vehicle_links l WHERE l.token_digest = ANY($1)`;

/** The links of these digests, in their order. */
export async function findVehicleLinks(database: Database, digests: readonly Buffer[]): Promise<(StoredVehicleLink | undefined)[]> {
  const rows = await database.systemQuery<StoredVehicleLink & { readonly digest: string }>(BY_DIGEST, [digests]);
  const links = new Map(rows.map((row) => [row.digest, row]));
  return digests.map((digest) => links.get(digest.toString('hex')));
}
