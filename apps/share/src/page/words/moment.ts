const FORMATS_MAX = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** A format costs a thousand times what a text costs. There are two languages, and as many zones as projects chose. */
export function momentIn(locale: string, timeZone: string, at: Date): string {
  const key = `${locale} ${timeZone}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone });
  if (formats.size >= FORMATS_MAX) formats.clear();
  formats.set(key, format);
  return format.format(at);
}
