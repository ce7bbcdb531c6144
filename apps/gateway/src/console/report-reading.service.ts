import {
  LIMITS,
  ListedReport,
  Report,
  ReportDetail,
  VehicleHistory,
  type ImageAddress,
  type ledgerApi,
  type ReportList,
} from '@tire/contracts';
import { DomainError } from '@tire/kernel';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ReadingService } from '../reading.service';
import { LEDGER } from '../tokens';
import type { Page } from './page';

@Injectable()
export class ReportReading {
  constructor(
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    private readonly reading: ReadingService,
  ) {}

  async list(projectId: string, { limit, cursor }: Page, search: unknown): Promise<ReportList> {
    const wanted = search === undefined || search === '' ? undefined : shortText('search', search);
    const { reports, nextCursor } = await this.ledger.listReports({ projectId, search: wanted, cursor: cursor ?? undefined, limit });
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
    const [answer, { moments }] = await Promise.all([
      this.reading.report({ projectId }, reportId),
      this.ledger.getReportHistory({ projectId, reportId }),
    ]);
    return {
      report: JSON.parse(String(answer.body)) as Report,
      history: moments.map(({ at, what, status, analysisRevision }) => ({
        at,
        what: MOMENTS.parse(what),
        status: status ?? null,
        analysis_revision: analysisRevision ?? null,
      })),
    };
  }

  async image(projectId: string, reportId: string, assetId: string): Promise<ImageAddress> {
    const { url, expiresAt, contentType, orientation } = await this.ledger.signImage({ projectId, reportId, assetId });
    return { url, expires_at: expiresAt, content_type: contentType, orientation: orientation || 1 };
  }
}

const MOMENTS = ReportDetail.shape.history.element.shape.what;

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
