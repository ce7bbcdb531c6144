import { Button, type ButtonProps } from '@mantine/core';
import { useTexts } from '../i18n/language';

export interface RefreshProps extends Pick<ButtonProps, 'size'> {
  readonly query: { readonly isRefetching: boolean; readonly refresh: () => Promise<unknown> };
}

/** Reloads a paginated list from its first page. */
export function Refresh({ query, size }: RefreshProps) {
  const t = useTexts();
  return (
    <Button variant="default" size={size} loading={query.isRefetching} onClick={() => void query.refresh()}>
      {t.common.refresh}
    </Button>
  );
}
