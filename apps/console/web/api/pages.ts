import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from './client';

interface CursorPage {
  readonly next_cursor: string | null;
}

/** A list that goes on by its cursor; `path` may have a query of its own. */
export const usePages = <Page extends CursorPage>(queryKey: readonly unknown[], path: string) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => {
      const [before, query] = path.split('?');
      const search = new URLSearchParams(query);
      if (pageParam) search.set('cursor', pageParam);
      return call<Page>('GET', `${before}?${search}`);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
