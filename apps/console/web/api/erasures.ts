import type { CheckedCertificate, Erasure, ErasureCertificate, ErasureList, SubjectRequest } from '@tire/contracts/console';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { call, readFile } from './client';

const SOON_MS = 2_000;
/** The server ends an export after ten minutes. */
const EXPORT_MS = 10 * 60_000;

const pathOf = (projectId: string): string => `/projects/${projectId}/erasures`;
const erasuresOf = (projectId: string) => ['project', projectId, 'erasures'] as const;

const isMoving = ({ state }: Pick<Erasure, 'state'>): boolean => state === 'counting' || state === 'erasing';

export const useErasures = (projectId: string): UseQueryResult<ErasureList> =>
  useQuery({
    queryKey: erasuresOf(projectId),
    queryFn: () => call<ErasureList>('GET', pathOf(projectId)),
    refetchInterval: ({ state }) => (state.data?.erasures.some(isMoving) ? SOON_MS : false),
  });

export const useErasure = (projectId: string, erasureId: string): UseQueryResult<Erasure> =>
  useQuery({
    queryKey: [...erasuresOf(projectId), erasureId],
    queryFn: () => call<Erasure>('GET', `${pathOf(projectId)}/${erasureId}`),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? SOON_MS : false),
  });

/** The value is in the body, so that no address and no cache holds it. */
export function useErasureActions(projectId: string) {
  const queries = useQueryClient();
  const path = pathOf(projectId);
  const then = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    await queries.invalidateQueries({ queryKey: erasuresOf(projectId) });
    return result;
  };
  return {
    request: (subject: SubjectRequest) => then(call<Erasure>('POST', path, subject)),
    confirm: (erasureId: string, body: { reason: string; password: string }) =>
      then(call<Erasure>('POST', `${path}/${erasureId}/confirm`, body)),
    cancel: (erasureId: string) => then(call<Erasure>('POST', `${path}/${erasureId}/cancel`)),
    check: (certificate: ErasureCertificate, value: string) =>
      call<CheckedCertificate>('POST', `/projects/${projectId}/erasure-certificates/check`, { certificate, value }),
    exported: (body: SubjectRequest & { password: string }) => readFile(`/projects/${projectId}/subject-exports`, EXPORT_MS, body),
  };
}
