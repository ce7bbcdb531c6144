import { AnalysisStatus, CreationMode, type Report } from '@tire/contracts/api';
import { type ledgerApi } from '@tire/contracts/grpc';
import { faulty, firstMsAt, isUuid, standingsOf, URGENCIES, type Attention, type Urgency } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';
import { resultName } from '../domain/marks';
import { LIMIT_MAX, type ReportFilter } from './search.statements';
import { rangesOf, urgencyTurn } from './worklist';
import { findValues, type ValueRow } from './values.store';
import {
  findCreators,
  findReports,
  findSelected,
  findVehicleReports,
  listRanges,
  listReports,
  searchReports,
  type FoundReports,
  type ListedRow,
  type Page,
  type Place,
  type VehicleRow,
} from './search.store';

/** How members and partners find reports: by plate, vehicle, inspection or report id, newest first. */
@Injectable()
export class SearchService {
  constructor(private readonly database: Database) {}

  async list(request: ledgerApi.ListReportsRequest): Promise<ledgerApi.ListReportsResponse> {
    const { projectId, cursor, limit, createdFrom, createdBefore } = request;
    if (limit < 1 || limit > LIMIT_MAX) throw faulty('limit', `must be 1 to ${LIMIT_MAX}.`);
    const since = createdFrom === undefined ? '-infinity' : momentOf('created_from', createdFrom);
    const before = readCursor(cursor);
    if (before && (before[2] !== null) !== (request.byUrgency ?? false)) throw faulty('cursor', 'is not one of this list.');
    const page: Page = [projectId, ...earlier(before, createdBefore), since];
    const { rows, end } = request.byUrgency ? await this.byUrgency(page, before, request) : await this.findPage(page, request);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1)! : null;
    const next = last ? cursorOf(last, request.byUrgency ? urgencyTurn(last.standing) : null) : end && cursorOf(end, null);
    return { reports: shown.map(listed), nextCursor: next ?? undefined };
  }

  private async byUrgency(page: Page, before: Before, request: ledgerApi.ListReportsRequest): Promise<FoundReports> {
    const filter = filterOf(request);
    const { search, plateNumber, externalInspectionId, externalVehicleId, createdBefore, projectId } = request;
    if ([search?.trim() || undefined, plateNumber, externalInspectionId, externalVehicleId].some((value) => value !== undefined))
      throw faulty('order', 'is newest with a search.');
    const from = { turn: before?.[2] ?? 0, before: [page[1], page[2]] as const };
    const ranges = rangesOf(filter, 'urgency', from, earlier(null, createdBefore));
    return { rows: await listRanges(this.database, projectId, ranges, filter, page[3]), end: null };
  }

  async selected({ projectId, reportIds }: ledgerApi.ListSelectedReportsRequest): Promise<ledgerApi.ListSelectedReportsResponse> {
    if (reportIds.length > LIMIT_MAX || !reportIds.every(isUuid)) throw faulty('report_ids', `must be at most ${LIMIT_MAX} ids.`);
    return { reports: (await findSelected(this.database, projectId, reportIds)).map(listed) };
  }

  async creators({ projectId }: ledgerApi.ListCreatorsRequest): Promise<ledgerApi.ListCreatorsResponse> {
    return { actors: (await findCreators(this.database, projectId)).map(({ actor }) => actor) };
  }

  private async findPage(page: Page, request: ledgerApi.ListReportsRequest): Promise<FoundReports> {
    const filter = filterOf(request);
    const { plateNumber, externalInspectionId, externalVehicleId } = request;
    const values = { plateKey: plateNumber === undefined ? undefined : plateKey(plateNumber), externalInspectionId, externalVehicleId };
    if (Object.values(values).some((value) => value !== undefined)) return findReports(this.database, page, filter, values);
    const wanted = request.search?.trim() ?? '';
    if (wanted === '') {
      if (!isOfWorklist(filter)) return { rows: await listReports(this.database, page, filter), end: null };
      const start = [page[1], page[2]] as const;
      const ranges = rangesOf(filter, 'newest', { turn: 0, before: start }, start);
      return { rows: await listRanges(this.database, page[0], ranges, filter, page[3]), end: null };
    }
    const known = { plateKey: plateKey(wanted), externalId: wanted, reportId: isUuid(wanted) ? wanted : null };
    return searchReports(this.database, page, filter, known);
  }

  async values({ projectId, reportIds }: ledgerApi.GetReportValuesRequest): Promise<ledgerApi.GetReportValuesResponse> {
    if (reportIds.length > LIMIT_MAX) throw faulty('report_ids', `must be at most ${LIMIT_MAX}.`);
    const reports = new Map<string, ledgerApi.ReportValues>();
    for (const row of await findValues(this.database, projectId, reportIds)) {
      const { report_id: reportId, slot_id, depth_mm, size, gauge_grooves } = row;
      const report = reports.get(reportId) ?? reportValues(row);
      reports.set(reportId, report);
      const position = positionOf(slot_id);
      if (position === undefined) continue;
      if (depth_mm !== null) report.depthsMm[position] = depth_mm;
      if (size !== null) report.sizes[position] = size;
      report.gaugeGrooves += gauge_grooves;
    }
    return { reports: [...reports.values()] };
  }

  async ofVehicle(request: ledgerApi.ListVehicleReportsRequest): Promise<ledgerApi.ListVehicleReportsResponse> {
    const { projectId, externalVehicleId } = request;
    const reports = new Map<string, ledgerApi.VehicleReport>();
    for (const row of await findVehicleReports(this.database, projectId, externalVehicleId)) {
      const report = reports.get(row.report_id) ?? vehicleReport(row);
      reports.set(row.report_id, report);
      const position = positionOf(row.slot_id);
      if (position === undefined) continue;
      if (row.depth_mm !== null) report.depthsMm[position] = row.depth_mm;
      report.treads[position] = vehicleTread(row);
    }
    return { reports: [...reports.values()] };
  }
}

