import type { Content, Report, ShareRecord } from '@tire/contracts/api';
import type {
  CreatorList,
  ImageAddress,
  MarkedReports,
  MarkReportsRequest,
  ReportDetail,
  ReportList,
  SizeGuessList,
  VehicleHistory,
} from '@tire/contracts/console';
import type { ReportFilter } from '@tire/contracts/operations';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from './client';
import { isMoving, reportFollowedMs, shareFollowedMs } from './polling';
import { usePages } from './pages';

/** The paths of one report in the API and in the console. */
export interface ReportAt {
  readonly projectId: string;
  readonly reportId: string;
}

export const reportPath = ({ projectId, reportId }: ReportAt): string => `/projects/${projectId}/reports/${reportId}`;

const PAGE_SIZE = 20;
/** The address of an image is renewed this long before it expires. */
const ADDRESS_LEFT_MS = 60_000;

const listOf = (projectId: string) => ['project', projectId, 'reports'] as const;
const reportOf = ({ projectId, reportId }: ReportAt) => ['project', projectId, 'report', reportId] as const;

export const useReportList = (projectId: string, filter: ReportFilter) => {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...filter });
  return usePages<ReportList>([...listOf(projectId), filter], `/projects/${projectId}/reports?${query}`);
};

/** Asked when the filters are shown. */
export const useCreators = (projectId: string) =>
  useQuery({
    queryKey: ['project', projectId, 'report-creators'],
    queryFn: () => call<CreatorList>('GET', `/projects/${projectId}/report-creators`),
  });

interface Marking extends MarkReportsRequest {
  readonly projectId: string;
}

/** The lists show what was marked at once. */
export function useMark() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ projectId, ...marks }: Marking) => call<MarkedReports>('POST', `/projects/${projectId}/report-marks`, marks),
    onSuccess: (_, { projectId, report_ids }) =>
      Promise.all([
        queries.invalidateQueries({ queryKey: listOf(projectId) }),
        ...report_ids.map((reportId) => queries.invalidateQueries({ queryKey: [...reportOf({ projectId, reportId }), 'detail'] })),
      ]),
  });
}

/** `restMs`: the polling interval while the service is idle, because other clients may change the report. */
export const useReport = (at: ReportAt, restMs: number | false = false) =>
  useQuery({
    queryKey: [...reportOf(at), 'detail'],
    queryFn: () => call<ReportDetail>('GET', reportPath(at)),
    refetchInterval: ({ state: { data, error } }) => {
      if (!data || (error instanceof ApiError && error.status === 404)) return false;
      return reportFollowedMs(data.report, Date.now()) || restMs;
    },
  });

/** Content belongs to an analysis revision, so a new revision is a new query. */
export const useContent = (at: ReportAt, { analysis_revision, summary_status }: Report) =>
  useQuery({
    queryKey: [...reportOf(at), 'content', analysis_revision, summary_status],
    queryFn: () => call<Content>('GET', `${reportPath(at)}/content`),
  });

/** Asked only where a sidewall has no size, and again when a slot has another image or was measured again. */
export const useSizeGuesses = (at: ReportAt, { slots }: Report, mayConfirm: boolean) => {
  const unread = slots.filter(({ analysis: { result } }) => result && 'size' in result && result.size === null);
  const known = unread.map(({ slot_id, analysis: { completed_at } }) => `${slot_id} ${completed_at}`);
  return useQuery({
    queryKey: [...reportOf(at), 'size-guesses', ...known],
    queryFn: () => call<SizeGuessList>('GET', `${reportPath(at)}/size-guesses`),
    enabled: mayConfirm && known.length > 0,
  });
};

/** The share page is closed during an analysis, so the state depends on the analysis. */
export const useShare = (at: ReportAt, report: Report) =>
  useQuery({
    queryKey: [...reportOf(at), 'share', report.publication_status, report.links.share, report.analysis_revision, isMoving(report)],
    queryFn: () => call<ShareRecord>('GET', `${reportPath(at)}/share`),
    refetchInterval: ({ state }) => shareFollowedMs(report, state.data),
  });

const holdsMs = (image: ImageAddress | undefined): number =>
  image ? Math.max(0, Date.parse(image.expires_at) - Date.now() - ADDRESS_LEFT_MS) : 0;

/** Cached until the address expires, then renewed while it is shown. */
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

/** Invalidates a report and the lists after a mutation. */
export function useReportChanged(at: ReportAt): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: reportOf(at) }),
      queries.invalidateQueries({ queryKey: listOf(at.projectId) }),
    ]);
  };
}

/** Removes a discarded report from the cache, without a refetch. */
export function useReportGone({ projectId, reportId }: ReportAt): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    queries.removeQueries({ queryKey: reportOf({ projectId, reportId }) });
    queries.removeQueries({ queryKey: ['project', projectId, 'image', reportId] });
    await queries.invalidateQueries({ queryKey: listOf(projectId) });
  };
}
