import type { Branch, BranchList } from '@tire/contracts/console';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { call } from './client';

export const branchesOf = (projectId: string) => ['project', projectId, 'branches'] as const;

export const useBranches = (projectId: string): UseQueryResult<BranchList> =>
  useQuery({ queryKey: branchesOf(projectId), queryFn: () => call<BranchList>('GET', `/projects/${projectId}/branches`) });

/** Those that take new reports. */
export const openBranches = ({ branches }: BranchList): Branch[] => branches.filter(({ archived_at }) => archived_at === null);