const plateKey = (text: string): string => text.toUpperCase().replaceAll(' ', '');

const isOfWorklist = ({ standings, attentions, createdBy }: ReportFilter): boolean =>
  [standings, attentions, createdBy].some((value) => value !== undefined);

const ATTENTIONS_OF: Readonly<Record<string, readonly Attention[]>> = {
  open: ['unread', 'read'],
  unread: ['unread'],
  handled: ['handled'],
};

const isUrgency = (text: string): text is Urgency => URGENCIES.some((urgency) => urgency === text);

function filterOf({ analysisStatus, creationMode, urgency, attention, createdBy }: ledgerApi.ListReportsRequest): ReportFilter {
  const status = AnalysisStatus.optional().safeParse(analysisStatus);
  if (!status.success) throw faulty('analysis_status', `must be one of ${AnalysisStatus.options.join(', ')}.`);
  const mode = CreationMode.optional().safeParse(creationMode);
  if (!mode.success) throw faulty('mode', `must be one of ${CreationMode.options.join(', ')}.`);
  if (urgency !== undefined && !isUrgency(urgency)) throw faulty('urgency', `must be one of ${URGENCIES.join(', ')}.`);
  const attentions = attention === undefined ? undefined : Object.hasOwn(ATTENTIONS_OF, attention) ? ATTENTIONS_OF[attention] : null;
  if (attentions === null) throw faulty('attention', `must be one of ${Object.keys(ATTENTIONS_OF).join(', ')}.`);
  const standings = urgency === undefined ? undefined : standingsOf(urgency);
  return { analysisStatus: status.data, creationMode: mode.data, standings, attentions, createdBy };
}

/** Greater than every id, and less than every id. */
const [LAST_ID, FIRST_ID] = ['ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000'];

/** The last report of the previous page, and its turn in a list by urgency; null for the first page. */
type Before = readonly [created: Date, reportId: string, turn: number | null] | null;

const cursorOf = ({ created_at, report_id }: Place, turn: number | null): string =>
  `${turn === null ? '' : `${turn}.`}${created_at.getTime().toString(36)}.${report_id}`;

function readCursor(cursor: string | undefined): Before {
  if (cursor === undefined) return null;
  const [, turn, time = '', reportId = ''] = /^(?:([0-4])\.)?([0-9a-z]{1,9})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (!isUuid(reportId)) throw faulty('cursor', 'is not one of this list.');
  return [new Date(Number.parseInt(time, 36)), reportId, turn === undefined ? null : Number(turn)];
}

/** A page begins at the cursor, or at the end of the period if that is earlier. */
function earlier(before: Before, createdBefore: string | undefined): [created: Date | string, reportId: string] {
  const until = createdBefore === undefined ? null : momentOf('created_before', createdBefore);
  if (before !== null && (until === null || before[0] < until)) return [before[0], before[1]];
  return until === null ? ['infinity', LAST_ID] : [until, FIRST_ID];
}

function momentOf(param: string, text: string): Date {
  const moment = new Date(firstMsAt(text));
  if (Number.isNaN(moment.getTime())) throw faulty(param, 'must be a time, as in 2026-11-21T04:05:06Z.');
  return moment;
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
  work: workState(row),
  createdBy: row.created_by ?? undefined,
});

type WorkRow = Pick<ListedRow, 'standing' | 'attention' | 'handled_at' | 'handled_by' | 'revision_id' | 'content_revision'>;

export const workState = (row: WorkRow): ledgerApi.WorkState => ({
  standing: row.standing,
  attention: row.attention,
  handledAt: row.handled_at?.toISOString(),
  handledBy: row.handled_by ?? undefined,
  result: resultName({ standing: row.standing, revisionId: row.revision_id, contentRevision: row.content_revision }),
});

const reportValues = ({ report_id, branch_id, vin, mileage_km }: ValueRow): ledgerApi.ReportValues => ({
  reportId: report_id,
  depthsMm: {},
  sizes: {},
  gaugeGrooves: 0,
  branchId: branch_id ?? undefined,
  vin: vin ?? undefined,
  mileageKm: mileage_km ?? undefined,
});

const vehicleReport = ({ report_id, created_at, analysis_status, standing }: VehicleRow): ledgerApi.VehicleReport => ({
  reportId: report_id,
  createdAt: created_at.toISOString(),
  analysisStatus: analysis_status,
  standing,
  depthsMm: {},
  treads: {},
});

export const vehicleTread = (row: VehicleRow): ledgerApi.VehicleTread => ({
  depthLowMm: row.depth_low_mm ?? undefined,
  depthHighMm: row.depth_high_mm ?? undefined,
  isBald: row.is_bald,
  isPartlyUnseen: row.is_partly_unseen,
  isImageShared: isImageShared(row),
});

export const positionOf = (slotId: string | null): string | undefined => slotId?.split('.').at(-1);

/** The tread and the sidewall of one tire may share an image, and no number of a manual report comes from one. */
function isImageShared({ slot_id, warnings_json, creation_mode }: VehicleRow): boolean {
  if (creation_mode === CreationMode.enum.manual) return false;
  const groups = (JSON.parse(warnings_json) as NonNullable<Report['warnings']>).map(({ slot_ids }): readonly string[] => slot_ids);
  return groups.some((slots) => slots.some((one) => one === slot_id) && slots.some((one) => positionOf(one) !== positionOf(slot_id)));
}
