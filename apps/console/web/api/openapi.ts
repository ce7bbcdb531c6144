import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { ApiError } from './client';

const TIMEOUT_MS = 20_000;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string; readonly summary: string }>>>>;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

async function operations(): Promise<ApiOperation[]> {
  const response = await fetch('/api/v1/openapi.json', { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
  if (!response?.ok) throw new ApiError(response?.status ?? 0, 'unreachable', 'The service did not answer.');
  const { paths } = (await response.json()) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary }]) => ({ operationId, method: method.toUpperCase(), path, summary })),
  );
}

export const useOperations = (): UseQueryResult<ApiOperation[]> =>
  useQuery({ queryKey: ['openapi'], queryFn: operations, staleTime: Infinity });
