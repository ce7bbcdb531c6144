import type { Database, Tx } from '@tire/platform';

/** `name` is that of its object in assets. */
export interface StoredLogo {
  readonly name: string;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The partner settings that page and PDF show, as members set them. */
export interface StoredPartner {
  readonly name: string | null;
  readonly phone: string | null;
  readonly address: string | null;
  /** With line breaks. */
  readonly openingHours: string | null;
  readonly logo: StoredLogo | null;
  /** Null: none was chosen. */
  readonly timeZone: string | null;
  /** Another one after each change. 0: nothing was ever set. */
  readonly version: number;
}

export const NO_PARTNER: StoredPartner = {
  name: null,
  phone: null,
  address: null,
  openingHours: null,
  logo: null,
  timeZone: null,
  version: 0,
};

/** The logo of a row of partners or branches. */
export const logoJson = (row: string): string => `
    CASE WHEN ${row}.logo_name IS NOT NULL
         THEN json_build_object('name', ${row}.logo_name, 'widthPx', ${row}.logo_width_px, 'heightPx', ${row}.logo_height_px) END`;

/** One JSON value from a row `t` of partners, or from none. */
export const PARTNER_JSON = `
  CASE WHEN t.project_id IS NOT NULL THEN json_build_object('name', t.name, 'phone', t.phone, 'address', t.address,
    'openingHours', t.opening_hours, 'timeZone', t.time_zone, 'version', t.version, 'logo', ${logoJson('t')}) END`;

export async function findPartner(tx: Tx, projectId: string): Promise<StoredPartner> {
  const [row] = await tx.rows<{ partner: StoredPartner }>(`SELECT ${PARTNER_JSON} AS partner FROM partners t WHERE project_id = $1`, [
    projectId,
  ]);
  return row?.partner ?? NO_PARTNER;
}

export type PartnerTexts = Pick<StoredPartner, 'name' | 'phone'> & {
  /** Undefined: as before. */
  readonly [Part in 'address' | 'openingHours']: string | null | undefined;
};

export async function savePartner(tx: Tx, projectId: string, { name, phone, address, openingHours }: PartnerTexts): Promise<void> {
  await tx.execute(
    `INSERT INTO partners (project_id, name, phone, address, opening_hours) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (project_id) DO UPDATE SET name = $2, phone = $3, version = partners.version + 1,
       address = CASE WHEN $6::boolean THEN $4 ELSE partners.address END, opening_hours = CASE WHEN $7::boolean THEN $5 ELSE partners.opening_hours END`,
    [projectId, name, phone, address ?? null, openingHours ?? null, address !== undefined, openingHours !== undefined],
  );
}

/** A fact of the gateway. It comes again after a failure, and maybe out of order. */
export async function noteTimeZone(tx: Tx, projectId: string, timeZone: string, version: number): Promise<void> {
  await tx.execute(
    `INSERT INTO partners (project_id, time_zone, time_zone_version) VALUES ($1, $2, $3)
     ON CONFLICT (project_id) DO UPDATE SET time_zone = $2, time_zone_version = $3, version = partners.version + 1
     WHERE partners.time_zone_version < $3`,
    [projectId, timeZone, version],
  );
}

/** Waits for changes that are being made, and makes others wait. */
export async function lockPartner(tx: Tx, projectId: string): Promise<StoredPartner> {
  await tx.execute('INSERT INTO partners (project_id) VALUES ($1) ON CONFLICT DO NOTHING', [projectId]);
  await tx.execute('SELECT FROM partners WHERE project_id = $1 FOR UPDATE', [projectId]);
  return findPartner(tx, projectId);
}

/** Returns the logo before it. Two changes at once run one after the other, so that each logo is replaced once. */
export async function saveLogo(tx: Tx, projectId: string, logo: StoredLogo | null): Promise<StoredLogo | null> {
  const { logo: before } = await lockPartner(tx, projectId);
  await tx.execute(
    'UPDATE partners SET logo_name = $2, logo_width_px = $3, logo_height_px = $4, version = version + 1 WHERE project_id = $1',
    [projectId, logo?.name ?? null, logo?.widthPx ?? null, logo?.heightPx ?? null],
  );
  return before;
}

/** By the project or by one of its branches. */
export async function isLogoNamed(tx: Tx, projectId: string, name: string): Promise<boolean> {
  const rows = await tx.rows(
    `SELECT FROM partners WHERE project_id = $1 AND logo_name = $2 UNION ALL SELECT FROM branches WHERE project_id = $1 AND logo_name = $2`,
    [projectId, name],
  );
  return rows.length > 0;
}

export interface UnusedLogo {
  readonly projectId: string;
  readonly name: string;
}

export async function addUnused(tx: Tx, { projectId, name }: UnusedLogo, since: Date): Promise<void> {
  await tx.execute('INSERT INTO unused_logos (project_id, name, since) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    projectId,
    name,
    since,
  ]);
}

export async function forgetUnused(tx: Tx, { projectId, name }: UnusedLogo): Promise<void> {
  await tx.execute('DELETE FROM unused_logos WHERE project_id = $1 AND name = $2', [projectId, name]);
}

/** Those that are unused since then, the oldest first. */
export const findUnused = (database: Database, before: Date, limit: number): Promise<UnusedLogo[]> =>
  database.systemQuery('SELECT project_id AS "projectId", name FROM unused_logos WHERE since < $1 ORDER BY since LIMIT $2', [
    before,
    limit,
  ]);
