import { useContext } from 'react';
import { ProjectContext } from '../api/project';
import { useLanguage, type Language } from '../i18n/language';

const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
/** The age above which the date is shown. */
const RELATIVE_MS = 7 * 86_400_000;

/** In the zone of the project whose page this is. Undefined: that of the browser. */
export const useTimeZone = (): string | undefined => useContext(ProjectContext)?.project.time_zone ?? undefined;

export function momentText(at: string, language: Language, timeZone?: string): string {
  const offset = Date.parse(at) - Date.now();
  if (Math.abs(offset) > RELATIVE_MS) return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone }).format(new Date(at));
  const [unit, length] = STEPS.find(([, step]) => Math.abs(offset) >= step) ?? (['second', 60_000] as const);
  // A day counts as 24 hours here. A word such as "yesterday" would mean a calendar day.
  const relative = new Intl.RelativeTimeFormat(language, { numeric: unit === 'day' ? 'always' : 'auto' });
  return relative.format(unit === 'second' ? 0 : Math.round(offset / length), unit);
}

/** `exact`: to the second, for comparison with logs. */
export function Timestamp({ at, exact = false }: { at: string; exact?: boolean }) {
  const { language } = useLanguage();
  const timeZone = useTimeZone();
  const whole = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(new Date(at));
  return (
    <time dateTime={at} title={whole}>
      {exact ? whole : momentText(at, language, timeZone)}
    </time>
  );
}
