import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useTexts } from '../i18n/language';
import { Page } from '../ui/page';

/** The same page for unknown objects and for objects of other organizations. */
export function NotFound() {
  const t = useTexts();
  return (
    <Page title={t.errors.pageMissing} text={t.errors.not_found}>
      <Anchor component={Link} href="/">
        {t.errors.toStart}
      </Anchor>
    </Page>
  );
}
