import type { Usage } from '@tire/contracts/console';

type Day = Usage['days'][number];
export type Counts = Omit<Day, 'day'>;

const NOTHING: Counts = { reports: 0, images: 0, failures: {}, callbacks: 0, callbacks_delivered: 0 };

const codesOf = ({ failures }: Counts) => Object.keys(failures) as (keyof Counts['failures'])[];

const added = (one: Counts, other: Counts): Counts => ({
  reports: one.reports + other.reports,
  images: one.images + other.images,
  failures: Object.fromEntries(
    [...codesOf(one), ...codesOf(other)].map((code) => [code, (one.failures[code] ?? 0) + (other.failures[code] ?? 0)]),
  ),
  callbacks: one.callbacks + other.callbacks,
  callbacks_delivered: one.callbacks_delivered + other.callbacks_delivered,
});

export const totalOf = (counts: readonly Counts[]): Counts => counts.reduce((sum, one) => added(sum, one), NOTHING);

/** Sums projects by day. All have the same period. */
export const daysOf = (usages: readonly Pick<Usage, 'days'>[]): Day[] =>
  (usages[0]?.days ?? []).map(({ day }, index) => ({ day, ...totalOf(usages.flatMap(({ days }) => days[index] ?? [])) }));

export const hasNumbers = ({ reports, images, failures, callbacks }: Counts): boolean =>
  reports + images + callbacks > 0 || Object.keys(failures).length > 0;
