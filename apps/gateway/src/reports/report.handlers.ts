import type { CreateReportResponse, CreationWarning } from '@tire/contracts/api';
import { MANUAL_LIMITS, type CreateConsoleReportRequest } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { DomainError } from '@tire/kernel';
import { Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit';
import type { ProjectMember } from '../edge/callers';
import type { OperationHandlers } from '../edge/operation-handlers';
import { HttpResponse } from '../edge/response';
import { VisitRemoval } from '../visits/visit-removal';
import { ConsoleReportsService } from './console-reports.service';
import { ContentService } from './content.service';
import { ListedReportsService } from './listed-reports.service';
import { firstUnusual, firstUnusualGauge } from '../domain/entered-values';
import { enteredTire, spelledSize, templateFor } from './manual-report';
import { ReportReader } from './report.reader';
import { ReportsService } from './reports.service';

const SOURCE_CHANNEL = 'atrace_console';

const unusualValue = (param: string): DomainError =>
  new DomainError('confirmation_required', { param, message: `${param}: is unusual; is it what was measured?` });

/**
 * The ledger stores the answer of a creation without them: they are about the spelling of one request. A retry with the same body gets the
 * same ones.
 */
function withWarnings<Status extends number>(answer: HttpResponse<Status>, warnings: readonly CreationWarning[]): HttpResponse<Status> {
  if (warnings.length === 0) return answer;
  const response = JSON.parse(String(answer.body)) as CreateReportResponse;
  return new HttpResponse(JSON.stringify({ ...response, warnings }), answer.headers, answer.options);
}

@Injectable()
export class ReportHandlers {
  constructor(
    private readonly reports: ReportsService,
    private readonly reader: ReportReader,
    private readonly listed: ListedReportsService,
    private readonly consoleReports: ConsoleReportsService,
    private readonly content: ContentService,
    private readonly visits: VisitRemoval,
    private readonly audit: Audit,
  ) {}

  readonly handlers = {
    createReport: async ({ caller, headers, body, misspelled }) =>
      withWarnings(await this.reports.create(caller, headers['Idempotency-Key'], body), misspelled()),
    getReport: ({ caller, params }) => this.reader.report(caller.projectId, params.report_id),
    discardReport: ({ caller, params }) => {
      const { mode, projectId } = caller;
      const work = this.visits.with(mode, projectId, params.report_id, () => this.reports.discard(projectId, params.report_id));
      return this.audit.after(caller, work, { action: 'report.discarded', subject: params.report_id });
    },
    listReports: ({ caller, query }) => this.listed.page(caller.projectId, query),
    getVehicle: ({ caller, params }) => this.listed.vehicle(caller.projectId, params.external_vehicle_id),
    listConsoleReports: ({ caller, query }) => this.consoleReports.list(caller.projectId, query),
    listReportCreators: ({ caller }) => this.consoleReports.creators(caller.projectId),
    markReports: ({ caller, body }) => {
      const work = this.consoleReports.mark(caller.projectId, body);
      return this.audit.after(caller, work, ({ reports }) => {
        const marked = reports.filter(({ outcome }) => outcome === 'marked');
        if (body.mark === 'read' || marked.length === 0) return null;
        const action = body.mark === 'handled' ? 'report.handled' : 'report.not_handled';
        return marked.length === 1 ? { action, subject: marked[0]!.report_id } : { action, details: { reports: String(marked.length) } };
      });
    },
    readShareLinks: ({ caller, body }) => this.consoleReports.shareLinks(caller.projectId, body),
    getVehicleHistory: ({ caller, query }) => this.consoleReports.vehicle(caller.projectId, query.external_vehicle_id),
    getReportDetail: ({ caller, params }) => this.consoleReports.detail(caller.projectId, params.report_id),
    listSizeGuesses: ({ caller, params }) => this.consoleReports.sizeGuesses(caller.projectId, params.report_id),
    confirmSize: ({ caller, params, body }) => {
      const work = this.consoleReports.confirmSize(caller.projectId, params.report_id, body);
      const details = { slot: body.slot_id, size: spelledSize(body.size) };
      return this.audit.after(caller, work, ({ changed }) =>
        changed ? { action: 'report.size_confirmed', subject: params.report_id, details } : null,
      );
    },
    setGauge: ({ caller, params, body }) => {
      const unusual = body.confirm_unusual ? null : firstUnusualGauge(body.values, MANUAL_LIMITS.depthMm);
      if (unusual !== null) throw unusualValue(unusual);
      const work = this.consoleReports.setGauge(caller.projectId, params.report_id, body);
      const values = body.values.map(({ groove, depth_mm }) => `${groove}: ${depth_mm ?? '-'}`).join(', ');
      return this.audit.after(caller, work, ({ changed }) =>
        changed ? { action: 'report.gauge_set', subject: params.report_id, details: { slot: body.slot_id, values } } : null,
      );
    },
    getImage: ({ caller, params }) => this.consoleReports.image(caller.projectId, params.report_id, params.asset_id),
    createConsoleReport: ({ caller, headers, body }) => this.createByMember(caller, headers['Idempotency-Key'], body),
    createManualReport: ({ caller, headers, body: { tires, confirm_unusual, ...request } }) => {
      const unusual = confirm_unusual ? null : firstUnusual(tires, MANUAL_LIMITS.depthMm);
      if (unusual !== null) throw unusualValue(unusual);
      const entered = { tires: tires.map(enteredTire) };
      return this.createByMember(caller, headers['Idempotency-Key'], { ...request, template: templateFor(tires) }, entered);
    },
    getContent: ({ caller, params, headers }) => this.content.current(caller.projectId, params.report_id, headers['If-None-Match']),
    getContentRevision: ({ caller, params, headers }) =>
      this.content.fixed(caller.projectId, params.report_id, params.content_revision, headers['If-None-Match']),
    getReportContent: async ({ caller, params }) => {
      // The console reads the status from the document, not from HTTP.
      const { body } = await this.content.current(caller.projectId, params.report_id, undefined);
      return new HttpResponse(body);
    },
  } satisfies Partial<OperationHandlers>;

  private createByMember(
    caller: ProjectMember,
    idempotencyKey: string | undefined,
    request: CreateConsoleReportRequest,
    entered?: ledgerApi.CreateReportRequest['entered'],
  ): ReturnType<ReportsService['create']> {
    const work = this.reports.create(caller, idempotencyKey, request, { sourceChannel: SOURCE_CHANNEL, ...(entered && { entered }) });
    return this.audit.after(caller, work, ({ body }) => {
      const { report_id: subject } = JSON.parse(String(body)) as CreateReportResponse;
      return { action: 'report.created', subject, details: { mode: entered ? 'manual' : 'automatic' } };
    });
  }
}
