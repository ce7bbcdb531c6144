import type { Cluster, Load } from './cluster';

interface Called<Result> extends Load {
  readonly result: Result;
}

/** Calls the API while a change runs, until it has ended. */
export async function whileCalled<Result>(
  cluster: Cluster,
  rate: { readonly perSecond: number; readonly creationEvery: number },
  change: () => Promise<Result>,
): Promise<Called<Result>> {
  const id = await cluster.createReport();
  let ended = false;
  const outcome = change()
    .then(
      (result) => ({ result }),
      (error: Error) => ({ error }),
    )
    .finally(() => (ended = true));
  const failed: Record<string, number> = {};
  let sent = 0;
  while (!ended) {
    const part = await cluster.load(id, 5, rate.perSecond, rate.creationEvery);
    sent += part.sent;
    for (const [status, count] of Object.entries(part.failed)) failed[status] = (failed[status] ?? 0) + count;
  }
  const end = await outcome;
  if ('error' in end) throw end.error;
  return { result: end.result, sent, failed };
}

export const whileRead = <Result>(cluster: Cluster, change: () => Promise<Result>): Promise<Called<Result>> =>
  whileCalled(cluster, { perSecond: 5, creationEvery: Infinity }, change);

/** Reads that were answered, each tried once. */
export function shareAnswered({ sent, failed }: Load): string {
  const lost = Object.values(failed).reduce((sum, count) => sum + count, 0);
  return `${((100 * (sent - lost)) / sent).toFixed(1)} % of ${sent} reads`;
}
