import { Button, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../i18n/language';
import { visibleText } from './visible-text';
import { Problem } from './problem';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** Renders the three states of a request: loading, failed, loaded. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  return <Waiting />;
}

export function Waiting() {
  const t = useTexts();
  return (
    <Stack gap="sm" aria-busy="true">
      <VisuallyHidden role="status">{t.common.loading}</VisuallyHidden>
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} height={64} radius="md" />
      ))}
    </Stack>
  );
}

export function Empty({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <Text fw={600}>{visibleText(title)}</Text>
      {text && <Text c="dimmed">{text}</Text>}
      {children}
    </div>
  );
}

/** A row with its facts on the left and its actions on the right (below on a phone). */
export function Row({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <li className="row">
      <div className="row-what">{children}</div>
      {actions && <div className="row-actions">{actions}</div>}
    </li>
  );
}

export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className="rows" aria-label={label}>
    {children}
  </ul>
);

const PORTION = 50;

interface PortionsProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly children: (item: Item) => ReactNode;
}

/** A complete list that shows a part and reveals more on request. */
export function Portions<Item>({ label, items, children }: PortionsProps<Item>) {
  const t = useTexts();
  const [shown, setShown] = useState(PORTION);
  return (
    <>
      <Rows label={label}>{items.slice(0, shown).map(children)}</Rows>
      {items.length > shown && (
        <Button mt="md" variant="default" onClick={() => setShown(shown + PORTION)}>
          {t.common.moreOf(shown, items.length)}
        </Button>
      )}
    </>
  );
}

/** The labelled facts of a row. */
export const Facts = ({ children }: { children: ReactNode }) => <div className="facts">{children}</div>;
