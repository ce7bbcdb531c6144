import { PERMISSIONS_OF, type ExportSelectionRequest, type ReportList } from '@tire/contracts/console';
import { EXPORT_ROWS_MAX, isCustomerColumn, SELECTED_MAX, type ExportColumn, type ExportFormat } from '@tire/contracts/limits';
import type { QueryOf } from '@tire/contracts/operations';
import { DomainError } from '@tire/kernel';
import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { type Cell, CSV_START, csvLine } from '../domain/export-table';
import type { ProjectMember } from '../edge/callers';
import { ConsoleReportsService } from '../reports/console-reports.service';
import { ExportTurns } from './export-turns';
import { ExportedRows, type ListedPages } from './exported-rows';
import { workbook } from './workbook';

const PAGE = 100;
/** A reader that takes nothing must not keep its turn. */
const LIFETIME_MS = 10 * 60_000;

export const EXPORT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

type Query = QueryOf<'exportReports'>;
type Member = Pick<ProjectMember, 'projectId' | 'role'>;

/** Files with reports of a project, read and written page by page. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly reports: ConsoleReportsService,
    private readonly rows: ExportedRows,
    private readonly turns: ExportTurns,
  ) {}

  file(
    member: Member,
    { format, language, columns, ...filters }: Query,
    { rowsMax = EXPORT_ROWS_MAX, isWhole = false } = {},
  ): Promise<Readable> {
    const page = (cursor?: string) => this.reports.list(member.projectId, { ...filters, cursor, limit: PAGE });
    return this.written(member, { format, language, columns, rowsMax, isWhole }, page);
  }

  selection(member: Member, { report_ids: reportIds, format, language, columns }: ExportSelectionRequest): Promise<Readable> {
    const page = () => this.reports.selected(member.projectId, reportIds);
    return this.written(member, { format, language, columns, rowsMax: SELECTED_MAX }, page);
  }

  /** The first page is read before the answer begins, so that a fault of the query or of a service has its own status. */
  private async written(
    { projectId, role }: Member,
    { format, ...layout }: Pick<Query, 'format' | 'language' | 'columns'> & { readonly rowsMax: number; readonly isWhole?: boolean },
    page: (cursor?: string) => Promise<ReportList>,
  ): Promise<Readable> {
    if (customerColumnsOf(layout.columns).length > 0 && !PERMISSIONS_OF[role].includes('customers.manage'))
      throw new DomainError('forbidden', { param: 'columns', message: 'Your role does not see customers.' });
    const turn = await this.turns.take(projectId);
    try {
      const pages: ListedPages = { first: await page(), next: page };
      const bytes = encoded(format, this.rows.of(projectId, layout, pages));
      const file = Readable.from(until(bytes, turn.giveBack), { objectMode: false });
      const late = setTimeout(() => file.destroy(new Error('The export was not read in time')), LIFETIME_MS).unref();
      turn.lost.addEventListener('abort', () => file.destroy(turn.lost.reason as Error));
      // Also where nothing was read.
      file.once('close', () => {
        clearTimeout(late);
        void turn.giveBack();
      });
      return file;
    } catch (error) {
      await turn.giveBack();
      throw error;
    }
  }
}

export const customerColumnsOf = (columns: readonly ExportColumn[]): ExportColumn[] => columns.filter(isCustomerColumn);

const encoded = (format: ExportFormat, pages: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<Buffer> =>
  format === 'xlsx' ? workbook(pages) : csv(pages);

/** The turn is given back before the reader sees the end, so that the next export may begin then. */
async function* until(bytes: AsyncIterable<Buffer>, done: () => Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } finally {
    await done();
  }
}

async function* csv(pages: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<Buffer> {
  let start = CSV_START;
  for await (const rows of pages) {
    yield Buffer.from(start + rows.map(csvLine).join(''));
    start = '';
  }
}
