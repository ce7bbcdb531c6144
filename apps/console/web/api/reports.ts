import type { Content, ImageAddress, Report, ReportDetail, ReportFilter, ReportList, ShareRecord, VehicleHistory } from '@tire/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from './client';
import { isMoving, reportFollowedMs, shareFollowedMs } from './following';
import { usePages } from './pages';

/** One report, as the addresses of the API and those of the console name it. */
export interface ReportAt {
  readonly projectId: string;
  readonly reportId: string;
}

export const reportPath = ({ projectId, reportId }: ReportAt): string => `/projects/${projectId}/reports/${reportId}`;

const PAGE_SIZE = 20;
/** An address that ends while the page is looked at is of no use. */
const ADDRESS_LEFT_MS = 60_000;

const listOf = (projectId: string) => ['project', projectId, 'reports'] as const;
const reportOf = ({ projectId, reportId }: ReportAt) => ['project', projectId, 'report', reportId] as const;

export const useReportList = (projectId: string, sought: ReportFilter & { search?: string }) => {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...sought });
  return usePages<ReportList>([...listOf(projectId), sought], `/projects/${projectId}/reports?${query}`);
};

/** `restMs`: how often it is asked for while the service does nothing about it, because others may. */
export const useReport = (at: ReportAt, restMs: number | false = false) =>
  useQuery({
    queryKey: [...reportOf(at), 'detail'],
    queryFn: () => call<ReportDetail>('GET', reportPath(at)),
    refetchInterval: ({ state: { data, error } }) => {
      if (!data || (error instanceof ApiError && error.status === 404)) return false;
      return reportFollowedMs(data.report, Date.now()) || restMs;
    },
  });

/** Content belongs to a revision of the analysis: another one asks anew. */
export const useContent = (at: ReportAt, { analysis_revision, summary_status }: Report) =>
  useQuery({
    queryKey: [...reportOf(at), 'content', analysis_revision, summary_status],
    queryFn: () => call<Content>('GET', `${reportPath(at)}/content`),
  });

/** Whether the page is open hangs on the analysis too: while it runs the page is closed. */
export const useShare = (at: ReportAt, report: Report) =>
  useQuery({
    queryKey: [...reportOf(at), 'share', report.publication_status, report.links.share, report.analysis_revision, isMoving(report)],
    queryFn: () => call<ShareRecord>('GET', `${reportPath(at)}/share`),
    refetchInterval: ({ state }) => shareFollowedMs(report, state.data),
  });

const holdsMs = (image: ImageAddress | undefined): number =>
  image ? Math.max(0, Date.parse(image.expires_at) - Date.now() - ADDRESS_LEFT_MS) : 0;

/** Kept while its address holds, and followed by another one as long as somebody looks. */
export const useImage = (at: ReportAt, assetId: string) =>
  useQuery({
    queryKey: ['project', at.projectId, 'image', at.reportId, assetId],
    queryFn: () => call<ImageAddress>('GET', `${reportPath(at)}/images/${assetId}`),
    staleTime: ({ state }) => holdsMs(state.data),
    refetchInterval: ({ state }) => (state.data ? Math.max(ADDRESS_LEFT_MS, holdsMs(state.data)) : false),
  });

export const useVehicle = (projectId: string, vehicleId: string) =>
  useQuery({
    queryKey: ['project', projectId, 'vehicle', vehicleId],
    queryFn: () =>
      call<VehicleHistory>('GET', `/projects/${projectId}/vehicle-history?${new URLSearchParams({ external_vehicle_id: vehicleId })}`),
    enabled: vehicleId !== '',
  });

/** After something was done to a report: what is shown of it, and of the list that it stands in, is asked for again. */
export function useReportChanged(at: ReportAt): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: reportOf(at) }),
      queries.invalidateQueries({ queryKey: listOf(at.projectId) }),
    ]);
  };
}

/** It exists no more: what was read of it is forgotten, and is not asked for again. */
export function useReportGone({ projectId, reportId }: ReportAt): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    queries.removeQueries({ queryKey: reportOf({ projectId, reportId }) });
    queries.removeQueries({ queryKey: ['project', projectId, 'image', reportId] });
    await queries.invalidateQueries({ queryKey: listOf(projectId) });
  };
}
