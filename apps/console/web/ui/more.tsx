import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useTexts } from '../i18n/language';
import { Problem } from './problem';

/** A button below a list that loads the next page, if there is one. */
export function More({ query }: { query: UseInfiniteQueryResult<unknown> }) {
  const t = useTexts();
  return (
    <>
      {query.isFetchNextPageError && <Problem error={query.error} />}
      {query.hasNextPage && (
        <Button mt="md" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.common.more}
        </Button>
      )}
    </>
  );
}
