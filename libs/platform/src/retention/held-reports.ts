import type { ledgerApi } from '@tire/contracts/grpc';
import type { PromiseClient } from '../grpc/client';

const AT_ONCE = 1_000;

/** The reports under legal hold, of all projects. They are few: nothing of them may be removed. */
export async function heldReports(ledger: Pick<PromiseClient<ledgerApi.LedgerServiceClient>, 'listHeldReports'>): Promise<string[]> {
  const held: ledgerApi.HeldReport[] = [];
  for (let page = AT_ONCE; page === AT_ONCE;) {
    const last = held.at(-1);
    const { reports } = await ledger.listHeldReports({ afterProjectId: last?.projectId, after: last?.reportId, limit: AT_ONCE });
    held.push(...reports);
    page = reports.length;
  }
  return held.map(({ reportId }) => reportId);
}
