import { DomainError, newId } from '@tire/kernel';
import type { Tx } from '@tire/platform';
import type { Link, Publication } from '../domain/publication';

interface PublicationRow {
  readonly projectId: string;
  readonly reportId: string;
  readonly status: Publication['status'];
  readonly version: number;
  readonly lastAnalysisRevision: string | null;
  readonly lastContentRevision: string | null;
  readonly lastAnalysisStatus: string | null;
  readonly captureFinishedAt: Date | null;
  readonly publishedAt: Date | null;
  readonly callbackUrl: string | null;
  readonly externalInspectionId: string | null;
  readonly externalVehicleId: string | null;
}

/** Somebody may listen to the project of the report, who gets all events. */
type LockedRow = PublicationRow & { readonly isListenedTo: boolean };

/** The data that publication stores about a report beside its state. */
export interface Registration {
  readonly projectId: string;
  readonly reportId: string;
  readonly callbackUrl?: string | undefined;
  readonly externalInspectionId?: string | undefined;
  readonly externalVehicleId?: string | undefined;
  readonly branchId?: string | undefined;
}

/** The link of the creation, of which a discarded report keeps the digest. */
export type MintedLink = Pick<Link, 'digest' | 'createdAt' | 'expiresAt'>;

/** The report as a callback names it. */
export type CallbackReport = Pick<PublicationRow, 'projectId' | 'reportId' | 'callbackUrl' | 'externalInspectionId' | 'externalVehicleId'>;

export interface StoredPublication {
  readonly row: LockedRow;
  readonly state: Publication;
}

const COLUMNS = `
         project_id AS "projectId", report_id AS "reportId", status, version::int AS version,
         last_analysis_revision AS "lastAnalysisRevision", last_content_revision AS "lastContentRevision", published_at AS "publishedAt",
         last_analysis_status AS "lastAnalysisStatus", capture_finished_at AS "captureFinishedAt",
         callback_url AS "callbackUrl", external_inspection_id AS "externalInspectionId", external_vehicle_id AS "externalVehicleId"`;

const SELECT_LOCKED = `
  SELECT ${COLUMNS}, EXISTS (SELECT FROM listeners WHERE project_id = publications.project_id AND until > $2) AS "isListenedTo"
    FROM publications WHERE report_id = $1 FOR UPDATE`;

/** One link at most is not revoked. Times come from several clocks, so they do not show which link is valid. */
const SELECT_NEWEST_LINK = `
  SELECT id, token_digest AS digest, token, created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt" FROM share_links
  WHERE report_id = $1 ORDER BY revoked_at DESC NULLS FIRST, created_at DESC, id DESC LIMIT 1`;

/** Both of one moment: a removal between two reads would leave the link of a publication without its token. */
const SELECT_WITH_LINK = `
  SELECT ${COLUMNS}, link.* FROM publications LEFT JOIN LATERAL (${SELECT_NEWEST_LINK}) link ON true WHERE report_id = $1`;

const UPDATE = `
  UPDATE publications SET status = $2, version = $3, last_analysis_revision = $4, last_content_revision = $5, published_at = $6,
         last_analysis_status = $7, capture_finished_at = $8
  WHERE report_id = $1`;

