import type { ledgerApi } from '@tire/contracts/grpc';
import type { PromiseClient } from '../grpc/client';

const AT_ONCE = 1_000;

/** The reports under legal hold, of all projects. They are few: nothing of them may be removed. */
export async function heldReports(ledger: Pick<PromiseClient<ledgerApi.LedgerServiceClient>, 'listHeldReports'>): Promise<string[]> {
  const held: string[] = [];
  for (let page = AT_ONCE; page === AT_ONCE;) {
    const { reports } = await ledger.listHeldReports({ after: held.at(-1), limit: AT_ONCE });
    held.push(...reports.map(({ reportId }) => reportId));
    page = reports.length;
  }
  return held;
}
