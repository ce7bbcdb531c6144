import { Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTexts } from '../i18n/language';
import { harmless } from './harmless';

interface PageProps {
  readonly title: string;
  readonly text?: string;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** The first page leaves the focus where the browser has it; those that follow say where one is. */
let shownBefore = false;

export function Page({ title, text, actions, children }: PageProps) {
  const t = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // A field that the page itself put the focus into keeps it.
    if (shownBefore && !(document.activeElement instanceof HTMLInputElement)) heading.current?.focus();
    shownBefore = true;
  }, []);
  useEffect(() => void (document.title = `${harmless(title)} · ${t.product}`), [title, t]);
  return (
    <>
      <header className="page-head">
        <div>
          <Title order={1} size="h2" ref={heading} tabIndex={-1} className="wraps">
            {harmless(title)}
          </Title>
          {text && (
            <Text c="dimmed" mt={4}>
              {harmless(text)}
            </Text>
          )}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

export function Section({ title, text, actions, children }: PageProps) {
  return (
    <section className="section">
      <header className="page-head">
        <div>
          <Title order={2} size="h4">
            {harmless(title)}
          </Title>
          {text && (
            <Text c="dimmed" size="sm">
              {harmless(text)}
            </Text>
          )}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
