/** A creation, with what its partner knows of it. */
export interface Order {
  readonly key: string;
  /** What the answers to this Idempotency-Key named. */
  readonly reportIds: ReadonlySet<string>;
  /** How often one slot was sent to be analyzed again: an answer that is lost makes a partner send again what was done. */
  readonly analyses: { readonly accepted: number; readonly sent: number };
}

/** What the service has of a report. */
export interface Kept {
  readonly reportId: string;
  readonly analysisStatus: string;
  readonly publicationStatus: string;
  readonly images: number;
  /** Results of slots. */
  readonly analyses: number;
  readonly revisions: readonly string[];
  /** The revision that it shows. */
  readonly current: string | null;
}

export interface Call {
  readonly webhookId: string;
  readonly reportId: string;
  readonly revision: string;
}

export interface Books {
  readonly orders: readonly Order[];
  readonly kept: readonly Kept[];
  readonly calls: readonly Call[];
  readonly usage: Readonly<Record<string, number>>;
}

const SLOTS = 4;

const groupedBy = <T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
};

function wrongWithReport({ reportIds, analyses }: Order, kept: Kept | undefined, calls: readonly Call[]): string[] {
  const [id] = reportIds;
  if (!kept) return [`${id} is lost`];
  const { analysisStatus, publicationStatus, revisions } = kept;
  const wrong: string[] = [];
  if (analysisStatus !== 'complete' || publicationStatus !== 'published') wrong.push(`${id} is ${analysisStatus}, ${publicationStatus}`);
  if (kept.images !== SLOTS) wrong.push(`${id} has ${kept.images} images`);
  if (revisions.length < 1 + analyses.accepted || revisions.length > 1 + analyses.sent)
    wrong.push(`${id} has ${revisions.length} revisions; ${analyses.sent} analyses were sent again, ${analyses.accepted} accepted`);
  if (kept.analyses !== SLOTS + revisions.length - 1) wrong.push(`${id} has ${kept.analyses} results in ${revisions.length} revisions`);
  // One that is replaced before it is published is not called back.
  const called = new Set(calls.map(({ revision }) => revision));
  if (!called.has(kept.current ?? '')) wrong.push(`${id} was not called back about ${kept.current}`);
  if (called.size < 1 + analyses.accepted) wrong.push(`${id} was called back about ${called.size} revisions`);
  return wrong;
}

function wrongWithCalls(kept: readonly Kept[], calls: readonly Call[]): string[] {
  const known = new Set(kept.flatMap(({ reportId, revisions }) => revisions.map((revision) => `${reportId} ${revision}`)));
  const about = ({ reportId, revision }: Call) => `${reportId} ${revision}`;
  const several = (what: string, groups: Map<string, Call[]>, other: (call: Call) => string) =>
    [...groups].filter(([, group]) => new Set(group.map(other)).size > 1).map(([name]) => `${name} ${what}`);
  return [
    ...several('was called back under several ids', groupedBy(calls, about), ({ webhookId }) => webhookId),
    ...several(
      'is the id of several callbacks',
      groupedBy(calls, ({ webhookId }) => webhookId),
      about,
    ),
    ...[...new Set(calls.map(about))].filter((name) => !known.has(name)).map((name) => `a callback names ${name}, which is not there`),
  ];
}

/** What is lost or doubled. Each key has one report, which is published once, and whose callbacks came under one id for each revision. */
export function wrongInBooks({ orders, kept, calls, usage }: Books): string[] {
  const keptOf = new Map(kept.map((one) => [one.reportId, one]));
  const callsOf = groupedBy(calls, ({ reportId }) => reportId);
  const ids = orders.flatMap(({ reportIds }) => [...reportIds]);
  const ordered = new Set(ids);
  return [
    ...orders.filter(({ reportIds }) => reportIds.size !== 1).map(({ key, reportIds }) => `${reportIds.size} reports of the key ${key}`),
    ...(ordered.size === ids.length ? [] : ['two keys have one report']),
    ...kept.filter(({ reportId }) => !ordered.has(reportId)).map(({ reportId }) => `${reportId} was created by no order`),
    ...orders
      .filter(({ reportIds }) => reportIds.size === 1)
      .flatMap((order) => wrongWithReport(order, keptOf.get([...order.reportIds][0]!), callsOf.get([...order.reportIds][0]!) ?? [])),
    ...wrongWithCalls(kept, calls),
    ...Object.entries({ reports: kept.length, images: kept.reduce((sum, { images }) => sum + images, 0) })
      .filter(([measure, count]) => usage[measure] !== count)
      .map(([measure, count]) => `usage counts ${usage[measure] ?? 0} ${measure} of ${count}`),
  ];
}

type Counts = Readonly<Record<string, number>>;

/** At a time without load. */
export interface Levels {
  readonly memoryMib: Counts;
  readonly handles: Counts;
  readonly processes: Counts;
  readonly rows: Counts;
  readonly objects: Counts;
}

/** What may be there more without a fault: a share of what there was, and a fixed part of pools and caches that fill. */
export const TOLERANCE: Readonly<Record<keyof Levels, { readonly share: number; readonly fixed: number }>> = {
  memoryMib: { share: 0.5, fixed: 64 },
  handles: { share: 0.25, fixed: 24 },
  processes: { share: 0, fixed: 0 },
  rows: { share: 0, fixed: 0 },
  objects: { share: 0, fixed: 0 },
};

export function wrongInLevels(before: Levels, after: Levels): string[] {
  return (Object.keys(TOLERANCE) as (keyof Levels)[]).flatMap((what) => {
    const { share, fixed } = TOLERANCE[what];
    return Object.entries(after[what])
      .map(([name, count]) => ({ name, count, first: before[what][name] ?? 0 }))
      .filter(({ count, first }) => count > first * (1 + share) + fixed)
      .map(({ name, count, first }) => `${what} of ${name}: ${Math.round(first)} before, ${Math.round(count)} after`);
  });
}
