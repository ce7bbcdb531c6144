import { Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTexts } from '../i18n/language';
import { visibleText } from './visible-text';

interface PageProps {
  readonly title: string;
  readonly text?: string;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** The first page does not move the focus. Later pages move it to their heading. */
let shownBefore = false;

export function Page({ title, text, actions, children }: PageProps) {
  const t = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // An autofocused field keeps the focus.
    if (shownBefore && !(document.activeElement instanceof HTMLInputElement)) heading.current?.focus();
    shownBefore = true;
  }, []);
  useEffect(() => void (document.title = `${visibleText(title)} · ${t.product}`), [title, t]);
  return (
    <>
      <header className="page-head">
        <div>
          <Title order={1} size="h2" ref={heading} tabIndex={-1} className="wraps">
            {visibleText(title)}
          </Title>
          {text && (
            <Text c="dimmed" mt={4}>
              {visibleText(text)}
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
            {visibleText(title)}
          </Title>
          {text && (
            <Text c="dimmed" size="sm">
              {visibleText(text)}
            </Text>
          )}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
