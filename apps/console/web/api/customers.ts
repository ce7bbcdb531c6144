import type { ChangeVisitRequest, VisitAnswer, VisitDetails, VisitList } from '@tire/contracts/console';
import { type QueryClient, type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './client';
import { messagesOf } from './messages';
import { remindersOf } from './reminders';
import { reportPath, type ReportAt } from './reports';

const visitOf = ({ projectId, reportId }: ReportAt) => ['project', projectId, 'report', reportId, 'visit'] as const;
const visitPath = (at: ReportAt): string => `${reportPath(at)}/visit`;

/** What a change or a removal of a customer stops. */
const sentOf = (at: ReportAt) => [messagesOf(at), remindersOf(at)];

const refreshed = (queries: QueryClient, keys: readonly QueryKey[]) =>
  Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));

/** Masked. */
export const useVisit = (at: ReportAt) => useQuery({ queryKey: visitOf(at), queryFn: () => call<VisitAnswer>('GET', visitPath(at)) });

/** The whole values. They are in no cache: each reading is in the audit log. */
export const useShownVisit = (at: ReportAt) => useMutation({ mutationFn: () => call<VisitDetails>('POST', `${visitPath(at)}/show`) });

export function useChangeVisit(at: ReportAt): (change: ChangeVisitRequest) => Promise<void> {
  const queries = useQueryClient();
  return async (change) => {
    queries.setQueryData(visitOf(at), await call<VisitAnswer>('PATCH', visitPath(at), change));
    await refreshed(queries, sentOf(at));
  };
}

export function useRemoveVisit(at: ReportAt): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await call('DELETE', visitPath(at));
    await refreshed(queries, [visitOf(at), ...sentOf(at)]);
  };
}

/** The number is in the body, so that no address and no cache holds it. */
export const useVisitSearch = (projectId: string) =>
  useMutation({ mutationFn: (phone: string) => call<VisitList>('POST', `/projects/${projectId}/visits/search`, { phone }) });
