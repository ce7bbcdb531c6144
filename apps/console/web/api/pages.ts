import { type InfiniteData, type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { call } from './client';

interface CursorPage {
  readonly next_cursor: string | null;
}

const firstOf = <Page>(data: InfiniteData<Page> | undefined): InfiniteData<Page> | undefined =>
  data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) };

/**
 * A list with a cursor. `path` may have a query string. A refetch requests all loaded pages sequentially, so the list is not refetched on
 * focus, and it starts with its first page after navigation.
 */
export function usePages<Page extends CursorPage>(queryKey: readonly unknown[], path: string) {
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => {
      const [before, given] = path.split('?');
      const search = new URLSearchParams(given);
      if (pageParam) search.set('cursor', pageParam);
      return call<Page>('GET', `${before}?${search}`);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchOnWindowFocus: false,
    // The list is refetched when its page opens, so it contains changes that other pages made.
    staleTime: 0,
  });
  const key = JSON.stringify(queryKey);
  const toFirst = useCallback(() => {
    const of = JSON.parse(key) as QueryKey;
    // Keeps the time of the last fetch.
    queries.setQueryData<InfiniteData<Page>>(of, firstOf, { updatedAt: queries.getQueryState(of)?.dataUpdatedAt });
  }, [queries, key]);
  useEffect(() => toFirst, [toFirst]);
  const refresh = () => {
    toFirst();
    return query.refetch();
  };
  return { ...query, refresh };
}
