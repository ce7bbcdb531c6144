/** What a process or a store had at a time without load. */
export interface Level {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** What may grow without a fault: a share of what there was, and a fixed part of pools and caches that fill. */
export interface Slack {
  readonly share: number;
  readonly fixed: number;
}

export const SLACK = {
  memoryMib: { share: 0.5, fixed: 64 },
  handles: { share: 0.25, fixed: 24 },
  rows: { share: 0, fixed: 0 },
} as const satisfies Record<string, Slack>;

export const grown = (levels: readonly Level[], { share, fixed }: Slack): Level[] =>
  levels.filter(({ before, after }) => after > before * (1 + share) + fixed);

export interface Point {
  readonly atMs: number;
  readonly value: number;
}

/** By least squares, in units a minute. Zero for fewer than three points. */
export function slopeOf(points: readonly Point[]): number {
  if (points.length < 3) return 0;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(({ atMs }) => atMs)), mean(points.map(({ value }) => value))];
  const over = points.reduce((sum, { atMs, value }) => sum + (atMs - x) * (value - y), 0);
  const under = points.reduce((sum, { atMs }) => sum + (atMs - x) ** 2, 0);
  return under === 0 ? 0 : (over / under) * 60_000;
}

/** What lost and doubled: each key has one report, and each report one callback with one id. */
export interface Books {
  /** The ids of the reports that the answers to a key named. */
  readonly created: ReadonlyMap<string, ReadonlySet<string>>;
  /** The reports that are complete and published. */
  readonly published: ReadonlySet<string>;
  /** The webhook-ids of the callbacks about the end of a report. */
  readonly callbacks: ReadonlyMap<string, ReadonlySet<string>>;
  /** In the database. */
  readonly reports: number;
  readonly counted: number;
}

export function faultsOf({ created, published, callbacks, reports, counted }: Books): string[] {
  const ids = [...created.values()].flatMap((set) => [...set]);
  const doubled = [...created].filter(([, set]) => set.size > 1).map(([key]) => `the key ${key} gave several reports`);
  const lost = ids.filter((id) => !published.has(id)).map((id) => `${id} is not published`);
  const silent = ids.filter((id) => !callbacks.has(id)).map((id) => `${id} was not called back`);
  const twice = [...callbacks].filter(([, set]) => set.size > 1).map(([id]) => `${id} was called back under several ids`);
  const strangers = [...callbacks.keys()].filter((id) => !ids.includes(id)).map((id) => `a callback names ${id}, which nobody created`);
  return [
    ...doubled,
    ...lost,
    ...silent,
    ...twice,
    ...strangers,
    ...(reports === ids.length ? [] : [`${reports} reports in the database, ${ids.length} were created`]),
    ...(counted === reports ? [] : [`usage counts ${counted} reports of ${reports}`]),
  ];
}
