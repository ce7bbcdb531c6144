import { useTexts } from '../i18n/language';
import { Page } from './page';
import { Problem } from './problem';

/** Replaces a page whose data could not be loaded. */
export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useTexts();
  return (
    <Page title={t.errors.title}>
      <Problem error={error} onRetry={onRetry} />
    </Page>
  );
}
