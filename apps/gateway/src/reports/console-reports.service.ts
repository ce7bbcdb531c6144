import type { Report } from '@tire/contracts/api';
import {
  ConfirmedSize,
  CreatorList,
  ListedReport,
  MarkedReports,
  ReportMoment,
  SetGauge,
  SizeGuessList,
  VehicleHistory,
  WorkState,
  type ImageAddress,
  type MarkReportsRequest,
  type ReportDetail,
  type ReportList,
  type SelectedReports,
  type ShareLinks,
  type SetGaugeRequest,
  type SizeGuess,
} from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import type { QueryOf } from '@tire/contracts/operations';
import { DomainError } from '@tire/kernel';
import { Database, LEDGER, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { enteredSize, shownSize } from './manual-report';
import { ReportReader } from './report.reader';
import { RulesService } from '../projects/rules.service';
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
    private readonly rules: RulesService,
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
      urgency: query.urgency,
      attention: query.attention,
      createdBy: query.created_by,
      byUrgency: query.order === 'urgency',
    });
    return { reports: await this.listed(reports), next_cursor: nextCursor ?? null };
  }

  /** In the order of the ids. Those that the project does not have are left out. */
  async selected(projectId: string, reportIds: string[]): Promise<ReportList> {
    const { reports } = await this.ledger.listSelectedReports({ projectId, reportIds });
    return { reports: await this.listed(reports), next_cursor: null };
  }

  private async listed(reports: readonly ledgerApi.ListedReport[]): Promise<ListedReport[]> {
    const names = await this.names(reports.flatMap(({ createdBy, work }) => [createdBy, work?.handledBy]));
    return reports.map((report) => listedReport(report, names));
  }

  async creators(projectId: string): Promise<CreatorList> {
    const { actors } = await this.ledger.listCreators({ projectId });
    const names = await this.names(actors);
    return CreatorList.parse({ creators: actors.map((actor) => ({ actor, ...names.get(actor) })) });
  }

  async mark(
    projectId: string,
    { report_ids: reportIds, mark, seen_results: seenResults = [] }: MarkReportsRequest,
  ): Promise<MarkedReports> {
    const { reports } = await this.ledger.markReports({ projectId, reportIds, mark, seenResults });
    return MarkedReports.parse({ reports: reports.map(({ reportId, outcome }) => ({ report_id: reportId, outcome })) });
  }

  async shareLinks(projectId: string, { report_ids: reportIds }: SelectedReports): Promise<ShareLinks> {
    return { links: await Promise.all(reportIds.map((reportId) => this.shareLink(projectId, reportId))) };
  }

  private async shareLink(projectId: string, reportId: string): Promise<ShareLinks['links'][number]> {
    const none = { report_id: reportId, plate_number: null, share_url: null };
    try {
      const { body } = await this.reader.report(projectId, reportId);
      const { vehicle, publication_status, analysis_status, links } = JSON.parse(String(body)) as Report;
      const isOpen = publication_status === 'published' && analysis_status === 'complete' && links.share !== null;
      return { ...none, outcome: isOpen ? 'open' : 'closed', plate_number: vehicle.plate_number, share_url: isOpen ? links.share : null };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_found') return { ...none, outcome: 'not_found' };
      // A fault of one report costs the links of no other. Where no service answers, there are none.
      if (error instanceof DomainError && error.code === 'internal_error') return { ...none, outcome: 'failed' };
      throw error;
    }
  }

  private names(actors: readonly (string | undefined)[]): ReturnType<typeof findActors> {
    return findActors(
      this.database,
      actors.flatMap((actor) => actor ?? []),
    );
  }

  async vehicle(projectId: string, externalVehicleId: string): Promise<VehicleHistory> {
    const { reports } = await this.ledger.listVehicleReports({ projectId, externalVehicleId });
    return VehicleHistory.parse({
      external_vehicle_id: externalVehicleId,
      inspections: reports.map(({ reportId, createdAt, analysisStatus, standing, depthsMm, treads }) => ({
        report_id: reportId,
        created_at: createdAt,
        analysis_status: analysisStatus,
        standing: standing || 'unjudged',
        depths_mm: depthsMm,
        treads: vehicleTreads(treads),
      })),
    });
  }

  async detail(projectId: string, reportId: string): Promise<ReportDetail> {
    // Sequential, so that the history contains every state that the report shows.
    const response = await this.reader.report(projectId, reportId);
    const { moments, work } = await this.ledger.getReportHistory({ projectId, reportId });
    const names = await this.names([...moments.map(({ actor }) => actor), work?.handledBy]);
    return {
      report: JSON.parse(String(response.body)) as Report,
      work: workState(work, names),
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

  /** A size that was offered before can still be confirmed: the question was on a screen. */
  async sizeGuesses(projectId: string, reportId: string): Promise<SizeGuessList> {
    const { guesses } = await this.ledger.listSizeGuesses({ projectId, reportId });
    if ((await this.rules.of(projectId)).size_guesses === 'off') return { guesses: [] };
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

type Names = Awaited<ReturnType<typeof findActors>>;

/** A ledger of the release before has none. */
const workState = (work: ledgerApi.WorkState | undefined, names: Names): WorkState =>
  WorkState.parse({
    standing: work?.standing ?? 'unjudged',
    attention: work?.attention ?? 'read',
    handled: work?.handledAt === undefined ? null : { at: work.handledAt, by: names.get(work.handledBy ?? '') ?? null },
    result: work?.result ?? '',
  });

const listedReport = (report: ledgerApi.ListedReport, names: Names): ListedReport =>
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
    work: workState(report.work, names),
    created_by: names.get(report.createdBy ?? '') ?? null,
  });
