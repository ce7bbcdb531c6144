import { CLOCK, type Clock } from '@tire/kernel';
import type { ExportColumn, ExportFormat } from '@tire/contracts/limits';
import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { Audit } from '../audit/audit';
import type { ProjectMember } from '../edge/callers';
import type { OperationHandlers } from '../edge/operation-handlers';
import { HttpResponse } from '../edge/response';
import { SignInService } from '../identity/sessions/sign-in.service';
import { ExportSchedulesService } from './export-schedules.service';
import { customerColumnsOf, EXPORT_TYPES, ExportsService } from './exports.service';

@Injectable()
export class ExportHandlers {
  constructor(
    private readonly exports: ExportsService,
    private readonly schedules: ExportSchedulesService,
    private readonly signIn: SignInService,
    private readonly audit: Audit,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  readonly handlers = {
    exportReports: ({ caller, query }) => this.download(caller, query, this.exports.file(caller, query), {}),
    exportSelectedReports: ({ caller, body }) =>
      this.download(caller, body, this.exports.selection(caller, body), { reports: String(body.report_ids.length) }),
    listExportSchedules: ({ caller }) => this.schedules.list(caller),
    createExportSchedule: async ({ caller, body: { password, ...settings } }) => {
      if (settings.bucket) await this.signIn.requirePassword(caller, password ?? '', 'password');
      return this.schedules.create(caller, settings);
    },
    changeExportSchedule: async ({ caller, params: { schedule_id: scheduleId }, body: { password, ...settings } }) => {
      if (await this.schedules.hasNewBucket(caller, scheduleId, settings))
        await this.signIn.requirePassword(caller, password ?? '', 'password');
      return this.schedules.change(caller, scheduleId, settings);
    },
    removeExportSchedule: ({ caller, params }) => this.schedules.remove(caller, params.schedule_id),
    openScheduledFile: ({ caller, params }) => this.schedules.openFile(caller, params.file_id),
  } satisfies Partial<OperationHandlers>;

  /** The name has no data of the project. A download that is cut has no end of the file, which the client notices. */
  private async download(
    caller: ProjectMember,
    { format, columns }: { readonly format: ExportFormat; readonly columns: readonly ExportColumn[] },
    written: Promise<Readable>,
    details: Readonly<Record<string, string>>,
  ): Promise<HttpResponse<200>> {
    const file = await written;
    const fields = customerColumnsOf(columns).map((column) => column.replace('customer_', ''));
    try {
      await this.audit.after(caller, Promise.resolve(), {
        action: 'reports.exported',
        details: { format, ...details, ...(fields.length > 0 && { fields: fields.join(' ') }) },
      });
    } catch (error) {
      file.destroy();
      throw error;
    }
    const name = `reports-${this.clock.now().toISOString().slice(0, 10)}.${format}`;
    return new HttpResponse(file, { 'content-disposition': `attachment; filename="${name}"` }, { type: EXPORT_TYPES[format] });
  }
}
