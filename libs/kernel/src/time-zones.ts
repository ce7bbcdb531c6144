/** Whether the runtime knows the zone. Offsets such as +09:00 are no zones: they have no summer time. */
export function isTimeZone(name: string): boolean {
  if (name !== 'UTC' && !/^[A-Z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){1,2}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** More than there are zones. A name may be written in many ways. */
const FORMATS_MAX = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** sv-SE writes dates as ISO 8601 does. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  if (formats.size >= FORMATS_MAX) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** The day of a moment in a zone, for example 2026-11-21. */
export const dayIn = (timeZone: string, at: Date): string => formatOf(timeZone).format(at).slice(0, 10);

/** What the clocks of the zone show, as if it were UTC. */
const shownMs = (timeZone: string, ms: number): number => Date.parse(`${formatOf(timeZone).format(new Date(ms)).replace(' ', 'T')}Z`);

const STEP_MS = 900_000;
/** The farthest zones are 14 hours before and 12 hours behind UTC. */
const REACH_MS = 15 * 3_600_000;

/**
 * The first moment of a day in a zone. Days that begin with a change of the clocks have no midnight or two, so this looks for the first quarter
 * of an hour that is on the day. A day that a zone has left out begins with the next one.
 */
export function startOfDay(timeZone: string, day: string): Date {
  const utcMs = Date.parse(`${day}T00:00:00Z`);
  const likely = utcMs - (shownMs(timeZone, utcMs) - utcMs);
  for (const candidate of [likely, likely - 3_600_000, likely + 3_600_000]) {
    if (dayIn(timeZone, new Date(candidate)) >= day && dayIn(timeZone, new Date(candidate - 1)) < day) return new Date(candidate);
  }
  for (let ms = utcMs - REACH_MS; ms <= utcMs + REACH_MS; ms += STEP_MS) if (dayIn(timeZone, new Date(ms)) >= day) return new Date(ms);
  throw new Error(`${day} does not begin in ${timeZone}`);
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** When the clocks of a zone show an hour of a day. Not for the hours at night in which clocks change. */
export function hourOfDay(timeZone: string, day: string, hour: number): Date {
  const likely = startOfDay(timeZone, day).getTime() + hour * HOUR_MS;
  return new Date(likely + hour * HOUR_MS - (shownMs(timeZone, likely) % DAY_MS));
}
