import type { ledgerApi, shareApi } from '@tire/contracts/grpc';
import { firstIdAt } from '@tire/kernel';
import type { Database, PromiseClient } from '@tire/platform';
import { requestsOfReport, type LogEntry } from '../request-log/request-log.store';
import { momentOf, waitsOf, type Explanation, type Moment } from './explanation';

const CALLBACKS_MAX = 100;
const DAY_MS = 86_400_000;

export interface Sources {
  readonly database: Database;
  readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>;
  readonly share: PromiseClient<shareApi.ShareServiceClient>;
}

const momentOfRequest = ({ at, method, path, status, durationMs, requestId, keyId }: LogEntry): Moment => ({
  at: at.toISOString(),
  service: 'gateway',
  what: `${method} ${path} ${status}, ${durationMs} ms, key ${keyId}, request ${requestId}`,
});

async function momentsOfCallback(
  { share }: Sources,
  projectId: string,
  { callbackId, type, queuedAt, state }: shareApi.Callback,
): Promise<Moment[]> {
  const { attempts } = await share.getCallback({ projectId, callbackId });
  return [
    { at: queuedAt, service: 'share', what: `callback ${type} ${callbackId} is queued; it is ${state} now` },
    ...attempts.map(({ number, startedAt, durationMs, httpStatus, failure }) => ({
      at: startedAt,
      service: 'share',
      what: `callback ${callbackId}, attempt ${number}: ${httpStatus ? `HTTP ${httpStatus}` : failure}, ${durationMs} ms`,
    })),
  ];
}

/** A closed report has no history any more. */
const historyOf = async ({ ledger }: Sources, projectId: string, reportId: string): Promise<Moment[]> =>
  (await ledger.getReportHistory({ projectId, reportId })).moments.map(momentOf);

/** The life of a report from all services that keep something of it. */
export async function explainReport(sources: Sources, reportId: string): Promise<Explanation> {
  const { ledger, share, database } = sources;
  const progress = await ledger.getReportProgress({ reportId });
  const { projectId, lifecycle } = progress;
  const { callbacks } = await share.listCallbacks({ projectId, reportId, limit: CALLBACKS_MAX });
  const sinceMs = Date.parse(progress.createdAt);
  const requests = await requestsOfReport(database, projectId, reportId, {
    from: firstIdAt(sinceMs),
    before: firstIdAt(sinceMs + DAY_MS),
  });
  const life = [
    ...requests.map(momentOfRequest),
    ...(lifecycle === 'open' ? await historyOf(sources, projectId, reportId) : []),
    ...(await Promise.all(callbacks.map((callback) => momentsOfCallback(sources, projectId, callback)))).flat(),
  ];
  return {
    reportId,
    projectId,
    projectMode: progress.projectMode,
    lifecycle,
    createdAt: progress.createdAt,
    analysisStatus: progress.analysisStatus,
    publicationStatus: progress.publicationStatus,
    slots: progress.slots,
    waits: waitsOf(progress, callbacks),
    life: life.sort((a, b) => a.at.localeCompare(b.at)),
  };
}
