/** What reports cost. Days are texts such as 2026-11-27, which have the order of the calendar. */

export interface Price {
  readonly validFrom: string;
  readonly amountMinor: number;
  readonly currency: string;
}

interface Money {
  readonly amountMinor: number;
  readonly currency: string;
}

interface Cost {
  readonly days: readonly (Money & { readonly day: string })[];
  readonly sums: readonly Money[];
}

/** The price of a day is the latest one that began by then. Null where no day has one. */
export function costOf(prices: readonly Price[], days: readonly { readonly day: string; readonly reports: number }[]): Cost | null {
  const priced = days.flatMap(({ day, reports }) => {
    const price = priceOn(prices, day);
    return price ? [{ day, amountMinor: price.amountMinor * reports, currency: price.currency }] : [];
  });
  if (priced.length === 0) return null;
  const sums = new Map<string, number>();
  for (const { currency, amountMinor } of priced) sums.set(currency, (sums.get(currency) ?? 0) + amountMinor);
  return { days: priced, sums: [...sums].map(([currency, amountMinor]) => ({ currency, amountMinor })) };
}

function priceOn(prices: readonly Price[], day: string): Price | undefined {
  const begun = prices.filter(({ validFrom }) => validFrom <= day);
  return begun.toSorted((one, other) => (one.validFrom < other.validFrom ? -1 : 1)).at(-1);
}

/** A price may begin from the first of the month on, so that no earlier month changes, and within a year. */
export function mayBegin(today: string): { readonly firstDay: string; readonly lastDay: string } {
  const last = new Date(`${today}T00:00:00Z`);
  last.setUTCFullYear(last.getUTCFullYear() + 1);
  return { firstDay: `${today.slice(0, 7)}-01`, lastDay: last.toISOString().slice(0, 10) };
}
