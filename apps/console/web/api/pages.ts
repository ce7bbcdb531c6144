import { type InfiniteData, type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { call } from './client';

interface CursorPage {
  readonly next_cursor: string | null;
}

const firstOf = <Page>(data: InfiniteData<Page> | undefined): InfiniteData<Page> | undefined =>
  data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) };

/**
 * A list that goes on by its cursor; `path` may have a query of its own. Its pages are asked for one after the other, and each anew when
 * the list is: so it is not asked for because somebody looks elsewhere and back, and begins with its first page when he comes back to it.
 */
export function usePages<Page extends CursorPage>(queryKey: readonly unknown[], path: string) {
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => {
      const [before, asked] = path.split('?');
      const search = new URLSearchParams(asked);
      if (pageParam) search.set('cursor', pageParam);
      return call<Page>('GET', `${before}?${search}`);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchOnWindowFocus: false,
    // Who comes back from what he just did, elsewhere too, finds it in the list.
    staleTime: 0,
  });
  const key = JSON.stringify(queryKey);
  const toFirst = useCallback(() => {
    const of = JSON.parse(key) as QueryKey;
    // As old as it was.
    queries.setQueryData<InfiniteData<Page>>(of, firstOf, { updatedAt: queries.getQueryState(of)?.dataUpdatedAt });
  }, [queries, key]);
  useEffect(() => toFirst, [toFirst]);
  const refresh = () => {
    toFirst();
    return query.refetch();
  };
  return { ...query, refresh };
}
