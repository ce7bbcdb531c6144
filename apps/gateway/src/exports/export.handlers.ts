import { CLOCK, type Clock } from '@tire/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit';
import type { OperationHandlers } from '../edge/operation-handlers';
import { HttpResponse } from '../edge/response';
import { ExportsService } from './exports.service';

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

@Injectable()
export class ExportHandlers {
  constructor(
    private readonly exports: ExportsService,
    private readonly audit: Audit,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  readonly handlers = {
    /** The name has no data of the project. A download that is cut has no end of the file, which the client notices. */
    exportReports: async ({ caller, query }) => {
      const file = await this.exports.file(caller.projectId, query);
      try {
        await this.audit.after(caller, Promise.resolve(), { action: 'reports.exported', details: { format: query.format } });
      } catch (error) {
        file.destroy();
        throw error;
      }
      const name = `reports-${this.clock.now().toISOString().slice(0, 10)}.${query.format}`;
      return new HttpResponse(file, { 'content-disposition': `attachment; filename="${name}"` }, { type: TYPES[query.format] });
    },
  } satisfies Partial<OperationHandlers>;
}
