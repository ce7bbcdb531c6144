import { VEHICLE_PAGE_INSPECTIONS, VEHICLE_REPORTS_MAX } from '@tire/contracts/limits';
import type { Tx } from '@tire/platform';
import { SANDBOX_MODEL } from '../domain/sandbox';
import { measuredTreads } from '../search/search.store';
import { MEMBERS, type PassportRow } from './vehicle.store';

/** Of each alias, so that a view costs the same however many reports it has. */
const LOOKED_THROUGH_MAX = 1_000;

/** The present values are what was published: not those before it, or of an analysis that goes on. */
const IS_PUBLISHED = `
  publication_status = 'published' AND analysis_status = 'complete' AND link_token IS NOT NULL
  AND coalesce(publication_analysis_revision = revision_id AND content_analysis_revision = revision_id, false)`;

/** The newest that are published, and the newest of the others at which a tire changed. */
const NEWEST = `
  WITH known AS MATERIALIZED (
    SELECT reports.report_id, reports.created_at, analysis_status, standing, warnings_json, creation_mode, plate_number, mileage_km,
           branch_id, ${IS_PUBLISHED} AS is_published
      FROM vehicle_aliases aliases CROSS JOIN LATERAL (
        SELECT report_id FROM vehicle_reports attached WHERE attached.alias_id = aliases.alias_id
         ORDER BY attached.created_at DESC, attached.report_id DESC LIMIT ${LOOKED_THROUGH_MAX}
      ) attached JOIN reports USING (report_id)
     WHERE aliases.vehicle_id IN (SELECT vehicle_id FROM members) AND discarded_at IS NULL AND purge_at IS NULL
  )
  (SELECT * FROM known WHERE is_published ORDER BY created_at DESC, report_id DESC LIMIT ${VEHICLE_REPORTS_MAX})
  UNION ALL
  (SELECT * FROM known WHERE NOT is_published AND EXISTS (SELECT FROM tire_judgements said WHERE said.report_id = known.report_id)
    ORDER BY created_at DESC, report_id DESC LIMIT ${VEHICLE_REPORTS_MAX})`;

export interface PublishedRow extends PassportRow {
  /** Its own page is public, or was until its link expired: it was not withdrawn. */
  readonly is_published: boolean;
  /** One of the newest: its treads are here. */
  readonly is_measured: boolean;
  readonly branch_id: string | null;
}

type Treads = Pick<PublishedRow, 'report_id' | 'slot_id' | 'depth_mm' | 'depth_low_mm' | 'depth_high_mm' | 'is_bald' | 'is_partly_unseen'>;

const NO_TREAD = { slot_id: null, depth_mm: null, depth_low_mm: null, depth_high_mm: null, is_bald: false, is_partly_unseen: false };

/** Oldest first. Treads are read of the inspections that the page shows; the others are counted. */
export async function findPublished(tx: Tx, projectId: string, vehicleId: string): Promise<PublishedRow[]> {
  const reports = await tx.rows<Omit<PublishedRow, keyof Treads | 'is_measured'> & { readonly report_id: string }>(
    `${MEMBERS} SELECT * FROM (${NEWEST}) newest ORDER BY created_at, report_id`,
    [projectId, vehicleId],
  );
  const shown = reports.filter(({ is_published }) => is_published).slice(-VEHICLE_PAGE_INSPECTIONS);
  const measured = new Set(shown.map(({ report_id }) => report_id));
  const treads = await tx.rows<Treads>(measuredTreads('SELECT report_id, created_at FROM reports WHERE report_id = ANY($1)'), [
    [...measured],
  ]);
  return reports.flatMap((report) => {
    const own = treads.filter(({ report_id }) => report_id === report.report_id);
    const is_measured = measured.has(report.report_id);
    return (own.length > 0 ? own : [NO_TREAD]).map((tread) => ({ ...tread, ...report, is_measured }));
  });
}

/** Whether a value of these reports is the known result of a photograph of the sandbox. */
export async function haveSamples(tx: Tx, reportIds: readonly string[]): Promise<boolean> {
  const rows = await tx.rows(
    `SELECT FROM slots JOIN analyses USING (report_id, slot_id, analysis_id)
      WHERE slots.report_id = ANY($1) AND starts_with(analyses.model, $2) LIMIT 1`,
    [reportIds, SANDBOX_MODEL],
  );
  return rows.length > 0;
}
