import { useTexts } from '../../i18n/language';
import { Page } from '../../ui/page';
import { Interface } from './interface';
import { QuickStart } from './quick-start';
import { Signatures } from './signatures';

export function DevelopersPage() {
  const t = useTexts();
  return (
    <Page title={t.developers.title} text={t.developers.text}>
      <QuickStart />
      <Signatures />
      <Interface />
    </Page>
  );
}
