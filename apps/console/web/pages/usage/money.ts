import type { Money, Usage } from '@tire/contracts/console';
import { majorText } from '@tire/kernel/money';

type MaybeCost = Pick<Usage, 'cost'>;

/** A sum for each currency: amounts of different ones are never added. */
export function sumsOf(usages: readonly MaybeCost[]): Money[] {
  const sums = new Map<string, number>();
  for (const { cost } of usages)
    for (const { currency, amount_minor } of cost?.sums ?? []) sums.set(currency, (sums.get(currency) ?? 0) + amount_minor);
  return [...sums].map(([currency, amount_minor]) => ({ currency, amount_minor }));
}

/** As the language writes it: ₩1,500, and $12.50 in English or US$12.50 in Korean. */
export const moneyText = ({ amount_minor, currency }: Money, language: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency }).format(Number(majorText(amount_minor, currency)));

/** KRW is shown as "KRW – South Korean Won". */
export function currenciesOf(language: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(language, { type: 'currency' });
  return Intl.supportedValuesOf('currency').map((value) => ({ value, label: `${value} – ${names.of(value)}` }));
}

export const moneyTexts = (sums: readonly Money[], language: string): string => sums.map((sum) => moneyText(sum, language)).join(', ');