const INSERT_LINK = `
  INSERT INTO share_links (id, project_id, report_id, token, token_digest, created_at, expires_at, revoked_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Locks the publication of a report. Inserts it if there is none, so that two first messages wait for each other too. */
export async function lockPublication(tx: Tx, projectId: string, reportId: string, now: Date): Promise<StoredPublication> {
  await tx.execute(`INSERT INTO publications (report_id, project_id, status) VALUES ($1, $2, 'absent') ON CONFLICT DO NOTHING`, [
    reportId,
    projectId,
  ]);
  // If another project owns the report, the insert found its key and the row is hidden.
  const [row] = await tx.rows<LockedRow>(SELECT_LOCKED, [reportId, now]);
  if (!row) throw new DomainError('not_found');
  return { row, state: publicationOf(row, await newestLink(tx, reportId)) };
}

export async function findPublication(tx: Tx, reportId: string): Promise<Publication> {
  const [row] = await tx.rows<PublicationRow & (Link | { readonly id: null })>(SELECT_WITH_LINK, [reportId]);
  return row ? publicationOf(row, row.id === null ? undefined : linkOf(row)) : { status: 'absent' };
}

export async function savePublication(tx: Tx, reportId: string, state: Publication): Promise<void> {
  const last = 'last' in state ? state.last : null;
  await tx.execute(UPDATE, [
    reportId,
    state.status,
    'version' in state ? state.version : 0,
    last?.analysisRevision ?? null,
    last?.contentRevision ?? null,
    'publishedAt' in state ? state.publishedAt : null,
    last?.analysisStatus ?? null,
    'captureFinishedAt' in state ? state.captureFinishedAt : null,
  ]);
}

export async function saveRegistration(tx: Tx, registration: Registration): Promise<void> {
  const { reportId, callbackUrl = null, externalInspectionId = null, externalVehicleId = null, branchId = null } = registration;
  await tx.execute(
    'UPDATE publications SET callback_url = $2, external_inspection_id = $3, external_vehicle_id = $4, branch_id = $5 WHERE report_id = $1',
    [reportId, callbackUrl, externalInspectionId, externalVehicleId, branchId],
  );
}

export async function insertLink(tx: Tx, projectId: string, reportId: string, link: Link): Promise<void> {
  const { id, token, digest, createdAt, expiresAt, revokedAt } = link;
  await tx.execute(INSERT_LINK, [id, projectId, reportId, token, digest, createdAt, expiresAt, revokedAt]);
}

export async function revokeLinks(tx: Tx, reportId: string, revokedAt: Date): Promise<void> {
  await tx.execute('UPDATE share_links SET revoked_at = $2 WHERE report_id = $1 AND revoked_at IS NULL', [reportId, revokedAt]);
}

/** Leaves only the digests of the tokens of a discarded report, so that its address shows that there was a page. `minted` is null where the time of creation is not known. */
export async function erasePublication(tx: Tx, projectId: string, reportId: string, minted: MintedLink | null): Promise<void> {
  if (minted) {
    const { digest, createdAt, expiresAt } = minted;
    const values = [newId(), projectId, reportId, null, digest, createdAt, expiresAt, null];
    await tx.execute(`${INSERT_LINK} ON CONFLICT (token_digest) DO NOTHING`, values);
  }
  await tx.execute('UPDATE share_links SET token = NULL WHERE report_id = $1', [reportId]);
  await saveRegistration(tx, { projectId, reportId });
}

/** What is kept of reports. Of a discarded one, the digests of its tokens and the fact of each callback do not count. */
const COUNT = `
  SELECT 'publications' AS what, count(*)::int AS count FROM publications WHERE report_id = ANY($1) AND status <> 'discarded'
  UNION ALL SELECT 'links', count(*)::int FROM share_links WHERE report_id = ANY($1) AND token IS NOT NULL
  UNION ALL SELECT 'callbacks', count(*)::int FROM callbacks WHERE report_id = ANY($1) AND body IS NOT NULL
  UNION ALL SELECT 'listened_callbacks', count(*)::int FROM listened_callbacks WHERE report_id = ANY($1)`;

export const countReportData = (tx: Tx, reportIds: readonly string[]): Promise<{ what: string; count: number }[]> =>
  tx.rows(COUNT, [reportIds]);

const linkOf = ({ id, digest, token, createdAt, expiresAt, revokedAt }: Link): Link => ({
  id,
  digest,
  token,
  createdAt,
  expiresAt,
  revokedAt,
});

const newestLink = async (tx: Tx, reportId: string): Promise<Link | undefined> => (await tx.rows<Link>(SELECT_NEWEST_LINK, [reportId]))[0];

function publicationOf(row: PublicationRow, link: Link | undefined): Publication {
  const { status, publishedAt, version, captureFinishedAt } = row;
  const { lastAnalysisRevision: analysisRevision, lastAnalysisStatus: analysisStatus, lastContentRevision: contentRevision } = row;
  const last = analysisRevision === null || analysisStatus === null ? null : { analysisRevision, contentRevision, analysisStatus };
  if (status === 'absent' || status === 'discarded') return { status };
  if (status === 'held') {
    if (last) return { status, last };
  } else if (link) {
    if (status === 'unpublished') return { status, version, last, link, captureFinishedAt };
    if (last && publishedAt) return { status, version, last, link, captureFinishedAt, publishedAt };
  }
  throw new Error(`The stored publication of report ${row.reportId} is ${status} but incomplete`);
}
