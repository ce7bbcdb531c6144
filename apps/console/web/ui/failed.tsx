import { useTexts } from '../i18n/language';
import { Page } from './page';
import { Problem } from './problem';

/** In place of a page of which not even its title is known. */
export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useTexts();
  return (
    <Page title={t.errors.title}>
      <Problem error={error} onRetry={onRetry} />
    </Page>
  );
}
