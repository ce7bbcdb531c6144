import {
  LIMITS,
  ListedReport,
  type Report,
  type ReportFilter,
  ReportMoment,
  VehicleHistory,
  type ImageAddress,
  type ledgerApi,
  type ReportDetail,
  type ReportList,
} from '@tire/contracts';
import { DomainError } from '@tire/kernel';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ReadingService } from '../reading.service';
import { LEDGER } from '../tokens';
import { Actors } from './actors';
import type { Page } from './page';

@Injectable()
export class ReportReading {
  constructor(
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    private readonly reading: ReadingService,
    private readonly actors: Actors,
  ) {}

  async list(projectId: string, { limit, cursor }: Page, search: unknown, filter: ReportFilter): Promise<ReportList> {
    const { reports, nextCursor } = await this.ledger.listReports({
      projectId,
      search: search === undefined || search === '' ? undefined : shortText('search', search),
      cursor: cursor ?? undefined,
      limit,
      analysisStatus: filter.analysis_status,
      creationMode: filter.mode,
      createdFrom: filter.created_from,
      createdBefore: filter.created_before,
    });
    return { reports: reports.map(listedReport), next_cursor: nextCursor ?? null };
  }

  async vehicle(projectId: string, vehicleId: unknown): Promise<VehicleHistory> {
    const externalVehicleId = shortText('external_vehicle_id', vehicleId);
    const { reports } = await this.ledger.listVehicleReports({ projectId, externalVehicleId });
    return VehicleHistory.parse({
      external_vehicle_id: externalVehicleId,
      inspections: reports.map(({ reportId, createdAt, analysisStatus, depthsMm }) => ({
        report_id: reportId,
        created_at: createdAt,
        analysis_status: analysisStatus,
        depths_mm: depthsMm,
      })),
    });
  }

  async detail(projectId: string, reportId: string): Promise<ReportDetail> {
    // One after the other: what the report is by then has happened.
    const answer = await this.reading.report({ projectId }, reportId);
    const { moments } = await this.ledger.getReportHistory({ projectId, reportId });
    const names = await this.actors.named(moments.flatMap(({ actor }) => actor ?? []));
    return {
      report: JSON.parse(String(answer.body)) as Report,
      trace_id: moments[0]?.traceId ?? null,
      history: moments.map((moment) =>
        ReportMoment.parse({
          at: moment.at,
          what: moment.what,
          slot_id: moment.slotId ?? null,
          status: moment.status ?? null,
          error_code: moment.errorCode ?? null,
          model: moment.model ?? null,
          analysis_revision: moment.analysisRevision ?? null,
          by: names.get(moment.actor ?? '') ?? null,
          trace_id: moment.traceId ?? null,
        }),
      ),
    };
  }

  async image(projectId: string, reportId: string, assetId: string): Promise<ImageAddress> {
    const { url, expiresAt, contentType, orientation } = await this.ledger.signImage({ projectId, reportId, assetId });
    return { url, expires_at: expiresAt, content_type: contentType, orientation: orientation || 1 };
  }
}

const listedReport = (report: ledgerApi.ListedReport): ListedReport =>
  ListedReport.parse({
    report_id: report.reportId,
    created_at: report.createdAt,
    plate_number: report.plateNumber ?? null,
    external_inspection_id: report.externalInspectionId ?? null,
    external_vehicle_id: report.externalVehicleId ?? null,
    template_key: report.templateKey,
    creation: { source_channel: report.sourceChannel, mode: report.creationMode },
    analysis_status: report.analysisStatus,
    publication_status: report.publicationStatus,
  });

function shortText(param: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= LIMITS.externalId && !value.includes('\u0000')) return value;
  throw new DomainError('validation_error', { param, message: `${param}: must be 1 to ${LIMITS.externalId} characters.` });
}
