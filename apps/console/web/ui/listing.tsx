import { Button, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../i18n/language';
import { harmless } from './harmless';
import { Problem } from './problem';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** Each of the three states that an answer can be in. */
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
      <Text fw={600}>{harmless(title)}</Text>
      {text && <Text c="dimmed">{text}</Text>}
      {children}
    </div>
  );
}

/** A row tells what it is on the left, and what can be done to it on the right; on a phone below. */
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

/** A list that came as a whole, of which nobody wants to see hundreds at once: more of it when asked. */
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

/** What a row says beside its name: each fact in words, with what it is about. */
export const Facts = ({ children }: { children: ReactNode }) => <div className="facts">{children}</div>;
