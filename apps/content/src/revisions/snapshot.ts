import { AnalysisRevisionSnapshot } from '@tire/contracts/api';

/** Parses what the ledger froze. A snapshot that breaks its contract in any part is refused as a whole. */
export const readSnapshot = (bytes: Uint8Array): AnalysisRevisionSnapshot =>
  AnalysisRevisionSnapshot.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
