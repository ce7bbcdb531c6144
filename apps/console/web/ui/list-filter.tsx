import { NativeSelect } from '@mantine/core';
import { Refresh, type RefreshProps } from './refresh';

interface ListFilterProps extends Pick<RefreshProps, 'query'> {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

/** The filter of a paginated list, and the button that reloads the list. */
export function ListFilter({ label, value, options, onChange, query }: ListFilterProps) {
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[...options]}
      />
      <Refresh query={query} size="xs" />
    </>
  );
}
