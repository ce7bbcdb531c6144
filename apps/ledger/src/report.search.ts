import type { ledgerApi } from '@tire/contracts';
import { DomainError, isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';

const LIMIT_MAX = 100;
const VEHICLE_REPORTS_MAX = 200;

const COLUMNS = `
  report_id, created_at, plate_number, external_inspection_id, external_vehicle_id, template_key, source_channel, creation_mode,
  analysis_status, publication_status`;

/**
 * $1 project, $2 and $3 the report before the page. How many is written out: of a limit that it does not know, the planner expects a
 * tenth of the table, and reads it all.
 */
const pageWhere = (condition: string): string => `
  SELECT ${COLUMNS} FROM reports
   WHERE project_id = $1 AND (created_at, report_id) < ($2, $3) AND discarded_at IS NULL AND purge_at IS NULL ${condition}
   ORDER BY created_at DESC, report_id DESC LIMIT ${LIMIT_MAX + 1}`;

const ALL = pageWhere('');

/** Each branch reads its own index in the order of the page and stops: an OR would sort all that was found. */
const FOUND = `
  SELECT * FROM (
    (${pageWhere(`AND plate_end = right($4, 4) AND plate_key = $4`)})
    UNION (${pageWhere(`AND plate_end = $4`)})
    UNION (${pageWhere('AND external_vehicle_id = $5')})
    UNION (${pageWhere('AND external_inspection_id = $5')})
    UNION (${pageWhere('AND report_id = $6')})
  ) found ORDER BY created_at DESC, report_id DESC LIMIT ${LIMIT_MAX + 1}`;

const OF_VEHICLE = `
  SELECT report_id, created_at, analysis_status, slot_id,
         (analysis->'result'->'aggregated_depth'->>'aggregated_remaining_depth')::float8 AS depth_mm
    FROM (
      SELECT report_id, created_at, analysis_status FROM reports
       WHERE project_id = $1 AND external_vehicle_id = $2 AND discarded_at IS NULL AND purge_at IS NULL
       ORDER BY created_at DESC, report_id DESC LIMIT ${VEHICLE_REPORTS_MAX}
    ) newest LEFT JOIN (SELECT * FROM slots WHERE slot_id LIKE 'tire.tread.%' AND phase = 'succeeded') treads USING (report_id)
   ORDER BY created_at, report_id`;

interface ListedRow {
  readonly report_id: string;
  readonly created_at: Date;
  readonly plate_number: string | null;
  readonly external_inspection_id: string | null;
  readonly external_vehicle_id: string | null;
  readonly template_key: string;
  readonly source_channel: string;
  readonly creation_mode: string;
  readonly analysis_status: string;
  readonly publication_status: string;
}

interface VehicleRow {
  readonly report_id: string;
  readonly created_at: Date;
  readonly analysis_status: string;
  readonly slot_id: string | null;
  readonly depth_mm: number | null;
}

/** How people find reports: by what they know of them, newest first. */
@Injectable()
export class ReportSearch {
  constructor(private readonly database: Database) {}

  async list({ projectId, search, cursor, limit }: ledgerApi.ListReportsRequest): Promise<ledgerApi.ListReportsResponse> {
    if (limit < 1 || limit > LIMIT_MAX) throw new DomainError('validation_error', { param: 'limit' });
    const page = [projectId, ...readCursor(cursor)];
    const wanted = search?.trim() ?? '';
    const rows =
      wanted === ''
        ? await this.database.projectQuery<ListedRow>(projectId, ALL, page)
        : await this.database.projectQuery<ListedRow>(projectId, FOUND, [
            ...page,
            plateKey(wanted),
            wanted,
            isUuid(wanted) ? wanted : null,
          ]);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return { reports: shown.map(listed), nextCursor: rows.length > limit && last ? cursorOf(last) : undefined };
  }

  async ofVehicle(request: ledgerApi.ListVehicleReportsRequest): Promise<ledgerApi.ListVehicleReportsResponse> {
    const { projectId, externalVehicleId } = request;
    const reports = new Map<string, ledgerApi.VehicleReport>();
    for (const row of await this.database.projectQuery<VehicleRow>(projectId, OF_VEHICLE, [projectId, externalVehicleId])) {
      const report = reports.get(row.report_id) ?? vehicleReport(row);
      reports.set(row.report_id, report);
      const position = row.slot_id?.split('.').at(-1);
      if (position !== undefined && row.depth_mm !== null) report.depthsMm[position] = row.depth_mm;
    }
    return { reports: [...reports.values()] };
  }
}

const plateKey = (text: string): string => text.toUpperCase().replaceAll(' ', '');

const FIRST_PAGE: [string, string] = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

const cursorOf = ({ created_at, report_id }: ListedRow): string => `${created_at.getTime().toString(36)}.${report_id}`;

function readCursor(cursor: string | undefined): [string, string] {
  if (cursor === undefined) return FIRST_PAGE;
  const [, time = '', reportId = ''] = /^([0-9a-z]{1,9})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (!isUuid(reportId)) throw new DomainError('validation_error', { param: 'cursor', message: 'cursor: is not one of this list.' });
  return [new Date(Number.parseInt(time, 36)).toISOString(), reportId];
}

const listed = (row: ListedRow): ledgerApi.ListedReport => ({
  reportId: row.report_id,
  createdAt: row.created_at.toISOString(),
  plateNumber: row.plate_number ?? undefined,
  externalInspectionId: row.external_inspection_id ?? undefined,
  externalVehicleId: row.external_vehicle_id ?? undefined,
  templateKey: row.template_key,
  sourceChannel: row.source_channel,
  creationMode: row.creation_mode,
  analysisStatus: row.analysis_status,
  publicationStatus: row.publication_status,
});

const vehicleReport = ({ report_id, created_at, analysis_status }: VehicleRow): ledgerApi.VehicleReport => ({
  reportId: report_id,
  createdAt: created_at.toISOString(),
  analysisStatus: analysis_status,
  depthsMm: {},
});
