import type { ChangeVisitRequest, VisitAnswer, VisitDetails, VisitList } from '@tire/contracts/console';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './client';
import { reportPath, type ReportAt } from './reports';

const visitOf = ({ projectId, reportId }: ReportAt) => ['project', projectId, 'report', reportId, 'visit'] as const;
const visitPath = (at: ReportAt): string => `${reportPath(at)}/visit`;

/** Masked. */
export const useVisit = (at: ReportAt) => useQuery({ queryKey: visitOf(at), queryFn: () => call<VisitAnswer>('GET', visitPath(at)) });

/** The whole values. They are in no cache: each reading is in the audit log. */
export const useShownVisit = (at: ReportAt) => useMutation({ mutationFn: () => call<VisitDetails>('POST', `${visitPath(at)}/show`) });

export function useChangeVisit(at: ReportAt): (change: ChangeVisitRequest) => Promise<void> {
  const queries = useQueryClient();
  return async (change) => void queries.setQueryData(visitOf(at), await call<VisitAnswer>('PATCH', visitPath(at), change));
}

export function useRemoveVisit(at: ReportAt): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await call('DELETE', visitPath(at));
    await queries.invalidateQueries({ queryKey: visitOf(at) });
  };
}

/** The number is in the body, so that no address and no cache holds it. */
export const useVisitSearch = (projectId: string) =>
  useMutation({ mutationFn: (phone: string) => call<VisitList>('POST', `/projects/${projectId}/visits/search`, { phone }) });
