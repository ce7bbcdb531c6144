/** Amounts are whole minor units: won, yen, cents. */

/** The decimals of a currency: 0 for KRW and JPY, 2 for USD. */
export const minorDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;

/** 1250 minor units of USD are "12.50". */
export function majorText(amountMinor: number, currency: string): string {
  const digits = minorDigits(currency);
  if (digits === 0) return String(amountMinor);
  const text = String(amountMinor).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Null where the text is no amount of the currency. Commas between thousands are left out. */
export function minorOf(text: string, currency: string): number | null {
  const [, whole = '', part = ''] = /^(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  const digits = minorDigits(currency);
  if (whole === '' || part.length > digits) return null;
  return Number(whole.replaceAll(',', '') + part.padEnd(digits, '0'));
}
