import type { Report } from '@tire/contracts/api';
import {
  ConfirmedSize,
  ListedReport,
  ReportMoment,
  SetGauge,
  SizeGuessList,
  VehicleHistory,
  type ImageAddress,
  type ReportDetail,
  type ReportList,
  type SetGaugeRequest,
  type SizeGuess,
} from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import type { QueryOf } from '@tire/contracts/operations';
import { Database, LEDGER, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { enteredSize, shownSize } from './manual-report';
import { ReportReader } from './report.reader';
import { vehicleTreads } from './vehicle-treads';
import { findActors } from '../audit/actors.store';

/** Longer than the deadline of the ledger for it: at the first use of an image its derivative is made. */
const IMAGE_DEADLINE_MS = 20_000;

@Injectable()
export class ConsoleReportsService {
  constructor(
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    private readonly reader: ReportReader,
    private readonly database: Database,
  ) {}

  async list(projectId: string, query: QueryOf<'listConsoleReports'>): Promise<ReportList> {
    const { reports, nextCursor } = await this.ledger.listReports({
      projectId,
      search: query.search,
      cursor: query.cursor,
      limit: query.limit,
      analysisStatus: query.analysis_status,
      creationMode: query.mode,
      createdFrom: query.created_from,
      createdBefore: query.created_before,
    });
    return { reports: reports.map(listedReport), next_cursor: nextCursor ?? null };
  }

  async vehicle(projectId: string, externalVehicleId: string): Promise<VehicleHistory> {
    const { reports } = await this.ledger.listVehicleReports({ projectId, externalVehicleId });
    return VehicleHistory.parse({
      external_vehicle_id: externalVehicleId,
      inspections: reports.map(({ reportId, createdAt, analysisStatus, depthsMm, treads }) => ({
        report_id: reportId,
        created_at: createdAt,
        analysis_status: analysisStatus,
        depths_mm: depthsMm,
        treads: vehicleTreads(treads),
      })),
    });
  }

  async detail(projectId: string, reportId: string): Promise<ReportDetail> {
    // Sequential, so that the history contains every state that the report shows.
    const response = await this.reader.report(projectId, reportId);
    const { moments } = await this.ledger.getReportHistory({ projectId, reportId });
    const names = await findActors(
      this.database,
      moments.flatMap(({ actor }) => actor ?? []),
    );
    return {
      report: JSON.parse(String(response.body)) as Report,
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

  async sizeGuesses(projectId: string, reportId: string): Promise<SizeGuessList> {
    const { guesses } = await this.ledger.listSizeGuesses({ projectId, reportId });
    return SizeGuessList.parse({ guesses: guesses.map(({ slotId, size }) => ({ slot_id: slotId, size: size && shownSize(size) })) });
  }

  async confirmSize(projectId: string, reportId: string, { slot_id: slotId, size }: SizeGuess): Promise<ConfirmedSize> {
    const { analysisStatus, changed } = await this.ledger.confirmSize({ projectId, reportId, slotId, size: enteredSize(size) });
    return ConfirmedSize.parse({ report_id: reportId, analysis_status: analysisStatus, changed });
  }

  async setGauge(projectId: string, reportId: string, request: SetGaugeRequest): Promise<SetGauge> {
    const { slot_id: slotId, analysis_revision: analysisRevision } = request;
    const values = request.values.map(({ groove, depth_mm }) => ({ groove, depthMm: depth_mm ?? undefined }));
    const { analysisStatus, changed } = await this.ledger.setGauge({ projectId, reportId, slotId, analysisRevision, values });
    return SetGauge.parse({ report_id: reportId, analysis_status: analysisStatus, changed });
  }

  async image(projectId: string, reportId: string, assetId: string): Promise<ImageAddress> {
    const { url, expiresAt, contentType, orientation } = await this.ledger.signImage(
      { projectId, reportId, assetId },
      { deadlineMs: IMAGE_DEADLINE_MS },
    );
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
