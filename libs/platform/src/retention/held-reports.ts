import type { ledgerApi } from '@tire/contracts/grpc';
import type { PromiseClient } from '../grpc/client';

const AT_ONCE = 1_000;

type Ledger = Pick<PromiseClient<ledgerApi.LedgerServiceClient>, 'listHeldReports'>;

/** The reports under legal hold, of all projects. They are few: nothing of them may be removed. */
export const heldReports = async (ledger: Ledger): Promise<string[]> => (await listHeld(ledger)).map(({ reportId }) => reportId);

/** Those of them that are discarded: access has ended, and the data stays. */
export const heldDiscarded = async (ledger: Ledger): Promise<string[]> =>
  (await listHeld(ledger)).filter(({ isDiscarded }) => isDiscarded).map(({ reportId }) => reportId);

async function listHeld(ledger: Ledger): Promise<ledgerApi.HeldReport[]> {
  const held: ledgerApi.HeldReport[] = [];
  for (let page = AT_ONCE; page === AT_ONCE;) {
    const last = held.at(-1);
    const { reports } = await ledger.listHeldReports({ afterProjectId: last?.projectId, after: last?.reportId, limit: AT_ONCE });
    held.push(...reports);
    page = reports.length;
  }
  return held;
}
