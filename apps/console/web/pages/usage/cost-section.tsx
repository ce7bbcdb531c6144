import type { Usage } from '@tire/contracts/console';
import { useLanguage, useTexts } from '../../i18n/language';
import { Section } from '../../ui/page';
import { moneyTexts, sumsOf } from './money';

/** Nothing without a price. */
export function CostSection({ usages }: { readonly usages: readonly Pick<Usage, 'cost'>[] }) {
  const { prices: t } = useTexts();
  const { language } = useLanguage();
  const sums = sumsOf(usages);
  return sums.length > 0 && <Section title={t.sum(moneyTexts(sums, language))} text={t.sumText} />;
}
