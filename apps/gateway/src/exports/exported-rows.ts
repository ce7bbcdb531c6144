import type { ReportList, VisitDetails } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { isCustomerColumn, type ExportColumn, type ExportLanguage } from '@tire/contracts/limits';
import { LEDGER, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { Cell } from '../domain/export-table';
import { BranchesService } from '../projects/branches.service';
import { VisitsService } from '../visits/visits.service';
import { EXPORT_WORDS, headOf, rowOf } from './export-columns';

interface ExportLayout {
  readonly language: ExportLanguage;
  readonly columns: readonly ExportColumn[];
  readonly rowsMax: number;
  /** Fails where there are more rows, instead of a last line that says so. */
  readonly isWhole?: boolean;
}

/** The pages of a list, of which the first one was read. */
export interface ListedPages {
  readonly first: ReportList;
  readonly next: (cursor: string) => Promise<ReportList>;
}

/** There are more reports than a file has. */
export class TooManyRows extends Error {}

/** The rows of a file, page by page. What no column shows is not read. */
@Injectable()
export class ExportedRows {
  constructor(
    private readonly branches: BranchesService,
    private readonly visits: VisitsService,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
  ) {}

  async *of(
    projectId: string,
    { language, columns, rowsMax, isWhole = false }: ExportLayout,
    { first, next }: ListedPages,
  ): AsyncGenerator<Cell[][]> {
    const branches = columns.includes('branch') ? await this.branchNames(projectId) : NONE;
    yield [headOf(columns, language)];
    let [page, left] = [first, rowsMax];
    for (;;) {
      const shown = page.reports.slice(0, left);
      const reportIds = shown.map(({ report_id }) => report_id);
      const values = await this.valuesOf(projectId, reportIds);
      const customers = columns.some(isCustomerColumn) ? await this.visits.detailsOf(projectId, reportIds) : NO_CUSTOMERS;
      yield shown.map((listed) => {
        const id = listed.report_id;
        return rowOf({ listed, values: values.get(id), customer: customers.get(id), branches }, columns, language);
      });
      left -= shown.length;
      const hasMore = page.reports.length > shown.length || page.next_cursor !== null;
      if (!hasMore) return;
      if (left === 0 && isWhole) throw new TooManyRows(`More than ${rowsMax} reports`);
      if (left === 0) return yield [[EXPORT_WORDS[language].more(rowsMax)]];
      page = await next(page.next_cursor!);
    }
  }

  private async branchNames(projectId: string): Promise<ReadonlyMap<string, string>> {
    const { branches } = await this.branches.list(projectId);
    return new Map(branches.map(({ branch_id, name }) => [branch_id, name]));
  }

  private async valuesOf(projectId: string, reportIds: string[]): Promise<ReadonlyMap<string, ledgerApi.ReportValues>> {
    if (reportIds.length === 0) return new Map();
    const { reports } = await this.ledger.getReportValues({ projectId, reportIds });
    return new Map(reports.map((values) => [values.reportId, values]));
  }
}

const NONE: ReadonlyMap<string, string> = new Map();
const NO_CUSTOMERS: ReadonlyMap<string, VisitDetails> = new Map();
