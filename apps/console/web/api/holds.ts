import type { HoldList } from '@tire/contracts/console';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { call } from './client';

export const holdsOf = (projectId: string) => ['project', projectId, 'legal-holds'] as const;

/** The reports of a project under legal hold: 1,000 at most. */
export const useHolds = (projectId: string): UseQueryResult<HoldList> =>
  useQuery({ queryKey: holdsOf(projectId), queryFn: () => call<HoldList>('GET', `/projects/${projectId}/legal-holds`) });

/** With the hold of one report, or none. */
export const useHoldsOfReport = (projectId: string, reportId: string): UseQueryResult<HoldList> =>
  useQuery({
    queryKey: [...holdsOf(projectId), reportId],
    queryFn: () => call<HoldList>('GET', `/projects/${projectId}/legal-holds?report_id=${reportId}`),
  });
