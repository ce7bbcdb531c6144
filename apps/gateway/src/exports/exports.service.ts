import type { ReportList } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { EXPORT_ROWS_MAX } from '@tire/contracts/limits';
import type { QueryOf } from '@tire/contracts/operations';
import { DomainError } from '@tire/kernel';
import { LEDGER, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { type Cell, CSV_START, csvLine } from '../domain/export-table';
import { ConsoleReportsService } from '../reports/console-reports.service';
import { EXPORT_WORDS, headOf, rowOf } from './export-columns';
import { workbook } from './workbook';

const PAGE = 100;
/** Of one process. An export is many reads of the ledger. */
const RUNNING_MAX = 4;
/** A reader that takes nothing must not keep its place. */
const LIFETIME_MS = 10 * 60_000;

type Query = QueryOf<'exportReports'>;

/** Files with the reports of a project, read and written page by page. */
@Injectable()
export class ExportsService {
  /** The projects whose export runs. */
  private readonly running = new Set<string>();

  constructor(
    private readonly reports: ConsoleReportsService,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
  ) {}

  /** The first page is read before the answer begins, so that a fault of the query or of a service has its own status. */
  async file(projectId: string, query: Query, rowsMax = EXPORT_ROWS_MAX): Promise<Readable> {
    if (this.running.has(projectId) || this.running.size >= RUNNING_MAX) throw new DomainError('rate_limited');
    this.running.add(projectId);
    try {
      const first = await this.page(projectId, query, undefined);
      const pages = this.rows(projectId, query, first, rowsMax);
      const file = Readable.from(query.format === 'xlsx' ? workbook(pages) : csv(pages), { objectMode: false });
      const late = setTimeout(() => file.destroy(new Error('The export was not read in time')), LIFETIME_MS).unref();
      file.once('close', () => {
        clearTimeout(late);
        this.running.delete(projectId);
      });
      return file;
    } catch (error) {
      this.running.delete(projectId);
      throw error;
    }
  }

  private page(
    projectId: string,
    { format: _, language: __, columns: ___, ...filters }: Query,
    cursor: string | undefined,
  ): Promise<ReportList> {
    return this.reports.list(projectId, { ...filters, cursor, limit: PAGE });
  }

  private async *rows(projectId: string, query: Query, first: ReportList, rowsMax: number): AsyncGenerator<Cell[][]> {
    const { columns, language } = query;
    yield [headOf(columns, language)];
    let [page, left] = [first, rowsMax];
    for (;;) {
      const shown = page.reports.slice(0, left);
      const values = await this.valuesOf(
        projectId,
        shown.map(({ report_id }) => report_id),
      );
      yield shown.map((listed) => rowOf({ listed, values: values.get(listed.report_id) }, columns, language));
      left -= shown.length;
      const hasMore = page.reports.length > shown.length || page.next_cursor !== null;
      if (!hasMore) return;
      if (left === 0) return yield [[EXPORT_WORDS[language].more(rowsMax)]];
      page = await this.page(projectId, query, page.next_cursor!);
    }
  }

  private async valuesOf(projectId: string, reportIds: string[]): Promise<ReadonlyMap<string, ledgerApi.ReportValues>> {
    if (reportIds.length === 0) return new Map();
    const { reports } = await this.ledger.getReportValues({ projectId, reportIds });
    return new Map(reports.map((values) => [values.reportId, values]));
  }
}

async function* csv(pages: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<Buffer> {
  let start = CSV_START;
  for await (const rows of pages) {
    yield Buffer.from(start + rows.map(csvLine).join(''));
    start = '';
  }
}
