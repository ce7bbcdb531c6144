import { ReportPage, Vehicle } from '@tire/contracts/api';
import type { ledgerApi } from '@tire/contracts/grpc';
import type { QueryOf } from '@tire/contracts/operations';
import { DomainError, POSITIONS } from '@tire/kernel';
import { LEDGER, PUBLIC_API_URL, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { vehicleTreads } from './vehicle-treads';

const NO_TREADS = Object.fromEntries(POSITIONS.map((position) => [position, null]));

/** How partners find reports again. */
@Injectable()
export class ListedReportsService {
  constructor(
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(PUBLIC_API_URL) private readonly apiUrl: string,
  ) {}

  async page(projectId: string, query: QueryOf<'listReports'>): Promise<ReportPage> {
    const { reports, nextCursor } = await this.ledger.listReports({
      projectId,
      cursor: query.cursor,
      limit: query.limit,
      analysisStatus: query.analysis_status,
      createdFrom: query.created_from,
      createdBefore: query.created_before,
      plateNumber: query.plate_number,
      externalInspectionId: query.external_inspection_id,
      externalVehicleId: query.external_vehicle_id,
    });
    return ReportPage.parse({ reports: reports.map((report) => this.summary(report)), next_cursor: nextCursor ?? null });
  }

  async vehicle(projectId: string, externalVehicleId: string): Promise<Vehicle> {
    const { reports } = await this.ledger.listVehicleReports({ projectId, externalVehicleId });
    if (reports.length === 0) throw new DomainError('not_found');
    return Vehicle.parse({
      external_vehicle_id: externalVehicleId,
      inspections: reports.map(({ reportId, createdAt, analysisStatus, depthsMm, treads }) => ({
        report_id: reportId,
        analysis_status: analysisStatus,
        depths_mm: Object.fromEntries(POSITIONS.map((position) => [position, depthsMm[position] ?? null])),
        treads: { ...NO_TREADS, ...vehicleTreads(treads) },
        links: this.links(reportId),
        timestamps: { created_at: createdAt },
      })),
    });
  }

  private summary(report: ledgerApi.ListedReport): object {
    return {
      report_id: report.reportId,
      analysis_status: report.analysisStatus,
      publication_status: report.publicationStatus,
      vehicle: { plate_number: report.plateNumber ?? null },
      client_context: {
        external_inspection_id: report.externalInspectionId ?? null,
        external_vehicle_id: report.externalVehicleId ?? null,
      },
      creation: { source_channel: report.sourceChannel, mode: report.creationMode },
      template: { key: report.templateKey },
      links: this.links(report.reportId),
      timestamps: { created_at: report.createdAt },
    };
  }

  private links(reportId: string): ReportPage['reports'][number]['links'] {
    const self = `${this.apiUrl}/reports/${reportId}`;
    return { self, content: `${self}/content` };
  }
}
